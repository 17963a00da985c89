package hexcc

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/mpitext"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file is about regions whose nests are several programs, in a loop that all ranks run: the nests share out the rows of arrays alike.

// inSteps reports whether time loops in loops that ranks run are run step by step: the caller says so, or tiles of time did not do.
func (o *Options) inSteps() bool {
	return o.stepwise || o.Strategy == Space || o.Tile != nil && o.Tile.H == schedule.NoHeight
}

// tiles reports whether a nest in a loop that ranks run is tiled in time: the first one that is a time loop, or, where the caller says sizes, each.
func (o *Options) tiles(h *scop.Host, p *scop.Program) bool {
	first := slices.IndexFunc(h.Programs, func(p *scop.Program) bool { return !p.Timeless })
	return !p.Timeless && !o.inSteps() && (h.Programs[first] == p || o.Tile != nil)
}

// whyNotTiled returns a remark that time loops in loops that ranks run are run step by step, where that may do in place of what err says; else nil.
func (f *file) whyNotTiled(err error) *diag.Diagnostic {
	i := slices.IndexFunc(f.units, func(u *unit) bool { return u.tiled })
	var list diag.List
	if i < 0 || !errors.As(err, &list) || !list.HasErrors() {
		return nil
	}
	first := list[slices.IndexFunc(list, func(d *diag.Diagnostic) bool { return d.Severity == diag.Error })]
	return f.origin.Moved(diag.List{{Severity: diag.Remark, Code: "HX125", At: f.units[i].Scop.Start(), Msg: fmt.Sprintf("ranks run this time loop step by step: %s [%s]", first.Msg, first.Code)}})[0]
}

// leastTiles is of how many rows of tiles sizes are chosen for a nest in a loop that ranks run: ranks share these out.
const leastTiles = 8

// shared chooses from sizes, the best first, those that have tiles enough for ranks to share out, of rows that boxes of other nests divide; where none has, the loop is better run step by step.
func (u *unit) shared(best []model.Weighed) (Product, error) {
	for _, x := range best {
		for more := int64(0); more < u.rows && x.Weight.Tiles >= leastTiles; more++ {
			u.Sizes = schedule.Sizes{H: x.Sizes.H, W: slices.Clone(x.Sizes.W), Start: x.Sizes.Start}
			u.Sizes.W[0] += more
			tiles, err := schedule.HybridTiles(u.Space, u.Cone, u.Sizes)
			if err != nil {
				return nil, err
			}
			if last := tiles.Phases[len(tiles.Phases)-1]; last.Space[0].Stride%u.rows == 0 {
				u.weighed = []model.Weighed{{Sizes: u.Sizes, Weight: x.Weight}} // nearly so
				return u.Sizes, nil
			}
		}
	}
	return nil, diag.List{{Code: "HX311", At: u.Scop.Start(), Msg: fmt.Sprintf("arrays of this size have fewer than %d rows of tiles", leastTiles)}}
}

// sweepRows is at least how many rows tiles have of a sweep in a loop that ranks run: as few as leave several such tiles to each of a few ranks where arrays have some hundred rows.
const sweepRows = 16

// sizeForRanks chooses from sizes of parallelograms, the best first, those whose tiles need none of the time tile before but those beside them, and read no rows of memory beyond these, so that ranks exchange with their neighbours alone. In a loop that ranks run they have
// few rows, which boxes of other nests divide, and so few steps.
func (u *unit) sizeForRanks(best []model.Weighed) schedule.Sizes {
	legal := schedule.LegalH(u.Space.K)
	for more := int64(1); more <= 64; more *= 2 {
		for _, x := range best {
			s := schedule.Sizes{H: x.Sizes.H, W: slices.Clone(x.Sizes.W), Start: x.Sizes.Start}
			heights := []int64{s.H}
			if u.host != nil {
				s.W[0] = (sweepRows + u.rows - 1) / u.rows * u.rows
				heights = slices.DeleteFunc(slices.Clone(legal), func(h int64) bool { return h > s.H })
				slices.Reverse(heights)
			}
			s.W[0] *= more
			for _, s.H = range heights {
				if u.besideOnly(s) {
					return s
				}
			}
		}
	}
	return best[0].Sizes // which is refused
}

// besideOnly reports whether parallelograms of those sizes need no tiles of the time tile before but those beside them, and read no rows of memory beyond these.
func (u *unit) besideOnly(s schedule.Sizes) bool {
	far, ok := schedule.FarthestWait(u.Space, u.Cone, s)
	rows := u.rows
	if slices.ContainsFunc(u.Space.Places, func(at []schedule.Place) bool { return at[0].Down }) {
		rows++ // rows are counted from the last one, and tiles from the first
	}
	return ok && far <= 1 && schedule.Lean(u.Cone, s)+rows <= s.W[0]
}

// hosted tells units of what stands around them, and how wide boxes are that ranks share out.
func (f *file) hosted(res *frontend.Result) {
	f.hosts = res.Hosts
	for _, u := range f.units {
		u.rows = ranks.RowsBetween(u.Scop)
	}
	if len(f.units) != len(res.Programs) {
		return // some are wrong
	}
	for _, h := range f.hosts {
		rows := int64(1)
		var of []*unit
		for i, p := range res.Programs {
			if slices.Contains(h.Programs, p) {
				of, rows = append(of, f.units[i]), max(rows, f.units[i].rows)
			}
		}
		for _, u := range of {
			u.host, u.rows = h, rows
		}
	}
}

// together checks that the nests of a host share out rows alike, and lets ranks have as much beside their own rows as any of the nests needs. It returns the nests, with what one has of what another has sent.
func (f *file) together(h *scop.Host) (*ranks.Loop, error) {
	var plans []*ranks.Plan
	for _, u := range f.units {
		if u.host == h {
			plans = append(plans, u.Ranks)
		}
	}
	widest, alike := ranks.WidestOf(plans)
	lo, hi := int64(0), int64(0)
	for _, p := range plans {
		for _, a := range p.Arrays {
			switch {
			case a.Dim >= 0 && a.Reversed():
				lo, hi = min(lo, -a.Hi), max(hi, -a.Lo)
			case a.Dim >= 0:
				lo, hi = min(lo, a.Lo), max(hi, a.Hi)
			}
		}
	}
	rows := map[string]*ranks.Array{} // by variable: a nest's array that it leads to
	type needed struct {
		key string
		err error
	}
	sized, unsized := map[string]bool{}, []needed{}
	for _, p := range plans {
		no := func(d diag.Diagnostic, format string, args ...any) (*ranks.Loop, error) {
			d.Code, d.Msg = "HX311", "ranks cannot share out the region: "+fmt.Sprintf(format, args...)
			return nil, f.origin.Moved(diag.List{&d})
		}
		if _, _, ok := p.TileAt(plans[widest]); !alike && !ok {
			return no(diag.Diagnostic{At: p.Scop().Start(), Help: "leave --tile and --strategy out, or give w0 alike"}, "its nests have tiles of different rows")
		}
		for _, a := range p.Arrays {
			switch {
			case a.Dim >= 0 && (a.Array.Origin != nil || a.Array.Shared): // others each rank has as they are
				return no(diag.Diagnostic{At: a.Array.Pos, Help: "let each array be an object of its own, A[n][m], with a pointer to its first element"}, "array %s begins inside of an object, or is members of structs of several types", a.Array.Name)
			case a.Dim > len(a.Array.Extents)-len(a.Array.ObjectExtents()) || a.Ring && !a.Reversed():
				return no(diag.Diagnostic{At: a.Array.Pos, Help: "let the first dimension of arrays be that along which neighbours are read: A[n][m] and B[n][m] in place of A[2][n][m]"},
					"array %s is shared out along another dimension than the first", a.Array.Name)
			}
			for _, v := range h.Variables {
				if !v.LeadsTo(a.Array) {
					continue
				}
				key := v.Name
				if v.Set {
					key = "*" + v.Cast // those exchange with each other
				}
				for d, e := range a.Array.Extents {
					switch name := h.UnknownIn(p.Scop(), e); {
					case name == "" && d == 0:
						sized[key] = true
					case name != "":
						_, err := no(diag.Diagnostic{At: a.Array.Pos, Help: "let arrays have sizes that are known where the region begins, and that it leaves alone"}, "how large array %s is depends on '%s', which the region sets, or takes from an array", a.Array.Name, name)
						if d > 0 {
							return nil, err
						}
						unsized = append(unsized, needed{key, err}) // where another nest says how many rows there are, this one may use some of them
					}
				}
				first := rows[key]
				if first == nil {
					rows[key] = &a
				} else if rowText(first.Array, plans) != rowText(a.Array, plans) || (first.Dim < 0) != (a.Dim < 0) {
					return no(diag.Diagnostic{At: a.Array.Pos, Help: "use the array with the same rows everywhere, and let the outermost loop of each nest run over them"}, "nests use '%s' with different rows, or only some of them share it out", v.Name)
				}
			}
		}
	}
	for _, x := range unsized {
		if !sized[x.key] {
			return nil, x.err
		}
	}
	loop, err := ranks.MakeLoop(plans, around(h))
	for _, p := range plans {
		for i, a := range p.Arrays {
			if a.Dim >= 0 {
				p.Arrays[i].Lo, p.Arrays[i].Hi = lo, hi
			}
		}
	}
	return loop, err
}

// around says what is known of the nests of a host.
func around(h *scop.Host) ranks.Around {
	return ranks.Around{
		Fixed: func(q scop.Param) (string, bool) {
			return q.Source(), q.Of == nil && slices.ContainsFunc(h.Variables, func(v scop.HostVariable) bool {
				return v.Name == q.Source() && v.Decl == "" && !v.Set && !v.Hidden
			})
		},
		Same: func(x, y *scop.Array) bool {
			for _, v := range h.Variables {
				for _, w := range h.Variables {
					if v.LeadsTo(x) && w.LeadsTo(y) && (v.Name == w.Name || v.Set && w.Set && v.Cast == w.Cast) {
						return true
					}
				}
			}
			return x == y
		},
	}
}

// rowText returns what one row of an array is, in names of the source.
func rowText(a *scop.Array, plans []*ranks.Plan) (text string) {
	for _, p := range plans {
		if slices.Contains(p.Scop().Arrays, a) {
			extents := a.ObjectExtents()
			for _, e := range extents[min(1, len(extents)):] {
				text += fmt.Sprintf("[%d", e.Const)
				for i, c := range e.Params {
					if c != 0 {
						text += fmt.Sprintf(" + %d * %s", c, p.Scop().Params[i].Source())
					}
				}
				text += "]"
			}
		}
	}
	return text
}

// OnRanks returns what runs region number on several ranks, in files of that base, and how it is called: C, or, of a nest of a loop that ranks run, the nest by itself.
func (r *Result) OnRanks(number int, base string) (openmp.File, mpitext.Call) {
	if call := r.C.MPI[number]; call.Function != "" {
		return r.C, call
	}
	u := r.Regions[number]
	names := openmp.Names{Base: base, Region: u.Scop.Region.Index, MPI: true}
	alone := openmp.PrintMPI([]openmp.Part{{Program: u.CPU, Ranks: u.Ranks, Names: names}})
	return alone, alone.MPI[0]
}
