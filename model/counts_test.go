package model_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file compares the counts of a full tile with two oracles: running through
// the instances of a program one by one, tile by tile, with sets of cells; and
// the emulator's counters.

// smallSizes returns sizes that are small, and odd ones.
func smallSizes(x pipeline.Stencil, n int) schedule.Sizes {
	h := schedule.LegalH(x.Space.K)[min(n, 1)]
	for h < 1 {
		h += int64(x.Space.K)
	}
	s := schedule.Sizes{H: h, W: []int64{schedule.MinW0(x.Cone, h) + int64(n)}}
	for i := range x.Space.Space[1:] {
		s.W = append(s.W, int64(4+i-n))
	}
	if len(s.W) > 3 { // there are many tiles
		s.W[1], s.W[2], s.W[3] = 2, 3, 2
	}
	return s
}

// roomFor returns values of the parameters with which some tiles are full.
func roomFor(t *testing.T, s *schedule.Schedule) []int64 {
	side := int64(0)
	for _, d := range s.Phases[0].Space {
		lo, hi := d.Lo[0], d.Hi[0]
		for a := range d.Lo {
			lo, hi = min(lo, d.Lo[a]), max(hi, d.Hi[a])
		}
		side = max(side, hi-lo+2*d.Stride)
	}
	typical := model.Typical{}
	for i, p := range s.Canonical.Scop.Params {
		typical[p.Name] = side + 4
		if boundsTime(s.Canonical.Scop, i) {
			typical[p.Name] = 3*s.Height/int64(s.Canonical.K) + 2
		}
	}
	g, err := model.NewGrid(s.Canonical, typical)
	require.NoError(t, err)
	var params []int64
	for _, v := range g.Values {
		params = append(params, v.Value)
	}
	return params
}

func boundsTime(p *scop.Program, i int) bool {
	space := false
	for _, st := range p.Stmts {
		for _, row := range st.Bounds {
			for d, c := range row.Iters {
				space = space || d > 0 && c != 0 && i < len(row.Params) && row.Params[i] != 0
			}
		}
	}
	return !space
}

// A cell is an element of an array.
type cell struct {
	array *scop.Array
	index [5]int64
}

// A tileID is T, phase, S0, S1, ..
type tileID [7]int64

// An event is an instance at its step of a tile.
type event struct {
	step  int64
	stmt  *scop.Stmt
	iters []int64
}

// enumerate sorts all instances into tiles by the definition of schedule.TileDim.
func enumerate(t *testing.T, s *schedule.Schedule, params []int64) map[tileID][]event {
	tiles := map[tileID][]event{}
	c := s.Canonical
	for _, st := range c.Scop.Stmts {
		for iters := range scop.NewNest(st, params).All {
			tau := int64(c.K)*iters[0] + int64(c.Levels[st.Order])
			found := 0
			for phase, ph := range s.Phases {
				T := floorDiv(tau+ph.TimeShift, s.Height)
				a := tau + ph.TimeShift - T*s.Height
				id, ok := tileID{T, int64(phase)}, true
				for p, d := range ph.Space {
					at := c.Places[st.Order][p]
					v := at.Shift.At(nil, params)
					if at.Iter >= 0 {
						v += at.Sign() * iters[at.Iter]
					}
					rel := v - d.Drift*T - d.Offset
					S := floorDiv(rel-d.Lo[a], d.Stride)
					ok = ok && rel-S*d.Stride <= d.Hi[a]
					id[2+p] = S
				}
				if ok {
					tiles[id] = append(tiles[id], event{a, st, append([]int64(nil), iters...)})
					found++
				}
			}
			require.Equal(t, 1, found, "%s%v", st.Name, iters)
		}
	}
	return tiles
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// play runs through the instances of a tile, step by step, and returns the cells
// of staged arrays that it reads first, writes and holds, and its accesses.
func play(events []event, steps int64, params []int64, staged map[*scop.Array]bool) (first, written, held map[cell]bool, shared, global int64) {
	first, written, held = map[cell]bool{}, map[cell]bool{}, map[cell]bool{}
	for a := range steps {
		now, before, order := map[cell]bool{}, map[cell]bool{}, -1
		for _, e := range events {
			if e.step != a {
				continue
			}
			if e.stmt.Order > order { // what statements before wrote in this step is there
				order, before = e.stmt.Order, maps.Clone(now)
			}
			own := map[cell]bool{}
			for _, acc := range e.stmt.Accesses {
				if !staged[acc.Array] {
					global++
					continue
				}
				shared++
				x := cell{array: acc.Array}
				for k, ix := range acc.Index {
					x.index[k] = ix.At(e.iters, params)
				}
				held[x] = true
				switch {
				case acc.Write:
					now[x], own[x] = true, true
				case !own[x] && !before[x] && !written[x]:
					first[x] = true
				}
			}
		}
		for x := range now {
			written[x] = true
		}
	}
	return first, written, held, shared, global
}

// dropOnce takes from first the elements of arrays that are only read and of which
// the tile before held all: a block loads them once.
func dropOnce(p *scop.Program, first, held, written map[cell]bool, several bool) {
	for _, a := range p.Arrays {
		wrote := false
		for x := range written {
			wrote = wrote || x.array == a
		}
		var mine []cell
		kept := true
		for x := range first {
			if x.array == a {
				mine, kept = append(mine, x), kept && held[x]
			}
		}
		if several && !wrote && kept {
			for _, x := range mine {
				delete(first, x)
			}
		}
	}
}

// TestCountsByEnumeration compares counts with the enumeration of a full tile, of both phases.
func TestCountsByEnumeration(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	for _, x := range append(some(pipeline.All(t)), more(t)...) {
		for n := range 2 {
			sizes := smallSizes(x, n)
			if n == 1 && x.Space.K*len(x.Space.Space) > 8 {
				continue // too many instances to play
			}
			t.Run(fmt.Sprint(x.Name, " ", sizes), func(t *testing.T) {
				s, err := schedule.HybridTiles(x.Space, x.Cone, sizes)
				require.NoError(t, err)
				params := roomFor(t, s)
				tiles := enumerate(t, s, params)
				full, err := schedule.Hybrid(x.Space, x.Cone, sizes)
				require.NoError(t, err)
				o := lower.Options{Rolled: true} // else registers hold some of what is accessed
				prog := pipeline.Map(t, full, d, o)
				for phase, want := range lower.NewCounter(x.Space, d, o).Counts(s) {
					require.Positive(t, want.Points)
					staged := map[*scop.Array]bool{}
					for _, b := range prog.Kernels[phase].Shared {
						staged[b.Array] = true
					}
					compared := 0
					for id, events := range tiles {
						before := id
						if len(sizes.W) > 1 {
							before[1+len(sizes.W)]--
						}
						if id[1] != int64(phase) || compared == 3 || !isFull(x, events, want) || !isFull(x, tiles[before], want) {
							continue
						}
						compared++
						first, written, _, shared, global := play(events, s.Height, params, staged)
						_, _, held, _, _ := play(tiles[before], s.Height, params, staged)
						dropOnce(x.Space.Scop, first, held, written, len(sizes.W) > 1)
						fresh := 0
						for c := range first {
							if len(sizes.W) == 1 || !held[c] {
								fresh++
							}
						}
						require.EqualValues(t, want.Loads, len(first))
						require.EqualValues(t, want.Fresh, fresh)
						require.EqualValues(t, want.Stores, len(written))
						require.Equal(t, want.Global, global)
						require.Equal(t, want.Shared, shared+want.Loads+want.Stores)
					}
					require.Positive(t, compared, "no full tile with %v among %d", params, len(tiles))
				}
			})
		}
	}
}

// isFull reports whether a tile has all points, none of a nest of lower depth.
func isFull(x pipeline.Stencil, events []event, want lower.Counts) bool {
	for _, e := range events {
		for _, at := range x.Space.Places[e.stmt.Order] {
			if at.Iter < 0 {
				return false
			}
		}
	}
	return int64(len(events)) == want.Points
}

// TestCountsByEmulator takes partial tiles out of the kernels, runs the rest,
// and compares what it did with the counts times the full tiles.
func TestCountsByEmulator(t *testing.T) {
	d := pipeline.Device(t, "sm_80")
	for _, x := range append(some(pipeline.All(t)), more(t)...) {
		for name, o := range map[string]lower.Options{"straight": {}, "rolled": {Rolled: true}, "global": {Strategy: lower.Global}} {
			t.Run(x.Name+" "+name, func(t *testing.T) { compareWithEmulator(t, x, d, o) })
		}
	}
}

func compareWithEmulator(t *testing.T, x pipeline.Stencil, d machine.Device, o lower.Options) {
	sizes := smallSizes(x, 1)
	if n := len(sizes.W) - 1; n == 1 && reflect.DeepEqual(o, lower.Options{}) {
		sizes.W[n] = 32 // all threads have a point, so that registers hold values across steps
	}
	s := x.Schedule(t, sizes)
	prog := pipeline.Map(t, s, d, o)
	for _, k := range prog.Kernels {
		k.Body = onlyFull(k.Body)
	}
	params := roomFor(t, s)
	mem, err := scop.NewMemory(x.Space.Scop, params, 1)
	require.NoError(t, err)
	report, err := emulate.Run(prog, mem, emulate.Options{Keep: 1})
	require.NoError(t, err)
	var want, got emulate.Counters
	for i, c := range lower.NewCounter(x.Space, d, o).Counts(s) {
		tiles, first, last := int64(0), int64(0), int64(0)
		for _, b := range report.Branches {
			switch {
			case b.Kernel != prog.Kernels[i].Name:
			case b.Role.Kind == gpu.FullTile:
				tiles += b.Then
			case b.Role.Kind == gpu.AfterFull:
				first = b.Else
			case b.Role.Kind == gpu.LastFull:
				last = b.Then
			}
		}
		require.Positive(t, tiles)
		want.Points += tiles * c.Points
		want.GlobalLoads += tiles*(c.Loads+c.Stores+c.Global) + first*(c.First-c.Loads) + last*(c.Last-c.Stores)
		want.SharedLoads += tiles*c.Shared + first*(c.First-c.Loads-2*c.Moves) + last*(c.Last-c.Stores)
		want.Barriers += tiles*int64(c.Barriers) + last
	}
	for _, l := range report.Launches {
		got.Points += l.Points
		got.GlobalLoads += l.GlobalLoads + l.GlobalStores
		got.SharedLoads += l.SharedLoads + l.SharedStores
		got.Barriers += l.Barriers
	}
	for _, st := range x.Space.Scop.Stmts {
		if slices.Contains(st.Certain(), false) { // accesses behind ?: or && need not run
			require.LessOrEqual(t, got.SharedLoads, want.SharedLoads)
			require.LessOrEqual(t, got.GlobalLoads, want.GlobalLoads)
			want.SharedLoads, want.GlobalLoads = got.SharedLoads, got.GlobalLoads
		}
	}
	require.Equal(t, want, got)
}

// onlyFull returns nodes without the partial tiles.
func onlyFull(ns []gpu.Node) []gpu.Node {
	var all []gpu.Node
	for _, n := range ns {
		switch n := n.(type) {
		case gpu.Test:
			all = append(all, n)
		case gpu.For:
			n.Body = onlyFull(n.Body)
			all = append(all, n)
		case gpu.If:
			if n.Role.Kind == gpu.FullTile {
				n.Else = nil
			} else {
				n.Then, n.Else = onlyFull(n.Then), onlyFull(n.Else)
			}
			all = append(all, n)
		}
	}
	return all
}
