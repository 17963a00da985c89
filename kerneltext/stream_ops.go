package kerneltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
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
			r := b.st.Rows[op.Row]
			b.Line("%s;", b.generic("hexcc_exchange", r.Array, numbers(r.Left, b.st.Columns, op.Left, op.Right), b.row(op.Row)))
		case gpu.Evaluate:
			b.evaluate(op)
		case gpu.Patch:
			b.patchRow(op)
		case gpu.Fetch:
			b.fetch(op)
		case gpu.FetchLine:
			run := gpu.Alike(ops, func(gpu.FetchLine, gpu.FetchLine) bool { return true })
			b.fetchLines(run)
			n = len(run)
		case gpu.Enter:
			run := gpu.Alike(ops, func(e, f gpu.Enter) bool { return e.Row == f.Row && e.Edge == f.Edge && e.Slot == f.Slot })
			b.enter(run)
			n = len(run)
		case gpu.Leave:
			run := gpu.Alike(ops, func(e, f gpu.Leave) bool {
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

func (b *beat) read(op gpu.ReadRow) {
	r, elem, left := b.layout.rings[op.Ring.Name], op.Ring.Array.Elem.InMemory(), b.st.Rows[op.Row].Left
	from := b.spelledName("from")
	slot := b.slot("read", op.Ring.Name, op.Slot)
	row := b.row(op.Row)
	b.Braces("", func() {
		b.Line("%s *const %s = %s;", b.inShared("const "+elem), from, b.ring("const "+elem, op.Ring, op.From, slot, b.use(b.lane())))
		for c := range b.st.Columns / r.chunk {
			offsets := make([]string, b.st.Count)
			for q := range offsets {
				offsets[q] = fmt.Sprint(r.chunkAt(b.st.Columns, c+op.Shift[q]/r.chunk))
			}
			b.Line("%s;", b.generic("hexcc_get", op.Ring.Array, numbers(r.chunk), fmt.Sprintf("%s + %d", row, left+c*r.chunk), fmt.Sprintf("%s + %s", from, b.byWarp(offsets))))
		}
	})
}

// ring returns where the columns of a lane begin in a slot of the number of a ring that is so many further than that of the warp.
func (b *beat) ring(elem string, of *gpu.Ring, by int, slot, lane string) string {
	r, number := b.layout.rings[of.Name], b.use(b.streamer.Vars.Warp)
	if by != 0 {
		number = "(" + number + ctext.Plus(int64(by)) + ")"
	}
	return fmt.Sprintf("%s + (%s * %d + %s) * %d + %d * %s", b.sharedAt(elem, r.at), number, b.st.Slots, slot, r.slot, r.chunk, lane)
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
	to := b.spelledName("to")
	slot := b.slot("write", op.Ring.Name, op.Slot)
	row := b.row(op.Row)
	b.Braces("", func() {
		b.Line("%s *const %s = %s;", b.inShared(elem), to, b.ring(elem, op.Ring, op.To, slot, b.use(b.lane())))
		for c := range b.st.Columns / r.chunk {
			b.Line("%s;", b.generic("hexcc_put", op.Ring.Array, numbers(r.chunk), fmt.Sprintf("%s + %d", to, r.chunkAt(b.st.Columns, c)), fmt.Sprintf("%s + %d", row, left+c*r.chunk)))
		}
	})
}

// first prints what s0 of column 0 of the lane is.
func (b *beat) first() {
	first := b.spelledName("first")
	b.Line("const %v %s = %s ? %s : hexcc_anew(%s);", b.streamer.spelled.Index, first, b.use(b.full()), b.lane0(), b.lane0())
}

// idle returns where a patch has nothing to do, beside what has been fetched; nil: it always has.
func idle(op gpu.Patch) astgen.Cond {
	if op.Beside != nil {
		return op.Beside.Alone
	}
	return op.Inside
}

// unlessIdle returns the head of what a patch does where it may have something to do.
func (b *beat) unlessIdle(op gpu.Patch) string {
	head := "if (!" + b.use(b.full())
	switch {
	case b.st.stored(op):
		head += fmt.Sprintf(" && (%s || !%s)", b.use(b.final()), b.use(b.steady()))
	case b.st.steadies:
		head += " && !" + b.use(b.steady())
	}
	if c := idle(op); len(c) > 0 {
		if none, ok := b.none(c); ok {
			head += " && " + none
		}
	}
	return head + ")"
}

// need and final are the columns of a tile that a patch may take from memory, and those that it may store.
func need(op gpu.Patch) mask { return mask{within: &gpu.Columns{Lo: op.Need[0], Hi: op.Need[1]}} }

func final(op gpu.Patch) mask {
	return mask{within: &gpu.Columns{Lo: op.Own[0], Hi: op.Own[1]}, beside: op.Stored}
}

// element returns a pointer to an element in the first column of the lane.
func (b *beat) element(x gpu.Element) string {
	at := b.streamer.Vars.At
	if by := b.strideOf(x, at); by != "1" {
		panic(fmt.Sprintf("kerneltext: neighbours of a row of %s are %s elements apart", x.Array.Name, by))
	}
	first := b.spelledName("first")
	b.Alias[at] = first
	defer delete(b.Alias, at)
	return "&" + b.ref(gpu.Ref{Array: x.Array, Index: x.Index})
}

// evaluate prints a step, as a call of the function for it.
func (b *beat) evaluate(op gpu.Evaluate) {
	p, st := b.streamer, op.Stmt
	s := p.scope()
	x, first, bits := p.column(), b.spelledName("first"), b.spelledName("mask")
	var rows []int
	stored := map[int]bool{}
	name := func(row int) string {
		n := slices.Index(rows, row)
		if n < 0 {
			n = len(rows)
			rows = append(rows, row)
		}
		return b.spelledName(fmt.Sprintf("row%d", n))
	}
	in := func(o gpu.Operand) string {
		return name(o.Row) + "[" + x + ctext.Plus(int64(b.st.Rows[o.Row].Left+o.Shift)) + "]"
	}
	v := ctext.Valuer{Indexer: s.Indexer, Rounded: p.spelled.Dialect.Rounded, Halves: true, Function: p.spelled.Dialect.Function, Iters: map[string]affine.Expr{}, Places: p.spelled.Places}
	for i, iter := range st.Iters {
		v.Iters[iter] = op.Iters[i]
	}
	operand := func(a *scop.Access) gpu.Operand { return op.Operands[slices.Index(st.Accesses, a)] }
	v.Read = func(a *scop.Access) string {
		o := operand(a)
		if o.Element == nil {
			return in(o)
		}
		element := s.ref(gpu.Ref{Array: o.Element.Array, Index: o.Element.Index})
		if exists := s.Cond(o.Element.Exists); exists != "" {
			return fmt.Sprintf("((%s) ? %s : 0)", exists, element)
		}
		return element
	}
	inner := ctext.Printer{Depth: 2}
	actions := st.Actions()
	for _, action := range actions {
		switch a := action.(type) {
		case scop.Let:
			inner.Line("%s", ctext.Let(a, st, a.Type.String(), s.Local[a.Name], v.Assigned(a.Value, true)))
		case scop.Store:
			o := operand(a.To)
			value := v.Assigned(a.Value, true)
			stored[o.Row] = true
			inner.Line("%s = %s;", v.Target(in(o), a.To), value)
		}
	}
	for _, o := range op.Operands {
		if o.Element == nil && stored[o.Row] && o.Shift != 0 {
			panic("kerneltext: a step sets a row while it reads other columns of it")
		}
	}
	if len(stored) == 0 || len(st.When) > 0 {
		panic(fmt.Sprintf("kerneltext: %s sets no row", st.Name))
	}
	text := inner.Buf.String()
	at := s.Uses[p.Vars.At]
	from := s.Buf.Len()
	s.Line("#pragma unroll")
	head := fmt.Sprintf("for (int %s = 0; %s < %d; %s++)", x, x, p.Columns, x)
	body := func() {
		if at {
			s.Line("const %v %s = %s + %s;", p.spelled.Index, p.Vars.At, first, x)
		}
		s.Raw(text)
	}
	switch {
	case op.Border:
		s.Line("%s", head)
		s.Depth++
		s.Braces(fmt.Sprintf("if (%s >> %s & 1)", bits, x), body)
		s.Depth--
	case at || strings.Count(text, ";") > 1:
		s.Braces(head, body)
	default:
		s.Line("%s", head)
		s.Raw(text)
	}
	s.running(st, from)
	delete(s.Uses, p.Vars.At)
	var own []param
	args := map[string]string{}
	if op.Border {
		own = append(own, param{bits, "unsigned " + bits})
	}
	for n, row := range rows {
		name := b.spelledName(fmt.Sprintf("row%d", n))
		qualifier := "const "
		if stored[row] {
			qualifier = ""
		}
		own = append(own, b.st.rowParam(name, qualifier, row))
		args[name] = b.row(row)
	}
	if at {
		own = append(own, param{first, p.spelled.Index.String() + " " + first})
		args[first], b.asked = first, true
	}
	call := b.called(s.define("step", fmt.Sprintf("%s of all columns of a lane.", st.Name), "", "void", own), args)
	if !op.Border {
		b.Line("%s;", call)
		return
	}
	b.Braces(fmt.Sprintf("if (!%s)", b.use(b.full())), func() {
		b.Line("const unsigned %s = %s;", bits, b.columns(op.Domain, first, mask{}))
		b.Line("if (%s != 0)", bits)
		b.Line("  %s;", call)
	})
}

// patchRow prints what a turn that is not full does behind a step: what memory holds, or has been copied from there, replaces what was calculated, and what
// is stored for good leaves.
func (b *beat) patchRow(op gpu.Patch) {
	b.beside(op)
	b.outside(op)
	row, left := b.row(op.Row), b.st.Rows[op.Row].Left
	first, bits := b.spelledName("first"), b.spelledName("mask")
	b.Braces(b.unlessIdle(op), func() {
		b.first()
		take := fmt.Sprintf("(%s) & ~(%s)", b.columns(op.Element.Exists, first, need(op)), b.columns(op.Domain, first, mask{}))
		if op.Beside != nil {
			if none, ok := b.none(op.Beside.Where); ok {
				take = fmt.Sprintf("%s ? %s : 0u", none, take)
			}
		}
		taken := b.spelledName("take")
		if b.st.stored(op) {
			take = fmt.Sprintf("%s ? 0u : %s", b.use(b.steady()), take)
		}
		b.Line("const unsigned %s = %s;", taken, take)
		b.Line("if (%s != 0)", taken)
		b.Line("  %s;", b.generic("hexcc_load", op.Element.Array, numbers(b.st.Columns), fmt.Sprintf("%s + %d", row, left), taken, b.element(op.Element)))
		if op.Final != nil && len(op.Final) == 0 {
			return
		}
		b.Line("const unsigned %s = %s;", bits, b.columns(op.Final, first, final(op)))
		b.Braces(fmt.Sprintf("if (%s != 0)", bits), func() {
			b.Line("%s;", b.generic("hexcc_store", op.Element.Array, numbers(b.st.Columns), b.element(op.Element), fmt.Sprintf("%s & (%s)", bits, b.columns(op.Domain, first, mask{})), fmt.Sprintf("%s + %d", row, left)))
		})
	})
}

// edge returns where an element of the warp's slot of an edge is.
func (b *beat) edge(e *gpu.Edge, slot string, element string) string {
	r := b.layout.edges[e.Name]
	return fmt.Sprintf("%s + (%s * %d + %s) * %d%s", b.sharedAt(e.Array.Elem.InMemory(), r.at), b.use(b.streamer.Vars.Warp), b.st.Slots, slot, r.slot, element)
}

// enter prints columns that enter a row: elements that lie side by side are asked for at once.
func (b *beat) enter(run []gpu.Enter) {
	e := run[0].Edge
	r, slot, row := b.layout.edges[e.Name], b.slot("enter", e.Name, run[0].Slot), b.row(run[0].Row)
	left := b.st.Rows[run[0].Row].Left
	got := b.spelledName("got")
	x := b.entering(run, r.chunk)
	b.Braces("", func() {
		b.Line("%s %s[%d];", e.Array.Elem.InMemory(), got, x.count)
		from := x.from[0]
		at := ctext.Plus(int64(from))
		if apart := x.from[1] - from; apart != 0 {
			at += fmt.Sprintf(" + (%s < %d ? 0 : %d)", b.use(b.lane()), gpu.WarpLanes/2, apart)
		}
		for c := 0; c < x.count; c += x.chunk {
			b.Line("%s;", b.generic("hexcc_get", e.Array, numbers(x.chunk), fmt.Sprintf("%s + %d", got, c), b.edge(e, slot, at)+ctext.Plus(int64(c))))
		}
		b.byLane(len(run), func(i int) string { return b.laneIs(run[i].Lane, run[i].Warps) }, func(i int) string {
			return fmt.Sprintf("%s[%d] = %s[%d];", row, left+run[i].X, got, run[i].Element-x.from[max(0, b.half(run[i]))])
		})
	})
}

// An entering is what lanes load of the elements that enter a row: as many from one on, chunk by chunk. The lanes of each half of a warp begin with an element of their own.
type entering struct {
	from         [2]int
	count, chunk int
}

// entering returns what lanes load for a run. Columns that enter at the left side of a hexagon are in the first half of the lanes, those at the right side in the other one, so
// that each half needs those of one side alone.
func (b *beat) entering(run []gpu.Enter, chunk int) entering {
	lo, hi := [2]int{1 << 30, 1 << 30}, [2]int{}
	for _, op := range run {
		h := b.half(op)
		if h < 0 {
			return b.alike(run, chunk)
		}
		lo[h], hi[h] = min(lo[h], op.Element), max(hi[h], op.Element+1)
	}
	n := hi[0] - lo[0]
	if n <= 0 || n != hi[1]-lo[1] {
		return b.alike(run, chunk)
	}
	for lo[0]%chunk != 0 || lo[1]%chunk != 0 || n%chunk != 0 {
		chunk /= 2
	}
	return entering{lo, n, chunk}
}

// alike is entering where all lanes load the same.
func (b *beat) alike(run []gpu.Enter, chunk int) entering {
	lo, hi := run[0].Element, run[0].Element
	for _, op := range run {
		lo, hi = min(lo, op.Element), max(hi, op.Element)
	}
	lo = lo / chunk * chunk
	return entering{[2]int{lo, lo}, (hi/chunk+1)*chunk - lo, chunk}
}

// half returns which half of the lanes a column enters in all warps of the stage: 0 or 1, or -1 where that differs.
func (b *beat) half(op gpu.Enter) (h int) {
	v := b.streamer.Vars.Warp
	at := func(warp int) int64 { return affine.Eval(op.Lane, map[string]int64{v: int64(warp)}) }
	first, last := at(b.st.First), at(b.st.First+b.st.Count-1)
	switch {
	case max(first, last) < gpu.WarpLanes/2:
		return 0
	case min(first, last) >= gpu.WarpLanes/2:
		return 1
	}
	return -1
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
		b.Line("  %s;", b.generic("hexcc_put", e.Array, numbers(n), b.edge(e, slot, ctext.Plus(int64(op.Element))), fmt.Sprintf("%s + %d", row, left+op.X)))
		i += n
	}
}
