// Package stream makes kernels whose rows stream through the registers of a pipeline of warps (gpu.Pipeline) of a schedule whose hexagons lie over time and
// the stride-one dimension. What does not fit is refused with a reason: other kernels run any schedule.
package stream

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// PeriodsAhead is how many periods before their use rows begin to be loaded, unless a shape says otherwise. Slots of a warp are for as many, and one more.
const PeriodsAhead = 2

// MostPeriodsAhead bounds that number.
const MostPeriodsAhead = 8

// A lowering is what all stages of a pipeline have in common.
type lowering struct {
	*tile
	shape       Shape
	device      machine.Device
	vars        gpu.PipelineVars
	names       astgen.Used
	origins     []int64 // by order of warps in time: the local coordinate of column 0 of lane 0 of the ring that they read
	across      int
	halo        int64 // how many of its last lines a warp passes on, at most
	rows        map[*scop.Stmt]*rowsOf
	rings       [][][]*gpu.Ring // by how many steps before those of a warp, less 1, number of the field, and line
	beside      map[besideKey]*gpu.Ring
	strips      []*gpu.Ring // those of beside, in the order in which they were made
	words       int         // that threads hold in registers from beat to beat, at most
	borderAhead bool        // the columns beside domains are brought ahead,
	linesAhead  bool        // and the lines
	crowded     bool        // registers do not suffice, however wide tiles are
}

// A besideKey says which line it is that comes from the strip before, or goes to the one behind: of a step of a warp, -1 the one before, and a field.
type besideKey struct {
	k, number int
	line      int64
	out       bool
}

// rowsOf are the constraints of a domain, over timeVar and placeVars.
type rowsOf struct {
	first []affine.Sum // of time alone, from below
	last  []affine.Sum // of time alone, from above
	space []affine.Sum
}

// Lower returns kernels that run the loops of p on d, by pipelines of that shape. Chains wait for each other as the schedule says; where they do not, a launch
// runs all chains of a phase, and the next one what needs them. why says why there are none.
func Lower(p *astgen.Program, d machine.Device, shape Shape) (out *gpu.Program, why string) {
	s := p.Schedule
	f, why := flowOf(s.Canonical)
	if why != "" {
		return nil, why
	}
	if s.Waits == nil && f.lined() {
		return nil, "strips of one phase wait for each other, and a launch runs all of a phase at once"
	}
	t, why := tileOf(f, s, shape)
	if why != "" {
		return nil, why
	}
	l, pipe, why := lowered(t, d, shape, append([]string{p.Names.T}, p.Names.Tiles...)...)
	if why != "" {
		return nil, why
	}
	loops(pipe, shape.Code)
	host := p.Body.(astgen.For)
	c := s.Canonical.Scop
	out = &gpu.Program{
		Scop: c, Device: d, T: host.Var, TLo: host.Lo, THi: host.Hi, Busy: astgen.Busy(c),
		Transfers: schedule.Transfers(c), Chains: s.Waits, Most: 1 << 40,
	}
	for _, n := range host.Body.(astgen.Block) {
		out.Kernels = append(out.Kernels, l.kernel(p, d, n.(astgen.Launch), pipe))
	}
	out.Remark("indices have 64 bits")
	return out, ""
}

// lowered makes the pipeline of a shape, with names that are not those given. In three dimensions warps bring the columns beside domains ahead where that takes no
// block its place: each line of a strip has some. So they do with lines.
func lowered(t *tile, d machine.Device, shape Shape, names ...string) (*lowering, *gpu.Pipeline, string) {
	made := func(columns, lines bool) (*lowering, *gpu.Pipeline, string) {
		l := newLowering(t, d, shape)
		l.borderAhead, l.linesAhead = columns, lines
		for _, n := range names {
			l.names[n] = true
		}
		if why := l.fit(); why != "" {
			return l, nil, why
		}
		p, why := l.pipeline()
		return l, p, why
	}
	if !t.lined() {
		return made(true, false)
	}
	l, p, why := made(true, true)
	for _, columns := range []bool{true, false} {
		other, q, no := made(columns, false)
		if no == "" && (why != "" || l.linesAhead && l.tight(p) || other.blocks(q) > l.blocks(p)) {
			l, p, why = other, q, ""
		}
	}
	return l, p, why
}

// tight reports whether a block that runs p is not known to have room for what turns test that are not full.
func (l *lowering) tight(p *gpu.Pipeline) bool {
	return l.across > 1 && p.SharedBytes()+guards(p) > int64(l.device.SharedBytes)
}

// blocks returns how many blocks that run p a multiprocessor holds.
func (l *lowering) blocks(p *gpu.Pipeline) int {
	return l.device.Occupancy(p.Threads(), l.registers(p), p.SharedBytes()).Blocks
}

// Chains returns how the tiles of s wait for each other where their rows stream: in three dimensions each strip of lines is a chain of its own.
func Chains(s *schedule.Schedule, cone schedule.Cone) (c schedule.Chains, ok bool) {
	if len(s.Canonical.Space) == 3 {
		return schedule.FindStrips(s, cone)
	}
	return schedule.FindChains(s, cone, 1)
}

func newLowering(t *tile, d machine.Device, shape Shape) *lowering {
	return &lowering{
		tile: t, shape: shape, across: shape.across(), device: d, names: astgen.UsedNames(t.space.Scop), rows: map[*scop.Stmt]*rowsOf{}, beside: map[besideKey]*gpu.Ring{},
	}
}

// fit checks what a pipeline of the shape can hold.
func (l *lowering) fit() (why string) {
	switch {
	case l.height != l.shape.Height():
		return fmt.Sprintf("a tile has %d steps, and %d warps of %d steps run %d", l.height, l.shape.Warps, l.shape.Steps, l.shape.Height())
	case l.before > int64(l.shape.Steps):
		return fmt.Sprintf("steps read what %d steps before have computed, more than a warp has", l.before)
	}
	for _, st := range l.space.Scop.Stmts {
		rows, why := l.domainOf(st)
		if why != "" {
			return why
		}
		l.rows[st] = rows
	}
	for _, rows := range l.steps {
		for _, r := range rows {
			l.halo = max(l.halo, r.halo)
			for _, u := range r.uses {
				if max(u.shift, -u.shift) > l.shape.Columns {
					return fmt.Sprintf("a step reads %d columns from its own, and a lane holds %d", max(u.shift, -u.shift), l.shape.Columns)
				}
			}
			if r.whole && r.step < l.height-int64(l.shape.Steps) {
				return fmt.Sprintf("all of step %d leaves, before the steps of the last warp", r.step)
			}
		}
	}
	var first *scop.Array
	for _, a := range l.space.Scop.Arrays {
		if l.space.Scop.Writes(a) {
			if a.Elem.IsNarrow() || a.Elem == scop.Half {
				return fmt.Sprintf("elements of %s have less than 32 bits", a.Name)
			}
			if first == nil {
				first = a
			}
			if a.Elem != first.Elem { // columns of all of them that enter a warp lie side by side in shared memory
				return fmt.Sprintf("elements of %s and %s have different types", first.Name, a.Name)
			}
		}
	}
	return ""
}

// domainOf returns the constraints of the domain of st.
func (l *lowering) domainOf(st *scop.Stmt) (rows *rowsOf, why string) {
	p := l.space.Scop
	var vars []affine.Sum
	for i := range st.Iters {
		vars = append(vars, poly.Out(i))
	}
	var all []poly.Formula
	rows = &rowsOf{}
	for _, b := range st.Bounds {
		all = append(all, poly.NotNegative(p.Sum(b, vars)))
		x := p.Sum(b, l.iters[st.Order])
		time, space := x.Coef(timeVar), x.Coef(placeVars[0]) != 0 || x.Coef(placeVars[1]) != 0 || x.Coef(placeVars[2]) != 0
		switch {
		case time != 0 && space:
			return nil, fmt.Sprintf("where %s runs changes with time", st.Name)
		case time > 0:
			rows.first = append(rows.first, x)
		case time < 0:
			rows.last = append(rows.last, x)
		default:
			rows.space = append(rows.space, x)
		}
	}
	for d, at := range l.placed[st.Order] { // where it has no loop, it is at one place
		if l.space.Places[st.Order][d].Iter < 0 {
			apart := affine.Var(placeVars[d]).Minus(at)
			rows.space = append(rows.space, apart, apart.Times(-1))
		}
	}
	if !poly.NewSet(p.ParamNames(), st.Tuple(), all...).IntersectParams(p.Context).IsSubset(st.Domain) {
		return nil, fmt.Sprintf("where %s runs is more than constraints on its loops say", st.Name)
	}
	return rows, ""
}

// iteration returns the iteration of the time loop that a step is of, counted from that of step 0.
func (l *lowering) iteration(step int64) int64 {
	return affine.Eval(affine.Floor(affine.Num(step), int64(l.space.K)), nil)
}

// pipeline makes the pipeline.
func (l *lowering) pipeline() (p *gpu.Pipeline, why string) {
	turn, slots := l.shape.turn(max(l.depth, 1))
	fresh := l.names.Fresh
	l.vars = gpu.PipelineVars{Time: fresh("time"), Column: fresh("column"), Beat: fresh("beat"), Last: fresh("last"), Warp: fresh("warp"), At: fresh("at")}
	every := everyBeats
	if l.lined() {
		l.vars.Line, every = fresh("line"), everyBeatsOfLines
	}
	if l.shape.Look > 0 {
		every = l.shape.Look
	}
	p = &gpu.Pipeline{
		Name: l.space.Scop.Function + "_rows", Vars: l.vars, Scop: l.space.Scop,
		Warps: l.shape.Warps * l.across, Steps: l.shape.Steps, Columns: l.shape.Columns, Period: l.shape.Period, Lines: l.shape.Lines, Across: l.across,
		Turn: turn, Slots: slots, Ahead: l.shape.ahead() * l.shape.Period, Every: turn * max(1, every/turn),
	}
	all := l.warps(l.shape)
	stages, why := l.stages(all)
	if why != "" {
		return nil, why
	}
	for j := range l.before {
		var fields [][]*gpu.Ring
		for q := int64(0); q <= int64(l.shape.Warps); q++ { // as many as any boundary between warps needs
			for number, r := range l.at(q*int64(l.shape.Steps) - 1 - j) {
				if number < len(fields) {
					continue
				}
				var rings []*gpu.Ring
				for line := range l.lines {
					rings = append(rings, &gpu.Ring{Name: fresh("rows"), Array: r.array, Numbers: l.number(line, l.shape.Warps, l.across)})
				}
				fields, p.Rings = append(fields, rings), append(p.Rings, rings...)
			}
		}
		l.rings = append(l.rings, fields)
	}
	l.origins = make([]int64, l.shape.Warps+1)
	for _, st := range stages {
		for _, w := range st.warps {
			l.origins[w.order+1] = affine.Eval(st.origin, map[string]int64{l.vars.Warp: int64(w.number)})
		}
	}
	l.origins[0] = l.origins[1] - stages[0].origin.Coef(l.vars.Warp)
	if why := l.shifts(); why != "" {
		return nil, why
	}
	for _, st := range stages {
		p.Stages = append(p.Stages, st.gpu(p))
	}
	if n := l.registers(p); n > l.device.RegistersPerThread {
		l.crowded = true
		return nil, fmt.Sprintf("a thread takes about %d registers, and has %d", n, l.device.RegistersPerThread)
	}
	for _, e := range p.Edges {
		if e.Elements > 2*gpu.WarpLanes {
			return nil, fmt.Sprintf("%d columns enter or leave the steps of a warp, more than %d", e.Elements, 2*gpu.WarpLanes)
		}
	}
	if why := l.copies(p, all); why != "" {
		return nil, why
	}
	p.Rings = append(p.Rings, l.strips...)
	p.Full = l.full(p)
	if n := p.SharedBytes(); l.device.SharedBytes > 0 && n > int64(l.device.SharedBytes) {
		return nil, fmt.Sprintf("a block takes %d bytes of shared memory, and %s has %d", n, l.device.Name, l.device.SharedBytes)
	}
	if l.squeezed(p) && l.device.Occupancy(p.Threads(), l.registers(p), p.SharedBytes()+guards(p)).Blocks < 2 {
		named, _ := l.needs(p)
		return nil, fmt.Sprintf("a thread takes about %d registers, and has %d, of one block at a time", named, l.device.RegistersPerThread)
	}
	return p, ""
}

// everyBeats is how many beats a block runs about between looks at what others have signalled. With several lines a beat takes longer, and chains are short:
// the next strip waits all the time.
const everyBeats, everyBeatsOfLines = 48, 6

// shifts checks that warps lie no further from the warps before them than a ring has room for.
func (l *lowering) shifts() (why string) {
	for q := range l.shape.Warps {
		if d := l.origins[q+1] - l.origins[q]; d > int64(l.shape.Columns) || -d > int64(l.shape.Columns) {
			return fmt.Sprintf("warp %d begins %d columns from the warp before, and a lane holds %d", q, d, l.shape.Columns)
		}
	}
	return ""
}

// copies makes what brings the rows before the first step in, and takes out those that leave whole; and the same of lines that strips pass on to those behind.
func (l *lowering) copies(p *gpu.Pipeline, all []warp) (why string) {
	period := int64(l.shape.Period)
	for j := range l.rings {
		for number, r := range l.at(-1 - int64(j)) {
			if r.need.empty() {
				continue
			}
			for v := range l.across {
				for line := range l.lines {
					c := gpu.RowCopy{Ring: l.ring(j, number, line), Number: l.number(line, 0, v), Warp: v}
					if why := l.copyIn(p, c, r, r.need, l.origins[0], line+l.lines*int64(v), -period*int64(v), period); why != "" {
						return why
					}
				}
			}
		}
	}
	for _, w := range all {
		if w.across > 0 {
			continue
		}
		for k := -len(w.incoming); k < len(w.own); k++ {
			rows := w.rows(k)
			for number, r := range rows {
				if r == nil {
					continue
				}
				for line := -r.halo; line < 0; line++ {
					need, delay := l.needOf(p, w, r, line)
					if need.empty() {
						continue
					}
					ring, from, distance := l.halos(k, number, line, w, delay)
					origin := l.origins[w.order+1]
					if l.across > 1 && k < 0 && w.order > 0 { // columns lie as in the ring between the warps
						origin = l.origins[w.order]
					}
					c := gpu.RowCopy{Halo: true, Ring: ring, Number: w.number + from, Warp: w.number}
					if why := l.copyIn(p, c, r, need, origin, line, -period*int64(w.order)-delay, distance); why != "" {
						return why
					}
				}
			}
		}
	}
	for j := range l.rings {
		for number, r := range l.at(l.height - 1 - int64(j)) {
			if r.whole {
				for v := range l.across {
					for line := range l.lines {
						c := gpu.RowCopy{Ring: l.ring(j, number, line), Number: l.number(line, l.shape.Warps, v), Warp: (l.shape.Warps-1)*l.across + v}
						l.copyOut(p, c, l.shape.Warps, l.shape.Warps+v, r, r.own, line+l.lines*int64(v))
					}
				}
			}
		}
	}
	for _, w := range all {
		if w.across < l.across-1 {
			continue
		}
		for k, rows := range w.own {
			for number, r := range rows {
				if r.whole {
					continue
				}
				for line := l.lines - r.halo; line < l.lines; line++ {
					c := gpu.RowCopy{Halo: true, Warp: w.number}
					if j := l.shape.Steps - 1 - k; j < len(l.rings) {
						c.Ring, c.Number = l.ring(j, number, line), l.number(line, w.order+1, w.across)
					} else {
						ring, to := l.outgoing(k, number, line, w)
						c.Ring, c.Number = ring, w.number+to
					}
					l.copyOut(p, c, w.order+1, w.behind()+1, r, interval{r.own.lo + r.leave[0], r.own.hi - r.leave[1]}, line+l.lines*int64(w.across))
				}
			}
		}
	}
	return ""
}

// rows returns those of a step of w, -1 for the last one before.
func (w warp) rows(k int) []*row {
	if k < 0 {
		return w.incoming[-1-k]
	}
	return w.own[k]
}

// needOf returns which columns of a line before the first one w reads, and how many beats later than other lines.
func (l *lowering) needOf(p *gpu.Pipeline, w warp, r *row, line int64) (need interval, delay int64) {
	need = none
	for _, u := range l.of(r, line) {
		if w.runs(u.step, l.shape) {
			if need.empty() || u.age < delay {
				delay = u.age
			}
			own := l.at(u.step)[0].own
			need = need.hull(interval{own.lo + int64(u.shift), own.hi + int64(u.shift)})
		}
	}
	if l.across > 1 {
		delay = min(delay, l.late(r.step >= w.first || w.order == 0, p.Slots))
	}
	return need, delay
}

// copyIn completes c, the copy of columns of a line of r to a number of a ring whose columns begin at origin, of a row so many beats from that of Beat. A
// warp would have written it at a distance of beats before it is read.
func (l *lowering) copyIn(p *gpu.Pipeline, c gpu.RowCopy, r *row, columns interval, origin, line, beats, distance int64) (why string) {
	if columns.lo < origin || columns.hi >= origin+l.shape.width() {
		return "the rows before the first step have more columns than a warp holds"
	}
	at := l.where(affine.Num(l.iteration(r.step)), affine.Num(r.offset+beats), affine.Num(r.base+line))
	x := l.useful(r, l.ahead(at, p.Ahead))
	column := affine.Var(l.vars.Column)
	c.In, c.Step, c.Line, c.Slots = true, r.step, r.base+line, copySlots(p, p.Ahead-int(distance))
	c.First, c.Origin, c.Count, c.Element, c.Guard = column.Add(columns.lo), column.Add(origin), int(columns.width()), x, x.Exists
	p.Copies = append(p.Copies, c)
	return ""
}

// copyOut completes c, the copy of columns of a line of r out of a number of a ring, which is for those that are order-th in time, so many periods behind the first warp.
func (l *lowering) copyOut(p *gpu.Pipeline, c gpu.RowCopy, order, periods int, r *row, columns interval, line int64) {
	at := l.where(affine.Num(l.iteration(r.step)), affine.Num(r.offset-int64(l.shape.Period*periods)), affine.Num(r.base+line))
	column := affine.Var(l.vars.Column)
	c.Step, c.Line, c.Slots = r.step, r.base+line, copySlots(p, -p.Period)
	c.First, c.Origin, c.Count = column.Add(columns.lo), column.Add(l.origins[order]), int(columns.width())
	c.Element, c.Guard = l.element(nil, r.write, at, r.field), l.domain(at, r.stmts...)
	p.Copies = append(p.Copies, c)
}

// copySlots returns, by beat of a turn, which slot warps write so many beats later.
func copySlots(p *gpu.Pipeline, later int) (all []int) {
	for r := range p.Turn {
		all = append(all, int(affine.Remainder(int64(r+later), int64(p.Slots))))
	}
	return all
}

// ring returns the ring for a line of a field of the step so many before those of a warp, less 1.
func (l *lowering) ring(j, number int, line int64) *gpu.Ring { return l.rings[j][number][line] }

// halos returns the ring for a line before the first one, of a step of a warp, how much further the number that it reads is than its own, and how many beats before
// it is written.
func (l *lowering) halos(k, number int, line int64, w warp, delay int64) (ring *gpu.Ring, from int, distance int64) {
	period := int64(l.shape.Period)
	switch {
	case l.across == 1:
		return l.strip(besideKey{k, number, line, false}), 0, period
	case k < 0 && w.order > 0:
		line += l.lines
		return l.ring(-1-k, number, line), l.number(line, w.order, w.across-1) - w.number, 2*period + delay
	}
	return l.strip(besideKey{k, number, line, false}), w.order, period + delay
}

// outgoing returns the ring for a line that the warps behind along the strip read, or the strip behind, and how much further the number is than that of the warp.
func (l *lowering) outgoing(k, number int, line int64, w warp) (ring *gpu.Ring, to int) {
	if l.across == 1 {
		return l.strip(besideKey{k, number, line, true}), 0
	}
	return l.strip(besideKey{k, number, line - l.lines, false}), w.order + 1
}

func (l *lowering) strip(key besideKey) *gpu.Ring {
	r := l.beside[key]
	if r == nil {
		name := "halo"
		if key.out {
			name = "passed"
		}
		r = &gpu.Ring{Name: l.names.Fresh(name), Array: l.fields[0].array, Numbers: l.shape.Warps}
		switch {
		case l.across > 1 && key.k < 0: // what the first warps in time hand on
			r.Numbers = l.across + 1
		case l.across > 1: // what the strip before passes on, and what all warps across do
			r.Numbers *= l.across + 1
		}
		l.beside[key] = r
		l.strips = append(l.strips, r)
	}
	return r
}
