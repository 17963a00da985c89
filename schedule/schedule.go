// Package schedule decides in which order, and by whom, the instances of a
// program run: dependences, their cone, tile shapes and sizes, the schedule,
// and the proof that it is legal.
package schedule

import (
	"math/big"
	"slices"
	"time"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/scop"
)

// A Kind of dependence: Flow (read after write), Anti (write after read) or
// Output (write after write).
type Kind uint8

// The kinds of dependence.
const (
	Flow Kind = iota
	Anti
	Output
)

// A Dependence says that two accesses, at least one a write, touch the same
// element, the source instance before the target. It is memory-based: writes in
// between do not hide it.
type Dependence struct {
	Kind                 Kind
	Src, Dst             *scop.Stmt
	SrcAccess, DstAccess *scop.Access
	Map                  poly.Map // source instance -> target instance
}

// A Place puts one space dimension s of the canonical space: s = iterator
// Iter + Shift, or s = Shift - iterator Iter where Down, or s = Shift where
// Iter < 0. Shift is over parameters only.
type Place struct {
	Iter  int  // index in Stmt.Iters, at least 1; -1: none
	Down  bool // the iterator falls where s grows
	Shift scop.Affine
}

// Sign returns the coefficient of the iterator: 1, -1 or 0.
func (at Place) Sign() int64 {
	switch {
	case at.Iter < 0:
		return 0
	case at.Down:
		return -1
	}
	return 1
}

// A Canonical is the space in which dependences have distances: instance
// S_i[t, ...] lies at [tau, s0, .., sn], with tau = K*t + Levels[i] and s as Places say.
// Every dependence distance has dtau >= 1 there, or is 0 in all dimensions; then the ranks of the statements grow. Where Ordered is
// set, distances with dtau = 0 may be anything that is 0 or more in each dimension: points of one tau are in order (skew.go).
type Canonical struct {
	Scop     *scop.Program
	K        int        // levels of an iteration of the time loop
	Levels   []int      // by statement, 0 to K-1
	Ranks    []int      // by statement: the order of those that depend on each other at one place and tau; else 0
	Space    []string   // names s0, s1, ..
	Places   [][]Place  // by statement, then space dimension
	Maps     []poly.Map // by statement: S_i[t, ..] -> [tau, s0, ..]
	Moves    []Move     // what moved the nests from where their arrays put them; Places tell all
	Together [][2]int   // statements of one level that depend on each other in one iteration: they are not moved against each other
	Ordered  bool       // points of one tau depend on each other: on those that are no further in any dimension
	Carried  []bool     // by statement, where Ordered: its points of one tau depend on each other; those of others run in any order
	// Sweeps says, by level, whether its points depend on each other along the first dimension, on those that are no further there and at the
	// same place in all others. nil: at no level. Each of the others is at 0 or more from what it depends on in its own level, too (swept.go).
	Sweeps []bool
	// Ways say, by statement, in which order its points of one tau run along the first dimension of space, of which tiles hold whole columns
	// (columns.go): they depend on each other in one column only. nil: in any order.
	Ways   []Way
	Column Column    // if there are Ways
	Skews  [][]int64 // by space dimension p: s_p is what Places say plus Skews[p][q]·s_q for each q < p; nil: nothing is added
}

// A Cone bounds the distances: -Lo[i]*dtau <= ds_i <= Hi[i]*dtau for every
// dependence. Hi[0] and Lo[0] are the paper's delta0 and delta1. Neither is
// negative. Hi[i] is nil where ds_i is not bounded from above, which only a
// classical dimension, i >= 1, allows.
type Cone struct {
	Lo, Hi []*big.Rat // by space dimension
	// Ordered: it holds distances with dtau = 0, too, those that are 0 or more in each dimension and not 0 in all.
	Ordered bool
}

// Sizes are the tile sizes by name: h, w0, w1, ...
type Sizes struct {
	H int64   `json:"h"`
	W []int64 `json:"w"` // W[0] is w0
	// Start is where the classical tiles with index 0 begin, by space dimension, and in
	// dimension 0 by how much the hexagons are moved: all tiles of both phases. nil: at 0.
	Start []int64 `json:"start,omitempty"`
	// Stream is the number of the dimension of space along which a tile that overlaps others runs plane by plane; nil: none.
	Stream *int `json:"stream,omitempty"`
}

// A Role says who runs the values of a dimension.
type Role uint8

// The roles.
const (
	Host   Role = iota // a loop on the host: one launch per value
	Block              // a block index: no order between values
	Seq                // a loop inside the kernel
	Thread             // a thread index: no order between values
	Wave               // of points in order: one runs behind those that are no further in any of the dimensions with this role
)

// A Dim labels a dimension of the schedule.
type Dim struct {
	Name string // T, phase, S0, S1, .., t, nest, s0, ..; nest, a rank, only where statements have ranks
	Role Role
}

// A Schedule sends statement instances to vectors: where they run, [tile, point in it]. What runs before what is Order
// between tiles and, in a tile, the lexicographic order of the rest, in which values of a Thread dimension have no
// order between them, and those of Wave dimensions, which come last, only an order all together. Phases are the definition, tile by tile: code is made from them. Map and Owner are the relations that
// they describe, computed from them (Relate): proofs are made on these and on Order.
type Schedule struct {
	Canonical *Canonical
	Cone      Cone     // that the schedule was made for, empty if for any; the proofs do not trust it
	Scheme    string   // for people; nobody branches on it
	Map       poly.Map // each instance to its images: one, unless tiles overlap
	Owner     poly.Map // where tiles overlap: each instance to the image whose results are stored, a part of Map
	Order     Order    // of tiles
	// Temporaries are arrays that tiles have for themselves, each its own: what one reads of them it has computed in the same iteration of the time
	// loop, and nobody else sees it. Only where tiles overlap.
	Temporaries []*scop.Array
	conflict    *Dependence // see Conflict
	Versions    []Version   // arrays of which a phase reads one version and stores another one, where tiles overlap
	Waits       *Chains     // what keeps it; nil: launches in turn
	Fronts      *Fronts     // the launches are of fronts of tiles, not of phases, and the points of a tile run in fronts; nil: they do not
	Dims        []Dim       // first those of tiles, then those of the points in them
	points      poly.Map    // all points [tau, s0, ..], with instances or not, to [tile, tau]: what Map was made from; empty: not known
	// Height is the number of steps of a time tile. Step a (0 <= a < Height) of
	// time tile T in a phase runs at tau = Height*T + a - TimeShift of the phase.
	// Height and TimeShift are multiples of K, so the statements of step a are those
	// of level a mod K, at t = (Height*T + a - TimeShift)/K, rounded down.
	Height int64
	Phases []Phase // in launch order within a time tile
	Sizes  Sizes
	// Loaded: a user wrote it. Then only the proofs say whether it is right.
	Loaded bool
}

// A Phase is a family of tiles of a time tile that run in one launch.
type Phase struct {
	TimeShift int64
	Space     []TileDim // by space dimension
	// Boxes are local coordinates by statement and step, where statements of a step run in boxes of their own; Lo and Hi of Space are then those
	// around all of a step, which have no sides. nil: all of a step run in the rows of Space.
	Boxes [][]Box
	// Stream says in which order a tile runs the planes of its boxes along one dimension; nil: step by step, whole boxes.
	Stream *Stream
}

// Box returns the local coordinates at which a tile of ph runs instances of st at step a.
func (ph Phase) Box(st *scop.Stmt, a int64) Box {
	if ph.Boxes != nil {
		return ph.Boxes[st.Order][a]
	}
	var b Box
	for _, d := range ph.Space {
		b.Lo, b.Hi = append(b.Lo, d.Lo[a]), append(b.Hi, d.Hi[a])
	}
	return b
}

// Owned returns the part of Box whose results the tile stores: all of it, unless tiles overlap.
func (ph Phase) Owned(st *scop.Stmt, a int64) Box {
	b := ph.Box(st, a)
	b = Box{slices.Clone(b.Lo), slices.Clone(b.Hi)}
	for p, d := range ph.Space {
		if d.Owned != nil {
			lo, hi := rowOf(d.Owned, a)
			b.Lo[p], b.Hi[p] = max(b.Lo[p], lo), min(b.Hi[p], hi)
		}
	}
	return b
}

// Nest returns the space dimensions in the order of the loops over tiles: those whose tiles run in any order
// before those whose tiles run one after the other.
func (ph Phase) Nest() (dims []int) {
	for _, role := range []Role{Block, Seq} {
		for p, d := range ph.Space {
			if d.Role == role {
				dims = append(dims, p)
			}
		}
	}
	return dims
}

// A TileDim locates the tiles of a phase in one space dimension: tile S of time
// tile T holds, at step a, the points
//
//	s = Stride*S + Drift*T + Offset + b,  Lo[a] <= b <= Hi[a]
//
// of which there are none where Lo[a] > Hi[a]. b is the local coordinate.
type TileDim struct {
	Tile, Point           string // names of the tile index and the coordinate: S0, s0
	Role                  Role   // of the tile index: Block or Seq
	Stride, Drift, Offset int64
	Sides                 []HalfPlane // the tile is the points (a, b) on all of these, 0 <= a < Height; nil where the phase has Boxes
	// Owned are sides of the points whose results the tile stores; nil: it stores those of all. Tiles that overlap
	// run an instance several times, and one of them owns it.
	Owned  []HalfPlane
	Lo, Hi []int64 // by step: the least and the greatest b on all Sides
}

// Extent returns the least and the greatest local coordinate of d, of all steps; ok is false if it has none.
func (d TileDim) Extent() (lo, hi int64, ok bool) {
	for a := range d.Lo {
		if d.Lo[a] > d.Hi[a] {
			continue
		}
		if !ok {
			lo, hi, ok = d.Lo[a], d.Hi[a], true
		}
		lo, hi = min(lo, d.Lo[a]), max(hi, d.Hi[a])
	}
	return lo, hi, ok
}

// A HalfPlane is the points (a, b) with A·a + B·b + C >= 0.
type HalfPlane struct{ A, B, C int64 }

// A Proof is the outcome of what was asked of a schedule for all parameter values.
type Proof struct {
	Name      string // partition, legality, emission, staging or full tiles
	Claim     string // what it says if it holds, in a line
	Holds     bool
	Undecided string // why a question could not be decided; then Holds is false
	Tests     int    // what was made to decide it: emptiness tests, or Units
	Unit      string // one of what Tests are; "": emptiness test
	Violation string // a concrete counterexample in the user's terms, if one was found
	// Places are the source of what Violation is about: of the instance, or
	// of the two accesses, the one that must run first before the other.
	Places    []diag.Note
	Questions []Question    // all that was asked, in order
	Took      time.Duration // no golden text may hold it
}

// A Question is one part of a Proof.
type Question struct {
	Text  string        // what holds, in words
	Holds bool          // it was shown to; if not, it is the last
	Tests int           // of the Proof that it took
	Took  time.Duration // others may have been asked meanwhile
}
