package stream

import (
	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file finds the columns next to the domain of a row that somebody reads: of a grid whose border keeps its values, the border. They are brought some beats
// ahead, as columns that enter are, so that a chain at the end of a grid waits for memory no more than others do.

// A margin is columns beside those that a row is computed in.
type margin struct {
	first affine.Sum // s0, over parameters
	count int64
}

// between returns between which places along a dimension instances of st are, over parameters, whatever the others and the time; ok: all of these are computed.
func (l *lowering) between(st *scop.Stmt, d int) (lo, hi affine.Sum, ok bool) {
	var los, his int
	for _, row := range l.rows[st].space {
		c := row.Coef(placeVars[d])
		rest := row.Without(placeVars[d])
		switch {
		case c == 0:
			continue
		case rest.Coef(placeVars[0]) != 0 || rest.Coef(placeVars[1]) != 0 || rest.Coef(placeVars[2]) != 0 || c != 1 && c != -1:
			return lo, hi, false
		case c == 1:
			lo, los = rest.Times(-1), los+1
		default:
			hi, his = rest, his+1
		}
	}
	return lo, hi, los == 1 && his == 1
}

// beyond returns the columns beside the domain of x that statements read: at its left and at its right. ok is false where they are not a number of
// columns, or not beside one interval.
func (l *lowering) beyond(x *field) (all []margin, apart affine.Sum, ok bool) {
	lo, hi, most, ok := l.beyondAlong(x, 0)
	if !ok {
		return nil, apart, false
	}
	for side, first := range []affine.Sum{lo.Add(-most[0]), hi.Add(1)} {
		if most[side] > 0 {
			all = append(all, margin{first, most[side]})
		}
	}
	return all, hi.Minus(lo).Add(2 - int64(l.shape.Columns)), true
}

// beyondAlong returns from where to where the domain of x is along a dimension, and how many places before and behind it statements read. ok is false where these are not a
// number, or not beside one interval.
func (l *lowering) beyondAlong(x *field, d int) (lo, hi affine.Sum, most [2]int64, ok bool) {
	if len(x.stmts) > 1 {
		return lo, hi, most, false
	}
	lo, hi, ok = l.between(x.stmts[0], d)
	if !ok {
		return lo, hi, most, false
	}
	for _, st := range l.space.Scop.Stmts {
		for _, src := range l.sources[st.Order] {
			if src.field != x {
				continue
			}
			from, to, ok := l.between(st, d)
			before, behind := lo.Minus(from).Add(src.apart[d]), to.Minus(hi).Add(-src.apart[d])
			if !ok || !before.IsNum() || !behind.IsNum() {
				return lo, hi, most, false
			}
			most[0], most[1] = max(most[0], before.Const), max(most[1], behind.Const)
		}
	}
	return lo, hi, most, true
}

// besides makes what the columns beside domains come by.
func (w *writer) besides(p *gpu.Pipeline) {
	edge := &gpu.Edge{Array: w.warps[0].own[0][0].array}
	cursor := &gpu.Cursor{}
	for k, rows := range w.warps[0].own {
		all := make([][]*gpu.Beside, len(rows))
		for number, r := range rows {
			for line := range w.lines {
				var b *gpu.Beside
				if w.borderAhead {
					b = w.besidesOf(p, k, number, line, r, edge, cursor)
				}
				all[number] = append(all[number], b)
			}
		}
		w.beside = append(w.beside, all)
	}
	switch n := cursor.Elements(); {
	case n == 0:
		return
	case n > gpu.WarpLanes: // more than there are lanes to bring them
		for _, rows := range w.beside {
			for _, all := range rows {
				clear(all)
			}
		}
		return
	}
	if w.linesAhead {
		w.farLines(p)
	}
	edge.Elements = cursor.Elements()
	edge.Name, cursor.Name = w.names.Fresh("margins"), w.names.Fresh("margin")
	w.margins, w.out.Margins, p.Edges = edge, cursor, append(p.Edges, edge)
}

// besidesOf adds those of a line of a row of step k to an edge, and to what is fetched.
func (w *writer) besidesOf(p *gpu.Pipeline, k, number int, line int64, r *row, edge *gpu.Edge, cursor *gpu.Cursor) *gpu.Beside {
	margins, apart, ok := w.beyond(r.field)
	if !ok || r.array.Elem != edge.Array.Elem {
		return nil
	}
	st, at := r.stmts[0], w.place(k, line)
	rows := w.rows[st]
	var space []affine.Sum // about rows
	for _, x := range rows.space {
		if x.Coef(placeVars[0]) == 0 {
			space = append(space, x)
		}
	}
	b := &gpu.Beside{Where: conj(at, rows.first, rows.last, space, []affine.Sum{apart}), Edge: edge}
	b.Alone = conj(at, rows.first, rows.last, space, []affine.Sum{apart}, w.lasts(st, r.field))
	for _, x := range w.times(r, at) { // where nobody reads the row, nor runs it
		b.Alone = append(b.Alone, []affine.Expr{x.Negated()})
	}
	own := w.ends(k, func(rows []*row) interval { return rows[number].own })
	for _, m := range margins {
		b.Margins = append(b.Margins, gpu.Margin{At: m.first, Count: int(m.count), Element: cursor.Elements()})
		x := w.useful(r, w.ahead(at, p.Ahead))
		column := affine.Var(w.vars.At).Minus(affine.Var(w.vars.Column))
		guard := astgen.Cond{append(append([]affine.Expr{}, x.Exists[0]...), column.Minus(own[0]), own[1].Minus(column))}
		first := w.warps[0].number
		cursor.Groups = append(cursor.Groups, gpu.Group{
			Count: int(m.count), Warps: gpu.Span{First: first, Last: first + len(w.warps) - 1}, At: m.first, Element: x, Guard: guard,
		})
	}
	return b
}
