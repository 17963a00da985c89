package report

import (
	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/rewrite"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Products are what the passes made, as far as they came: what is nil is left out.
type Products struct {
	Scop      *scop.Program
	Inlined   *rewrite.Result     // nil: nothing is computed where it is read
	Fission   *rewrite.Result     // nil: no nest is several
	Regrouped *rewrite.Regrouping // nil: no sums are in another order
	Folded    *rewrite.Folding    // nil: no arrays are folded
	Deps      []schedule.Dependence
	Space     *schedule.Canonical
	Cone      schedule.Cone
	Strategy  string         // hybrid, space, untiled or wavefront
	Outlook   *model.Outlook // nil: the user gave the sizes
	Choice    *model.Choice  // nil: the user gave the sizes
	Schedule  *schedule.Schedule
	Proofs    []schedule.Proof
	Loops     string // of a schedule that the user has written, as C with a call for each instance; "": hexcc makes tiles
	Target    string // cuda, opencl, ptx, openmp, c, mpi or mpi+cuda; "": cuda
	GPU       *gpu.Program
	CPU       *cpu.Program        // where the target is a CPU
	Ranks     *ranks.Plan         // where the target is MPI
	Together  *ranks.Loop         // it is one of these, which run in a loop; nil: it is none
	Ranking   *model.Ranking      // of tiles for a CPU; nil: it is not known
	Streams   *model.StreamChoice // nil: rows do not stream
	Clauses   []string            // what is asked of kernels, each in the form of a clause
	Kept      []string            // wishes about kernels, and how each is kept
	Machine   *machine.Levels     // for which launches of an iteration are ranked; nil: those of the device
}

// Version is that of the JSON form of an Inspection. A field may be added
// without a new version; one that changes its meaning or goes away needs one.
const Version = 1

// An Inspection is what was found in a program and decided for it, as plain
// data. Its JSON form is documented in docs/inspect.md.
type Inspection struct {
	Version     int              `json:"version"`
	Target      string           `json:"target"` // cuda, opencl, ptx, openmp, c, mpi or mpi+cuda
	File        string           `json:"file"`
	Function    string           `json:"function"`
	Signature   []Formal         `json:"signature"` // parameters of the function, in order
	FirstLine   int              `json:"firstLine"`
	LastLine    int              `json:"lastLine"`
	Time        string           `json:"time"`
	Fused       int              `json:"fusedProducts"` // with --fma; 0 without
	Inlined     *Inlined         `json:"inlined"`       // null: nothing is computed where it is read
	Fission     *Fission         `json:"fission"`       // null: no nest is several
	Regrouped   *RegroupedSums   `json:"regrouped"`     // null: no sums are in another order
	Folding     *Folding         `json:"folding"`       // null: no arrays are folded
	Params      []Variable       `json:"parameters"`
	Scalars     []Variable       `json:"scalars"`
	Context     string           `json:"context"` // isl
	Arrays      []Array          `json:"arrays"`
	Statements  []Statement      `json:"statements"`
	Arithmetic  Arithmetic       `json:"arithmetic"`
	Graph       *Graph           `json:"graph"`  // null: what nests read of each other is not known
	Levels      [][]string       `json:"levels"` // the steps of an iteration of the time loop: names of statements, by step
	Dependences []Dependence     `json:"dependences"`
	Moves       []Move           `json:"moves"`
	Cone        []Slope          `json:"cone"`
	Strategy    Strategy         `json:"strategy"`
	Choice      *Choice          `json:"choice"`  // null: the user gave the sizes
	Ranking     *Ranking         `json:"ranking"` // of tiles for a CPU; null: the target is a GPU
	Tile        *Tile            `json:"tile"`
	Schedule    *Order           `json:"schedule"`
	Ready       *Ready           `json:"ready"`
	Pipeline    *Pipeline        `json:"pipeline"` // null: tiles lie in shared memory
	Proofs      []Proof          `json:"proofs"`
	Loops       string           `json:"loops"` // of a schedule of the user's own, as C; "": there are tiles
	Kernels     []Kernel         `json:"kernels"`
	Threads     *Threads         `json:"threads"`    // null: the target is a GPU
	Ranks       *Ranks           `json:"ranks"`      // null: the target is not mpi or mpi+cuda
	Derivation  []DerivationStep `json:"derivation"` // how the kernels come about
	Wishes      []string         `json:"wishes"`     // about kernels, by clauses or flags, and how each is kept
	Remarks     []string         `json:"remarks"`
	SpaceNames  []string         `json:"space"` // s0, s1, ..
}

type (
	// A Graph says what the statements of an iteration of the time loop read of each other, and of arrays as the iteration finds them.
	Graph struct {
		Nodes  []GraphNode `json:"nodes"`
		Edges  []GraphEdge `json:"edges"`
		Orders int64       `json:"orders"` // in which statements may run; 0: not counted
		// Fusions are ways to share launches, the best first by the model; empty where no statement reads another one, or no sizes are known.
		Fusions []Fusion `json:"fusions"`
	}
	// A Fusion is a partition of the statements of an iteration into launches, of tiles that overlap.
	Fusion struct {
		Groups       string   `json:"groups"` // as in [S0,S1],[S2]
		Widths       []int64  `json:"widths"`
		Microseconds float64  `json:"microseconds"` // of an iteration
		Bytes        int64    `json:"bytes"`        // that memory moves
		Launches     []Launch `json:"launches"`
		Why          string   `json:"why"` // it is not the best; else empty
	}
	// A Launch is one of them. Polynomials are in the widths w0, w1, .. of a tile.
	Launch struct {
		Statements   []string `json:"statements"`
		Microseconds float64  `json:"microseconds"`
		Bound        string   `json:"bound"`    // what takes the longest: a level of memory, operations or launch
		Bytes        int64    `json:"bytes"`    // that memory moves
		Again        float64  `json:"again"`    // points that run, for each that there is
		Holds        int64    `json:"holds"`    // bytes that a tile has in shared memory
		Computes     string   `json:"computes"` // points of a tile
		Loads        string   `json:"loads"`    // bytes that a tile loads
		Stores       string   `json:"stores"`
	}
	// A GraphNode is an array that is read, or a statement, by its name.
	GraphNode struct {
		Name      string `json:"name"`
		Kind      string `json:"kind"`      // array or statement
		Array     string `json:"array"`     // what the statement writes
		Temporary bool   `json:"temporary"` // that is used in the iteration only
		Needed    int64  `json:"needed"`    // points that the results of a tile need, where tiles overlap; else 0
	}
	// A GraphEdge says at which offsets a statement reads what a node has.
	GraphEdge struct {
		From    string    `json:"from"`
		To      string    `json:"to"`
		Offsets [][]int64 `json:"offsets"` // by dimension of space; empty where they are no numbers
	}
	// A Variable is a parameter or a scalar.
	Variable struct {
		Name string `json:"name"`
		Type string `json:"type"`
	}
	// A Formal is a parameter of the function around the region.
	Formal struct {
		Name    string `json:"name"` // empty where it has none
		Type    string `json:"type"`
		Pointer bool   `json:"pointer"` // to objects
	}
	// An Array is what the region reads and writes.
	Array struct {
		Name    string   `json:"name"`
		Type    string   `json:"type"`
		Extents []string `json:"extents"`
		Const   bool     `json:"const"`   // never written by the region
		CopyIn  bool     `json:"copyIn"`  // to the device, before the region runs there
		CopyOut bool     `json:"copyOut"` // and back
		Planes  int64    `json:"planes"`  // that time steps use in turn, as of A[t % 2]; 0: there is one state
	}
	// Arithmetic is the work of a point in an iteration of the time loop.
	Arithmetic struct {
		Operations int64 `json:"operations"` // of floating point, as written: a quotient or a function is one
		Bytes      int64 `json:"bytes"`      // of all arrays, or planes of them, of which it uses elements, each once
	}
	// A Statement is one loop nest.
	Statement struct {
		Name      string   `json:"name"`
		Line      int      `json:"line"`
		Iterators []string `json:"iterators"`
		Text      string   `json:"text"`
		Domain    string   `json:"domain"` // isl
		Place     string   `json:"place"`  // isl: instance -> [tau, s0, ..]
		Accesses  []Access `json:"accesses"`
	}
	// An Access reads or writes an element.
	Access struct {
		Array   string `json:"array"`
		Text    string `json:"text"`    // as in the source, macros expanded
		Element string `json:"element"` // the same in one form for all, such as A[(t+1)%2][i-1]
		Write   bool   `json:"write"`
		Line    int    `json:"line"`
		Map     string `json:"map"` // isl
	}
	// A Dependence orders two instances.
	Dependence struct {
		Number int    `json:"number"` // from 1
		Kind   string `json:"kind"`   // flow, anti or output
		Source Place  `json:"source"`
		Target Place  `json:"target"`
		// Distance is the distances in [tau, s0, ..], for people; Nearest is one
		// of them with the least dtau.
		Distance string  `json:"distance"`
		Nearest  []int64 `json:"nearest"`
		Map      string  `json:"map"` // isl
	}
	// A Place is an access of a statement.
	Place struct {
		Statement string `json:"statement"`
		Element   string `json:"element"` // as of Access
		Line      int    `json:"line"`
	}
	// A Slope bounds the distances of a space dimension: -Lo*dtau <= ds <= Hi*dtau.
	Slope struct {
		Dim string `json:"dim"`
		Lo  string `json:"lo"` // rational, such as 1/2
		Hi  string `json:"hi"` // "" where nothing bounds ds from above
	}
	// A Tile is the shape of the tiles.
	Tile struct {
		Scheme       string       `json:"scheme"`
		Height       int64        `json:"height"` // steps of a time tile
		H            int64        `json:"h"`
		W            []int64      `json:"w"`
		Points       int64        `json:"points"`       // of a full tile
		Inequalities []Inequality `json:"inequalities"` // of a hexagon; else empty
		Phases       []Phase      `json:"phases"`
		Boxes        []StmtBox    `json:"boxes"`       // of tiles that overlap, by statement and step; else empty
		Temporaries  []string     `json:"temporaries"` // arrays of which tiles that overlap have their own; else empty
		Stream       int          `json:"stream"`      // the dimension of space along which tiles run plane by plane; -1: they do not
	}
	// A StmtBox is the points of a statement that a tile of a phase runs at a step, of which it owns those from 0 on that are as many as the tile is wide.
	StmtBox struct {
		Statement string  `json:"statement"`
		Phase     int     `json:"phase"`
		Step      int64   `json:"step"`
		Lo        []int64 `json:"lo"`
		Hi        []int64 `json:"hi"`
		Delay     int64   `json:"delay"` // how many positions behind its plane it runs, where tiles run plane by plane; else 0
		Way       string  `json:"way"`   // up or down: the order in which its points run along the first dimension, of which the tile holds whole columns; else ""
	}
	// An Inequality is one side of the hexagon in local coordinates.
	Inequality struct {
		Number  string `json:"number"` // in the paper
		General string `json:"general"`
		Numbers string `json:"numbers"`
	}
	// A Phase is the tiles of one launch.
	Phase struct {
		TimeShift int64     `json:"timeShift"`
		Dims      []TileDim `json:"dims"`
	}
	// A TileDim is schedule.TileDim: s = stride*S + drift*T + offset + b, lo[a] <= b <= hi[a].
	TileDim struct {
		Tile   string  `json:"tile"`
		Point  string  `json:"point"`
		Role   string  `json:"role"`
		Stride int64   `json:"stride"`
		Drift  int64   `json:"drift"`
		Offset int64   `json:"offset"`
		Lo     []int64 `json:"lo"`
		Hi     []int64 `json:"hi"`
	}
	// A Strategy is the tiling scheme, and what the model expects of each; not measured.
	Strategy struct {
		Name   string   `json:"name"`   // hybrid, space or untiled
		Why    string   `json:"why"`    // it is that, though something else was tried first; else ""
		Doubts []string `json:"doubts"` // what speaks against it
		// Unit is that of PerPoint: ps, or plain loops where figures are parts of what those take.
		Unit     string     `json:"unit"`
		Expected []Expected `json:"expected"`
	}
	// Expected is what the model expects of one way to run the region.
	Expected struct {
		Way   string  `json:"way"`   // hybrid, streaming (hexagons, too), space or untiled
		Ready bool    `json:"ready"` // tiles start when those that they need have ended
		H     int64   `json:"h"`     // -1 where time is not tiled
		W     []int64 `json:"w"`
		// Stream is the dimension of space along which boxes that overlap run plane by plane, -1: they do not. Other is what the best of them take that do not, if
		// these do, or do, if these do not; null: that was not asked, or there are none.
		Stream   int       `json:"stream"`
		Other    *Expected `json:"other"`
		Tiles    int64     `json:"tiles"` // that may run at the same time; 0: not known
		PerPoint float64   `json:"perPoint"`
	}
	// A Choice is what the model found when it searched for tile sizes. Times are the model's, not measured.
	Choice struct {
		Arch    string      `json:"arch"`
		Part    string      `json:"part"`   // that the times are for
		Budget  int64       `json:"budget"` // bytes of shared memory that a block may take
		Tried   int         `json:"tried"`  // sizes that fit
		Counted int         `json:"counted"`
		Ready   bool        `json:"ready"` // tiles start when those that they need have ended
		Other   *Expected   `json:"other"` // what the best of the other order takes; null: that was not asked, or there is none
		Grid    []GridValue `json:"grid"`
		Best    []Candidate `json:"best"` // the chosen one first
	}
	// A GridValue is the value of a parameter that costs are for.
	GridValue struct {
		Name  string `json:"name"`
		Value int64  `json:"value"`
		From  string `json:"from"` // given, known or assumed
	}
	// A Candidate is tile sizes and what a full tile of them costs.
	Candidate struct {
		H             int64   `json:"h"`
		W             []int64 `json:"w"`
		Points        int64   `json:"points"`
		Loads         int64   `json:"loads"`
		Stores        int64   `json:"stores"`
		Bytes         int64   `json:"bytes"`
		SharedBytes   int64   `json:"sharedBytes"`
		Steps         int     `json:"steps"`
		Threads       int     `json:"threads"`
		Registers     int     `json:"registers"` // of a thread, an estimate
		BlocksPerSM   int     `json:"blocksPerSM"`
		Limit         string  `json:"limit"` // of blocksPerSM
		Waves         float64 `json:"waves"`
		AtOnce        float64 `json:"atOnce"` // blocks that run tiles at the same time, where these wait for each other; else 0
		PicosPerPoint float64 `json:"picosecondsPerPoint"`
		Why           string  `json:"why"` // it was not chosen; "" if it was
	}
	// A Traffic is what a full tile moves of an array, in elements.
	Traffic struct {
		Array        string `json:"array"`
		Loads        int64  `json:"loads"`
		Stores       int64  `json:"stores"`
		Reads        int64  `json:"reads"`
		Writes       int64  `json:"writes"`
		SharedReads  int64  `json:"sharedReads"`  // by statements
		SharedWrites int64  `json:"sharedWrites"` // by statements
	}
	// An Order is the schedule.
	Order struct {
		Dims []OrderDim `json:"dims"`
		// Fronts say in words in which order tiles, and the points of a tile, run where they do so front by front; else there are none.
		Fronts []string `json:"fronts"`
		Map    string   `json:"map"` // isl: instance -> the dims
	}
	// An OrderDim is a dimension of the schedule: host, block, seq or thread.
	OrderDim struct {
		Name string `json:"name"`
		Role string `json:"role"`
	}
	// Ready is the order of tiles that start when their data is ready, whether the code keeps it or launches phases in turn.
	Ready struct {
		Kept      bool        `json:"kept"`      // by the code
		Why       string      `json:"why"`       // there is none; then the rest is empty
		Chain     []string    `json:"chain"`     // the indices that tell chains apart: T, phase, S0
		Along     []string    `json:"along"`     // those of the tiles of a chain, which run in order
		Waits     []ReadyWait `json:"waits"`     // by phase
		WaitMap   string      `json:"waitMap"`   // isl: tile -> those that wait for it themselves
		BeforeMap string      `json:"beforeMap"` // isl: tile -> those that start only when it has ended
		threads   bool        // run tiles, not launches of kernels
		fronts    bool        // of chains are launches
		Proofs    []Proof     `json:"proofs"` // legality of this order, and that waits keep it; empty where compilation stopped before proofs
	}
	// A ReadyWait is for the chains [T - time, from, S - d], lo <= d <= hi, until they have ended their tiles up to lag further along.
	ReadyWait struct {
		Phase int     `json:"phase"` // of the chain that waits
		From  int     `json:"from"`
		Time  int64   `json:"time"`
		Lo    []int64 `json:"lo"`
		Hi    []int64 `json:"hi"`
		Lag   int64   `json:"lag"`
		Text  string  `json:"text"`
	}
	// A Move tells by how much a nest was moved: to share a step with what it depends on in the same
	// iteration, or to make the slopes smaller.
	Move struct {
		Dim       string `json:"dim"`
		Statement string `json:"statement"`
		By        int64  `json:"by"`
		Shares    bool   `json:"shares"`
	}
	// A Proof is an answer for all parameter values.
	Proof struct {
		Name      string     `json:"name"`
		Claim     string     `json:"claim"` // what it says if it holds
		Holds     bool       `json:"holds"`
		Tests     int        `json:"tests"` // what it took
		Unit      string     `json:"unit"`  // what tests are: emptiness test, read
		Undecided string     `json:"undecided"`
		Violation string     `json:"violation"`
		Questions []Question `json:"questions"`
	}
	// A Question is one part of a proof.
	Question struct {
		Text  string `json:"text"` // what holds, in words
		Holds bool   `json:"holds"`
		Tests int    `json:"tests"`
	}
	// A Kernel is what one launch runs.
	Kernel struct {
		Name    string    `json:"name"`
		Phase   int       `json:"phase"`
		Threads [3]int    `json:"threads"`
		Shared  []Buffer  `json:"shared"`
		Traffic []Traffic `json:"traffic"` // by array
		Counts
	}
	// A Buffer is part of an array in shared memory.
	Buffer struct {
		Name  string  `json:"name"`
		Array string  `json:"array"`
		Shape []int64 `json:"shape"`
		Bytes int64   `json:"bytes"`
	}
	// Counts is what a full tile of a kernel does.
	Counts struct {
		SharedBytes int64 `json:"sharedBytes"`
		Points      int64 `json:"points"`   // instances
		Loads       int64 `json:"loads"`    // elements copied from global to shared memory
		Stores      int64 `json:"stores"`   // elements copied back
		Reads       int64 `json:"reads"`    // elements that instances read from global memory
		Writes      int64 `json:"writes"`   // and write to it
		Bytes       int64 `json:"bytes"`    // of all these loads, stores, reads and writes
		Barriers    int64 `json:"barriers"` // in the body of the tile
		// SharedTraffic is the bytes that copies and instances read from and write to shared memory.
		SharedTraffic int64 `json:"sharedTraffic"`
	}
)
