package hexcc

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file is about regions whose nests are several programs, in a loop that all ranks run: the nests share out the rows of arrays alike.

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

// together checks that the nests of a host share out rows alike, and lets ranks have as much beside their own rows as any of the nests needs.
func (f *file) together(h *scop.Host) error {
	var plans []*ranks.Plan
	for _, u := range f.units {
		if u.host == h {
			plans = append(plans, u.Ranks)
		}
	}
	lo, hi := int64(0), int64(0)
	for _, p := range plans {
		for _, a := range p.Arrays {
			if a.Dim >= 0 {
				lo, hi = min(lo, a.Lo), max(hi, a.Hi)
			}
		}
	}
	for _, p := range plans {
		no := func(at diag.Span, help, format string, args ...any) error {
			return diag.List{{Code: "HX311", At: at, Msg: "ranks cannot share out the region: " + fmt.Sprintf(format, args...), Help: help}}
		}
		if !p.OneByOne() || p.Width() != plans[0].Width() || p.FirstRow().Const != plans[0].FirstRow().Const {
			return no(p.Scop().Start(), "leave --tile and --strategy out, or give w0 alike", "its nests have boxes of different rows")
		}
		for i, a := range p.Arrays {
			if a.Dim < 0 {
				continue
			}
			if d := a.Dim - len(a.Array.Extents) + len(a.Array.ObjectExtents()); d != 0 || a.Ring {
				return no(a.Array.Pos, "let the outermost loop over space run along the first dimension of arrays, each of which has one plane: A[n][m] and B[n][m] in place of A[2][n][m]",
					"array %s is shared out along another dimension than the first", a.Array.Name)
			}
			p.Arrays[i].Lo, p.Arrays[i].Hi = lo, hi
		}
	}
	return nil
}
