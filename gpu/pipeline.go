package gpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/scop"
)

// This file is the grammar of kernels whose rows stream through the registers of a pipeline of warps. The hexagon lies over time and
// the stride-one dimension; the classical dimension has tiles of one row, each a row further back than the step before. A block
// runs one chain of tiles in beats. At beat b, warp q runs its few steps of tile b - q*Period, so that it is Period beats behind
// the warp that runs the steps before its own, from which it gets rows through shared memory:
//
//	beat       0  1  2  3  4  5  6
//	warp 0     0  1  2  3  4  5  6   steps 0..M-1 of tile b
//	warp 1           0  1  2  3  4   steps M..2M-1 of tile b - Period
//	warp 2                 0  1  2
//
// No instance depends on one of a later tile of its chain, nor on one of a later step, or of its own step at another place, so that what it depends on is
// of an earlier beat, or of an earlier step of the same warp and beat; between warps, of a beat before the last barrier. Statements of one step that depend on each
// other at one place run in that order.
//
// In three dimensions, Across warps run the same steps of a strip, each of Lines next to those of the one before, which it is Period beats behind, too: what it
// reads of the lines before its own, that one has written to shared memory a barrier before.
//
// A row lies across the 32 lanes of a warp, Columns neighbouring elements in each. Neighbours along the row are other registers
// of the lane, or those of the lanes beside it (Exchange). Rows of one step that are in use at once are in registers of their own,
// which take turns; so the code of a turn of several beats is straight.

// WarpLanes is how many lanes a warp has.
const WarpLanes = 32

// A Pipeline is what a block does with a chain, whatever the phase. Its expressions are over parameters and the names in Vars.
type Pipeline struct {
	Name    string
	Vars    PipelineVars
	Scop    *scop.Program
	Warps   int // of a block: Across for each run of Steps
	Steps   int // of a warp
	Columns int // of a row, that a lane holds
	Period  int // beats between barriers, and from a warp to the next
	Lines   int // in three dimensions, of a row that a warp holds; 0 in two
	Across  int // warps that run the same steps, each of Lines of a strip; 1 in two dimensions
	Turn    int // beats of a turn, a multiple of Period: then rows are in the same registers again
	Ahead   int // beats between a Fetch and the use of what it fetches: 2 Periods
	// Steady and Guarded are how many beats of a turn that is not Full there is code for: in turns in which what is tested is the same in all beats, and in others. They divide
	// Turn. The other beats run that code again, with the rows that Next says if these are not back in their registers.
	Steady, Guarded int
	// Straight is the same of Full turns, and Final of steady ones in which rows are stored for good.
	Straight, Final int
	Every           int // beats between looks at what other chains have signalled: some turns
	Slots           int // rows that a ring holds, and sets of elements that an Edge does: a divisor of Turn, at least 3 Periods
	Rings           []*Ring
	Edges           []*Edge
	Stages          []Stage
	// Copies move whole rows between global memory and rings, by all threads of the block, each beat.
	Copies []RowCopy
	// Full is over Time, Column, Beat and parameters: in no beat from Beat to Last, anything is outside of a domain or an array, or is the last that is
	// written to its element. Then nothing is guarded, and Patch is left out.
	Full astgen.Cond
}

// PipelineVars are the names that a Pipeline gives to what differs between chains, beats, warps and lanes.
type PipelineVars struct {
	Time   string // of a chain: the time iterator of step 0
	Column string // of a chain: s0 of local coordinate 0
	Line   string // of a chain, in three dimensions: s1 of its first line at step 0; "" in two
	Beat   string // what runs: row Beat of the classical dimension at step 0 of warp 0
	Last   string // of Full: the last beat of those from Beat on
	Warp   string // its number in the block
	At     string // of Patch, Store, Group and RowCopy: s0 of the element
}

// A Stream is the body of a kernel: the Pipeline run for the beats Lo <= Beat <= Hi of a chain, and on to the end of a turn. Before the beats b
// to b+Every-1, it waits until the chains that it waits for have signalled b+Lag, and if chains of a phase wait for each other, the one before it b+Behind;
// it signals each beat that the turns it has run include. Where the Chains of the Program are nil, all chains of a phase are one launch behind the one of the phase
// before: then it waits for nothing, and Lag and Behind are 0.
type Stream struct {
	Pipeline     *Pipeline
	Time, Column affine.Expr // over tile indices, T and parameters
	Line         affine.Expr // likewise; nil in two dimensions
	Lo, Hi       affine.Expr
	Lag, Behind  int64
	Empty        bool // the chain has no tiles: it waits and signals, and runs no turn
}

func (Stream) node() {}

// A Ring is rows in shared memory: Slots of them, each Columns registers of all lanes, for each number below Numbers. A number is written by one warp, or by a
// copy from global memory, and read by one warp, or two neighbours of a strip, or by a copy to global memory.
type Ring struct {
	Name    string
	Array   *scop.Array // whose type its elements have
	Numbers int
}

// A Span is the warps First to Last of a stage, which do something that its others leave out.
type Span struct{ First, Last int }

// Has reports whether a warp is in w.
func (w Span) Has(warp int) bool { return w.First <= warp && warp <= w.Last }

// An Edge is elements in shared memory by which columns enter rows, or leave them: Slots sets of Elements of them, for each warp of a block.
type Edge struct {
	Name     string
	Array    *scop.Array // whose type its elements have
	Elements int         // at most 64
}

// A Stage is Count warps from First on, which run the same code. Expressions tell what differs by Warp.
type Stage struct {
	First, Count int
	Rows         []Row      // those it holds in registers, all 0 at the start of a chain
	Origin       affine.Sum // over Warp: the local coordinate of column 0 of lane 0, in all rows
	Beats        [][]WarpOp // by beat of a turn
	Cursors      []*Cursor
	Margins      *Cursor // those that a Fetch of the turns brings that are not Full; nil: there are none
	// Inactive, over Time and Warp, holds of chains in which a warp runs no step of the program. It runs Feeds there in place of Beats, of which the same comes, but which wait
	// for the rows that they load.
	Inactive astgen.Cond
	Feeds    [][]FetchRow // by beat of a turn
}

// A Row is Columns registers of each lane, and some columns of the lanes beside it, once they have been exchanged.
type Row struct {
	Name        string
	Array       *scop.Array // whose elements it holds
	Left, Right int         // how many columns of the neighbouring lanes it may hold
}

// A WarpOp is what all lanes of a warp do together.
type WarpOp interface{ warpOp() }

// The kinds of WarpOp. Rows are numbers among those of the Stage, slots among those of a ring or an edge.
type (
	// ReadRow sets Row to what the Slot of its Ring's number Warp + From holds, moved: column x of lane l is column x+Shift of lane l, counted on into the lanes beside it.
	// Columns beyond the 32 lanes have no value.
	ReadRow struct {
		Row  int
		Ring *Ring
		From int
		Slot int
		// Shift is by warp of the stage, each from -Columns to Columns.
		Shift []int
	}
	// WriteRow puts Row into the Slot of Ring's number Warp + To.
	WriteRow struct {
		Row  int
		Ring *Ring
		To   int
		Slot int
	}
	// Exchange gives each lane the nearest columns of Row in the lanes beside it: Left of the one before, Right of the one behind. The first and
	// the last lane get no value from beyond.
	Exchange struct{ Row, Left, Right int }
	// Evaluate sets each column of rows to what Stmt stores there, at [Iters] of the point At. Operands say in which rows its reads and its stores are. Own are the
	// least and the greatest local coordinate of the tile at that step; what is computed elsewhere is of no use, and may have no value. Border: it is of the turns that
	// are not Full alone, and of no column that is not in its Domain: the others keep what they have.
	Evaluate struct {
		Stmt     *scop.Stmt
		Iters    []affine.Expr // over Time, Beat, Warp and At
		Operands []Operand     // by Stmt.Accesses
		Own      [2]affine.Sum // over Warp
		// Domain holds of points that are instances, whatever is Own; over Time, Beat, Warp and At.
		Domain astgen.Cond
		Border bool
	}
	// Patch, in turns that are not Full, sets the columns of Row in Need that are not in Domain to what Element holds, where it exists;
	// and stores those of Own that are in Domain, and in Final, which are the last to be written there, but those that are Stored in another way.
	// Where Beside says so, columns come from there and not from Element.
	Patch struct {
		Row           int
		Element       Element
		Own, Need     [2]affine.Sum // local coordinates, over Warp
		Domain, Final astgen.Cond   // over Time, Beat, Warp and At
		// Inside, over Time, Beat, Warp and Column: where it holds, all of Need is in Domain, and nothing in Final, so that there is nothing to do.
		Inside astgen.Cond
		Beside *Beside // nil: there are none
		// Stored are columns that leave the tile at this step in another way, in some warps, as ranges of local coordinates.
		Stored []Columns
	}
	// Fetch begins to copy elements of global memory to Slot of Edge: lane l those that Cursor has for it, which are those of beat Beat + Ahead. What is
	// copied is there Ahead beats later. Border: it is of the turns that are not Full alone.
	Fetch struct {
		Edge   *Edge
		Slot   int
		Cursor *Cursor
		Border bool
	}
	// FetchLine, in turns that are not Full, begins to copy columns Need of that one of Lines that is beside the domain in the chain, of beat Beat + Ahead, to Slot of Ring, whose
	// number is what Pipeline.Among says. What is copied is there Ahead beats later.
	FetchLine struct {
		Ring  *Ring
		Slot  int
		Need  [2]affine.Sum // local coordinates, over Warp
		Lines []FarLine
	}
	// Enter sets column X of lane Lane of Row to element Element of Slot of Edge, in some warps.
	Enter struct {
		Row, X  int
		Lane    affine.Sum // over Warp
		Edge    *Edge
		Slot    int
		Element int
		Warps   Span
	}
	// Leave is the reverse of Enter.
	Leave struct {
		Row, X  int
		Lane    affine.Sum
		Edge    *Edge
		Slot    int
		Element int
		Warps   Span
	}
	// Put stores Slot of Edge, as Leave has filled it in this beat, to the elements that Cursor has.
	Put struct {
		Edge   *Edge
		Slot   int
		Cursor *Cursor
	}
	// StoreColumn stores column X of lane Lane of Row to Element, in some warps. Domain is the guard where the turn is not Full.
	StoreColumn struct {
		Row, X  int
		Lane    affine.Sum
		Warps   Span
		At      affine.Sum // over Column and Warp: s0 of the column
		Element Element
		Domain  astgen.Cond
	}
)

func (ReadRow) warpOp()     {}
func (WriteRow) warpOp()    {}
func (Exchange) warpOp()    {}
func (Evaluate) warpOp()    {}
func (Patch) warpOp()       {}
func (Fetch) warpOp()       {}
func (FetchLine) warpOp()   {}
func (Enter) warpOp()       {}
func (Leave) warpOp()       {}
func (Put) warpOp()         {}
func (StoreColumn) warpOp() {}

// Alike returns the ops at the beginning of ops that are of one kind and like the first.
func Alike[T WarpOp](ops []WarpOp, like func(first, other T) bool) (all []T) {
	for _, op := range ops {
		x, ok := op.(T)
		if !ok || len(all) > 0 && !like(all[0], x) {
			break
		}
		all = append(all, x)
	}
	return all
}

// A Beside is the columns next to a domain that somebody reads, which keep their values: in each beat where Where holds, columns outside of the domain that are
// among those of Margins are set to what a Fetch has brought of them, and others outside of it have no value. So there is nothing to load, and to wait for.
type Beside struct {
	Where astgen.Cond // over Time, Beat and Warp: the row is computed, and no lane has columns of two margins
	// Alone, over Time, Beat and Warp: where it holds, the Patch does nothing else, neither loads nor stores.
	Alone   astgen.Cond
	Edge    *Edge
	Slot    int
	Margins []Margin
	// Outside, over Line and Warp, holds in three dimensions where all of the line is beside the domain, or further away, where nobody reads it: then the columns in Need are
	// those that FetchLine has brought to Slot of Lines, and Alone holds. Lines is nil where nobody reads the row, whose columns then have no value.
	Outside astgen.Cond
	Lines   *Ring
}

// A FarLine is one of the lines that a warp holds of a row, which is next to the domain in chains where Where holds, over Line and Warp. It keeps its values.
type FarLine struct {
	Element Element
	Where   astgen.Cond
}

// A Margin is Count neighbouring columns, the first of which is element Element of a slot of an edge.
type Margin struct {
	At      affine.Sum // s0 of the first, over parameters
	Count   int
	Element int
}

// Columns are local coordinates from Lo to Hi, in some warps.
type Columns struct {
	Warps  Span
	Lo, Hi affine.Sum // over Warp
}

// An Operand of column x is column x+Shift of Row; or, if Element is set, that element of an array that nothing of the pipeline writes.
type Operand struct {
	Row, Shift int
	Element    *Element // at the point At of the column
}

// An Element is that of an array in global memory with these subscripts, over Time, Beat, Warp and At. It exists where Exists holds.
type Element struct {
	Array  *scop.Array
	Index  []affine.Expr
	Exists astgen.Cond
}

// A FetchRow begins to copy columns of a row to the Slot of Ring's number Warp + To, as a WriteRow would do a Period later: those of Need of which Element, that of
// beat Beat + Period, exists. What is copied is there 2 Periods later, when the next warp reads it.
type FetchRow struct {
	Ring    *Ring
	To      int
	Slot    int
	Element Element
	Need    [2]affine.Sum // local coordinates, over Warp
}

// Same reports whether e is the same element in all warps, beats and columns.
func (p *Pipeline) Same(e *Element) bool {
	same := true
	for _, x := range e.Index {
		affine.Vars(x, func(name string) {
			same = same && !slices.Contains([]string{p.Vars.Time, p.Vars.Beat, p.Vars.Warp, p.Vars.At}, name)
		})
	}
	return same
}

// A Cursor has an element of global memory for each lane, another one each beat: lane l of the first 32 elements has element l, and element l+32, if there
// are so many. Elements beyond those of Groups are none.
type Cursor struct {
	Name   string
	Groups []Group
}

// Elements returns how many c has.
func (c *Cursor) Elements() (n int) {
	for _, g := range c.Groups {
		n += g.Count
	}
	return n
}

// A Group is Count neighbouring elements: those at s0 = At + k, 0 <= k < Count. Guard says which of them are copied where the turn is not Full.
// Warps that are not among its Warps copy none of them.
type Group struct {
	Count   int
	Warps   Span
	At      affine.Sum // over Column and Warp
	Element Element
	Guard   astgen.Cond // over Time, Beat, Warp, At and Column
}

// A RowCopy copies the elements of a row at First <= s0 < First + Count between global memory and a number of Ring, one beat after the other, in slot
// Slots[r] at beat r of a turn: In, those of beat Beat + Ahead from Element, or out to it. The ring's columns begin at s0 = Origin.
// It is the row of a Step of the tile, negative if that is before its first one, and in three dimensions of a Line, counted from the first of the strip at step 0.
// Warp reads it, or has computed it. Halo: it is one of the last lines of a strip, which the next one reads.
type RowCopy struct {
	In, Halo      bool
	Warp          int
	Step, Line    int64
	Ring          *Ring
	Number        int
	Slots         []int
	First, Origin affine.Sum // over Column
	Count         int
	Element       Element
	Guard         astgen.Cond // of elements, where the turn is not Full
}

// Pipeline returns the one that all kernels of p share, nil if there is none.
func (p *Program) Pipeline() *Pipeline {
	if len(p.Kernels) == 0 {
		return nil
	}
	return p.Kernels[0].Pipeline()
}

// Pipeline returns what the body of k runs, nil if that is no pipeline.
func (k *Kernel) Pipeline() *Pipeline {
	if s, ok := k.Stream(); ok {
		return s.Pipeline
	}
	return nil
}

// Stream returns the body of k, if that is a stream.
func (k *Kernel) Stream() (s Stream, ok bool) {
	if len(k.Body) == 1 {
		s, ok = k.Body[0].(Stream)
	}
	return s, ok
}

// Chunk returns how many neighbouring columns of a row of r, ChunkBytes of them at most, are read at once wherever a ReadRow moves it to: they divide Columns and all shifts.
func (p *Pipeline) Chunk(r *Ring) int {
	all := []int{p.Columns}
	for _, st := range p.Stages {
		for _, ops := range st.Beats {
			for _, op := range ops {
				if read, ok := op.(ReadRow); ok && read.Ring == r {
					all = append(all, read.Shift...)
				}
			}
		}
	}
	return ChunkOf(r.Array.Elem, all...)
}

// ChunkBytes are how many one instruction loads from shared memory, or stores to it, at most.
const ChunkBytes = 16

// ChunkOf returns how many elements of type t ChunkBytes have at most, such that they divide all of these.
func ChunkOf(t scop.Type, all ...int) int {
	n := max(1, ChunkBytes/t.Size())
	for _, x := range all {
		for x%n != 0 {
			n /= 2
		}
	}
	return n
}

// RingLanes is how many lanes a row has room for in a ring: those of a warp, and one on each side, from which ReadRow may read.
const RingLanes = WarpLanes + 2

// SharedBytes returns the shared memory of rings and edges.
func (p *Pipeline) SharedBytes() (n int64) {
	for _, r := range p.Rings {
		n += p.RingBytes(r)
	}
	for _, e := range p.Edges {
		n += p.EdgeBytes(e)
	}
	return n
}

// RingBytes and EdgeBytes return the bytes of shared memory of one of them.
func (p *Pipeline) RingBytes(r *Ring) int64 {
	return Aligned(int64(r.Numbers * p.Slots * RingLanes * p.Columns * r.Array.Elem.Size()))
}

func (p *Pipeline) EdgeBytes(e *Edge) int64 {
	return Aligned(int64(p.Warps * p.Slots * e.Elements * e.Array.Elem.Size()))
}

// Threads returns how many threads run p.
func (p *Pipeline) Threads() int { return p.Warps * WarpLanes }

// Place returns in which register of which lane the column lies that is Shift columns from column x of a lane, lanes counted from that one.
func (p *Pipeline) Place(x, shift int) (column, lane int) {
	at := x + shift
	lane = at / p.Columns
	if at < 0 {
		lane = -((-at + p.Columns - 1) / p.Columns)
	}
	return at - lane*p.Columns, lane
}

// InTime returns how many warps are one behind the other in time.
func (p *Pipeline) InTime() int { return p.Warps / p.Across }

// Order returns which of them a warp is, or is beside along a strip.
func (p *Pipeline) Order(warp int) int { return warp / p.Across }

// Behind returns how many beats a warp is behind the first one.
func (p *Pipeline) Behind(warp int) int { return p.Period * (warp/p.Across + warp%p.Across) }

// Among returns which number of a Ring that a FetchLine fills is that of a warp of st: those across share one, as no more than one of them has lines beside the domain that
// go there.
func (p *Pipeline) Among(st *Stage, warp int) int { return (warp - st.First) / p.Across }

// Stage returns the stage of a warp.
func (p *Pipeline) Stage(warp int) *Stage {
	for i := range p.Stages {
		if s := &p.Stages[i]; s.First <= warp && warp < s.First+s.Count {
			return s
		}
	}
	panic(fmt.Sprintf("gpu: warp %d is of no stage", warp))
}

// FeedAhead returns by how many beats what Feeds bring is ahead of what the warp would compute: that is read a period later.
func (p *Pipeline) FeedAhead() int { return p.Ahead - p.Period }
