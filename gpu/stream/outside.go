package stream

import (
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// This file finds the lines of a strip that lie beside the domain, in three dimensions: of a grid whose border keeps its values, the border at its top and its bottom. A strip that
// has such lines brings them some beats ahead, each warp its own:
//
//	step 0   line 0 is the border   1 to 3 are computed
//	step 1   line 0 is beyond it    line 1 is the border
//	step 2   0 and 1 are beyond it  line 2 is the border
//
// As many of a row as are read lie side by side, so that lines whose numbers have the same remainder by that many share a place in shared memory. So do warps across a strip.

// A farRow is the lines beside the domain of a row.
type farRow struct {
	before, behind affine.Sum   // s1 of the last line before the domain and the first one behind it
	apart          []affine.Sum // they are in no strip together
	rings          []*gpu.Ring  // by remainder of the line; none: nobody reads the row
}

// farLines makes what the lines beside domains come by, where columns beside all lines of a row do.
func (w *writer) farLines(p *gpu.Pipeline) {
	for k, rows := range w.beside {
		for number, all := range rows {
			if !slices.Contains(all, nil) {
				w.far = append(w.far, w.outsides(p, k, number, all)...)
			}
		}
	}
}

// outsides notes, in three dimensions, where lines of the row that step k has of a field are outside of its domain, and returns what brings those that are read. What comes beside all of
// them is known already.
func (w *writer) outsides(p *gpu.Pipeline, k, number int, all []*gpu.Beside) (fetches []gpu.FetchLine) {
	r := w.warps[0].own[k][number]
	far, most, ok := w.farRow(r)
	if !ok {
		return nil
	}
	own := w.ends(k, func(rows []*row) interval { return rows[number].own })
	for j := range most {
		far.rings = append(far.rings, &gpu.Ring{Name: w.names.Fresh("outer"), Array: r.array, Numbers: len(w.warps) / w.across})
		fetches = append(fetches, gpu.FetchLine{Ring: far.rings[j], Need: own})
	}
	for line, b := range all {
		at := w.place(k, int64(line))
		s1 := at[placeVars[1]]
		before, behind := far.before.Minus(s1), s1.Minus(far.behind)
		b.Outside = append(conj(nil, []affine.Sum{before}, far.apart), conj(nil, []affine.Sum{behind}, far.apart)...)
		b.Alone = append(b.Alone, b.Outside...)
		if most == 0 {
			continue
		}
		j := int64(line) % most
		b.Lines = far.rings[j]
		fetches[j].Lines = append(fetches[j].Lines, gpu.FarLine{
			Element: w.element(nil, r.write, w.ahead(at, p.Ahead), r.field),
			Where: append(conj(nil, []affine.Sum{before, before.Times(-1).Add(most - 1)}, far.apart),
				conj(nil, []affine.Sum{behind, behind.Times(-1).Add(most - 1)}, far.apart)...),
		})
	}
	p.Rings = append(p.Rings, far.rings...)
	return fetches
}

// farRow returns where the lines beside the domain of r are, and how many of them are read at one side at most. ok is false where they are not a number of lines beside one
// interval, or where lines with the same remainder are not those of one warp.
func (w *writer) farRow(r *row) (far farRow, most int64, ok bool) {
	lo, hi, counts, ok := w.beyondAlong(r.field, 1)
	if !ok {
		return far, 0, false
	}
	far = farRow{before: lo.Add(-1), behind: hi.Add(1)}
	if apart := hi.Minus(lo).Add(2 - w.lines*int64(w.across)); !apart.IsNum() {
		far.apart = []affine.Sum{apart}
	} else if apart.Const < 0 {
		return far, 0, false
	}
	if len(r.uses) > 0 {
		most = max(counts[0], counts[1])
	}
	return far, most, most == 0 || w.lines%most == 0
}

// fetchLines returns what brings the lines beside domains for a beat.
func (w *writer) fetchLines(p *gpu.Pipeline, beat int) (ops []gpu.WarpOp) {
	for _, op := range w.far {
		op.Slot = (beat + p.Ahead) % p.Slots
		ops = append(ops, op)
	}
	return ops
}
