package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints what a warp does in a beat.

func (b *beat) ops(ops []gpu.WarpOp) {
	for len(ops) > 0 {
		n := 1
		switch op := ops[0].(type) {
		case gpu.ReadRow:
			b.read(op)
		case gpu.WriteRow:
			b.write(op)
		case gpu.Exchange:
			b.Line("hexcc_exchange<%d, %d, %d, %d>(%s);", b.st.Rows[op.Row].Left, b.st.Columns, op.Left, op.Right, b.row(op.Row))
		case gpu.Evaluate:
			b.evaluate(op)
		case gpu.Patch:
			b.patch(op)
		case gpu.Fetch:
			b.fetch(op)
		case gpu.Enter:
			run := sequence(ops, func(e, f gpu.Enter) bool { return e.Row == f.Row && e.Edge == f.Edge && e.Slot == f.Slot })
			b.enter(run)
			n = len(run)
		case gpu.Leave:
			run := sequence(ops, func(e, f gpu.Leave) bool {
				return e.Row == f.Row && e.Edge == f.Edge && e.Slot == f.Slot
			})
			b.leave(run)
			n = len(run)
		case gpu.Put:
			b.put(op)
		case gpu.StoreColumn:
			b.storeColumn(op)
		default:
			panic(fmt.Sprintf("kerneltext: unknown operation %T of a warp", op))
		}
		ops = ops[n:]
	}
}

// sequence returns the ops at the beginning of ops that are like the first.
func sequence[T gpu.WarpOp](ops []gpu.WarpOp, like func(first, other T) bool) (run []T) {
	for _, op := range ops {
		x, ok := op.(T)
		if !ok || len(run) > 0 && !like(run[0], x) {
			break
		}
		run = append(run, x)
	}
	return run
}

// slotOf returns where the slot of a ring's number, or of a warp's edge, begins, and declares it under a name.
func (b *beat) slotOf(name, elem, qualifier string, r region, number, slot string) {
	b.Line("%s%s *const %s = (%s%s *)(hexcc_shared + %d) + (%s * %d + %s) * %d", qualifier, elem, name, qualifier, elem, r.at, number, b.st.Slots, slot, r.slot)
}

func (b *beat) read(op gpu.ReadRow) {
	r, elem, left := b.layout.rings[op.Ring.Name], op.Ring.Array.Elem.InMemory(), b.st.Rows[op.Row].Left
	from, warp := b.spelledName("from"), b.use(b.streamer.Vars.Warp)
	slot := b.slot("read", op.Ring.Name, op.Slot)
	row := b.row(op.Row)
	b.Braces("", func() {
		b.Line("const %s *const %s = (const %s *)(hexcc_shared + %d) + (%s * %d + %s) * %d + %d * %s;",
			elem, from, elem, r.at, warp, b.st.Slots, slot, r.slot, r.chunk, b.use(b.lane()))
		for c := range b.st.Columns / r.chunk {
			offsets := make([]string, b.st.Count)
			for q := range offsets {
				offsets[q] = fmt.Sprint(r.chunkAt(b.st.Columns, c+op.Shift[q]/r.chunk))
			}
			b.Line("hexcc_get<%d>(%s + %d, %s + %s);", r.chunk, row, left+c*r.chunk, from, b.byWarp(offsets))
		}
	})
}

// byWarp returns an expression for what differs by warp of the stage.
func (b *beat) byWarp(all []string) string {
	text, last := "", all[len(all)-1]
	for q, x := range all {
		if x != last {
			text += fmt.Sprintf("%s == %d ? %s : ", b.use(b.streamer.Vars.Warp), b.st.First+q, x)
		}
	}
	if text == "" {
		return last
	}
	return "(" + text + last + ")"
}

func (b *beat) write(op gpu.WriteRow) {
	r, elem, left := b.layout.rings[op.Ring.Name], op.Ring.Array.Elem.InMemory(), b.st.Rows[op.Row].Left
	to, warp := b.spelledName("to"), b.use(b.streamer.Vars.Warp)
	slot := b.slot("write", op.Ring.Name, op.Slot)
	row := b.row(op.Row)
	b.Braces("", func() {
		b.Line("%s *const %s = (%s *)(hexcc_shared + %d) + ((%s + 1) * %d + %s) * %d + %d * %s;",
			elem, to, elem, r.at, warp, b.st.Slots, slot, r.slot, r.chunk, b.use(b.lane()))
		for c := range b.st.Columns / r.chunk {
			b.Line("hexcc_put<%d>(%s + %d, %s + %d);", r.chunk, to, r.chunkAt(b.st.Columns, c), row, left+c*r.chunk)
		}
	})
}

// evaluate prints a step, as a call of the function for it.
func (b *beat) evaluate(op gpu.Evaluate) {
	p, st := b.streamer, op.Stmt
	s := p.scope()
	x := p.column()
	to, first := b.spelledName("to"), b.spelledName("first")
	var rows []int
	name := func(row int) string {
		n := slices.Index(rows, row)
		if n < 0 {
			n = len(rows)
			rows = append(rows, row)
		}
		return b.spelledName(fmt.Sprintf("from%d", n))
	}
	at := false // whether the point is asked for
	v := ctext.Valuer{Indexer: s.Indexer, Rounded: p.spelled.Dialect.Rounded, Halves: true, Function: p.spelled.Dialect.Function, Iters: map[string]affine.Expr{}}
	for i, iter := range st.Iters {
		v.Iters[iter] = op.Iters[i]
	}
	v.Read = func(a *scop.Access) string {
		o := op.Operands[slices.Index(st.Accesses, a)]
		if o.Element != nil {
			at = true
			element := s.ref(gpu.Ref{Array: o.Element.Array, Index: o.Element.Index})
			if exists := s.Cond(o.Element.Exists); exists != "" {
				return fmt.Sprintf("(%s || (%s) ? %s : 0)", s.use(p.full()), exists, element)
			}
			return element
		}
		return name(o.Row) + "[" + x + ctext.Plus(int64(b.st.Rows[o.Row].Left+o.Shift)) + "]"
	}
	inner := ctext.Printer{Depth: 2}
	aliased := slices.ContainsFunc(op.Operands, func(o gpu.Operand) bool { return o.Element == nil && o.Row == op.Row && o.Shift != 0 })
	if aliased {
		panic("kerneltext: a step sets a row while it reads other columns of it")
	}
	stores := 0
	for _, action := range st.Actions() {
		switch a := action.(type) {
		case scop.Let:
			inner.Line("%s", ctext.Let(a, st, a.Type.String(), s.Local[a.Name], v.Assigned(a.Value, true)))
		case scop.Store:
			inner.Line("%s[%s%s] = %s;", to, x, ctext.Plus(int64(b.st.Rows[op.Row].Left)), v.Assigned(a.Value, true))
			stores++
		}
	}
	if stores != 1 || len(st.When) > 0 {
		panic(fmt.Sprintf("kerneltext: %s sets no row", st.Name))
	}
	text := inner.Buf.String()
	at = at || s.Uses[p.Vars.At]
	s.Line("#pragma unroll")
	head := fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", x, x, p.Columns, x)
	if at || strings.Count(text, ";") > 1 {
		s.Braces(head, func() {
			if at {
				s.Line("const %v %s = %s + %s;", p.spelled.Index, p.Vars.At, first, x)
			}
			s.Raw(text)
		})
	} else {
		s.Line("%s", head)
		s.Raw(text)
	}
	delete(s.Uses, p.Vars.At)
	own := []param{{to, fmt.Sprintf("%s (&%s)[%d]", b.st.elem(op.Row), to, b.st.size(op.Row))}}
	args := map[string]string{to: b.row(op.Row)}
	for n, row := range rows {
		name := b.spelledName(fmt.Sprintf("from%d", n))
		own = append(own, param{name, fmt.Sprintf("const %s (&%s)[%d]", b.st.elem(row), name, b.st.size(row))})
		args[name] = b.row(row)
	}
	if at {
		own = append(own, param{first, p.spelled.Index.String() + " " + first})
		args[first] = b.lane0()
	}
	template := ""
	if s.Uses[p.full()] {
		template = p.template()
	}
	f := s.define("step", fmt.Sprintf("%s of all columns of a lane.", st.Name), template, "void", own)
	call := b.called(f, args)
	if template != "" {
		call = templated(call, f.name, p.full())
	}
	b.Line("%s;", call)
}

// patch prints what a turn that is not full does behind a step.
func (b *beat) patch(op gpu.Patch) {
	p := b.streamer
	s := p.scope()
	x, first, row := p.column(), b.spelledName("first"), b.spelledName("row")
	left := b.st.Rows[op.Row].Left
	at := fmt.Sprintf("%s[%s%s]", row, x, ctext.Plus(int64(left)))
	element := s.ref(gpu.Ref{Array: op.Element.Array, Index: op.Element.Index})
	domain := s.Cond(op.Domain)
	exists := and(s.Cond(conj(p.between(op.Need[0], op.Need[1])...)), s.Cond(op.Element.Exists))
	stored := []string{s.Cond(conj(p.between(op.Own[0], op.Own[1])...)), s.Cond(op.Final)}
	for _, c := range op.Stored {
		stored = append(stored, "!("+and(b.st.in(s, c.Warps), s.Cond(conj(p.between(c.Lo, c.Hi)...)))+")")
	}
	s.Line("#pragma unroll")
	s.Braces(fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", x, x, p.Columns, x), func() {
		s.Line("const %v %s = %s + %s;", p.spelled.Index, p.Vars.At, first, x)
		if domain != "" {
			s.Braces(fmt.Sprintf("if (!(%s))", domain), func() {
				s.Line("if (%s)", exists)
				s.Line("  %s = __ldcg(&%s); // the first cache may hold an old one", at, element)
			})
		}
		if s.Cond(op.Final) != "false" {
			head := ""
			if domain != "" {
				head = "else "
			}
			s.Line("%sif (%s)", head, and(stored...))
			s.Line("  %s = %s;", element, at)
		}
	})
	delete(s.Uses, p.Vars.At)
	own := []param{
		{row, fmt.Sprintf("%s (&%s)[%d]", b.st.elem(op.Row), row, b.st.size(op.Row))},
		{first, p.spelled.Index.String() + " " + first},
	}
	f := s.define("patch", "Takes what a step does not compute from memory, and stores what nobody else does.", "", "void", own)
	b.Line("if (!%s)", b.use(p.full()))
	b.Line("  %s;", b.called(f, map[string]string{row: b.row(op.Row), first: fmt.Sprintf("hexcc_anew(%s)", b.lane0())}))
}

// edge returns where an element of the warp's slot of an edge is.
func (b *beat) edge(e *gpu.Edge, slot string, element string) string {
	r := b.layout.edges[e.Name]
	return fmt.Sprintf("(%s *)(hexcc_shared + %d) + (%s * %d + %s) * %d%s", e.Array.Elem.InMemory(), r.at, b.use(b.streamer.Vars.Warp), b.st.Slots, slot, r.slot, element)
}

// enter prints columns that enter a row: elements that lie side by side are asked for at once.
func (b *beat) enter(run []gpu.Enter) {
	e := run[0].Edge
	r, slot, row := b.layout.edges[e.Name], b.slot("enter", e.Name, run[0].Slot), b.row(run[0].Row)
	left := b.st.Rows[run[0].Row].Left
	lo, hi := run[0].Element, run[0].Element
	for _, op := range run {
		lo, hi = min(lo, op.Element), max(hi, op.Element)
	}
	lo = lo / r.chunk * r.chunk
	hi = (hi/r.chunk + 1) * r.chunk
	got := b.spelledName("got")
	b.Braces("", func() {
		b.Line("%s %s[%d];", e.Array.Elem.InMemory(), got, hi-lo)
		for c := lo; c < hi; c += r.chunk {
			b.Line("hexcc_get<%d>(%s + %d, %s);", r.chunk, got, c-lo, b.edge(e, slot, ctext.Plus(int64(c))))
		}
		b.byLane(len(run), func(i int) string { return b.laneIs(run[i].Lane, run[i].Warps) }, func(i int) string {
			return fmt.Sprintf("%s[%d] = %s[%d];", row, left+run[i].X, got, run[i].Element-lo)
		})
	})
}

// laneIs returns the condition that the lane has a number, in some warps.
func (b *beat) laneIs(lane affine.Sum, w gpu.Span) string {
	return and(fmt.Sprintf("%s == %s", b.use(b.lane()), b.Expr(lane)), b.st.in(b.scope, w))
}

// byLane prints statements under conditions, those with the same one together.
func (b *beat) byLane(n int, cond, statement func(i int) string) {
	for i := 0; i < n; {
		var all []string
		c := cond(i)
		for ; i < n && cond(i) == c; i++ {
			all = append(all, statement(i))
		}
		if len(all) == 1 {
			b.Line("if (%s)", c)
			b.Line("  %s", all[0])
			continue
		}
		b.Braces("if ("+c+")", func() { b.Line("%s", strings.Join(all, " ")) })
	}
}

// leave prints columns that leave a row, two or more that lie side by side at once.
func (b *beat) leave(run []gpu.Leave) {
	e := run[0].Edge
	r, slot, row := b.layout.edges[e.Name], b.slot("leave", e.Name, run[0].Slot), b.row(run[0].Row)
	left := b.st.Rows[run[0].Row].Left
	slices.SortStableFunc(run, func(x, y gpu.Leave) int { return x.Element - y.Element })
	for i := 0; i < len(run); {
		n := 1
		for i+n < len(run) && n < r.chunk && run[i+n].Element == run[i].Element+n && run[i+n].X == run[i].X+n &&
			run[i+n].Warps == run[i].Warps && run[i+n].Lane.Equal(run[i].Lane) {
			n++
		}
		for n > 1 && (n&(n-1) != 0 || run[i].Element%n != 0) {
			n--
		}
		op := run[i]
		b.Line("if (%s)", b.laneIs(op.Lane, op.Warps))
		b.Line("  hexcc_put<%d>(%s, %s + %d);", n, b.edge(e, slot, ctext.Plus(int64(op.Element))), row, left+op.X)
		i += n
	}
}
