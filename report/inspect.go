package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// roles and kinds are the words for schedule.Role and schedule.Kind.
var (
	roles = [...]string{schedule.Host: "host", schedule.Block: "block", schedule.Seq: "seq", schedule.Thread: "thread", schedule.Wave: "wave"}
	kinds = [...]string{schedule.Flow: "flow", schedule.Anti: "anti", schedule.Output: "output"}
)

// Inspect collects what p holds, and proves the order when ready.
func Inspect(p Products) *Inspection {
	in := collect(p)
	if in.Ready != nil {
		in.Ready.prove(p, schedule.WhenReady(p.Schedule, p.slopes()))
	}
	return in
}

// collect is Inspect without those proofs.
func collect(p Products) *Inspection {
	in := &Inspection{Version: Version, Target: cmp.Or(p.Target, "cuda")}
	if p.Scop != nil {
		in.program(p.Scop)
		in.transfers(p)
		in.Arithmetic = arithmeticOf(p.Scop)
		in.Regrouped = regroupedOf(p.Regrouped, p.Scop)
		in.Folding = foldingOf(p.Folded)
		in.Fission = fissionOf(p.Fission, p.Scop)
		in.Inlined = inlinedOf(p.Inlined, p.Scop)
	}
	if p.Space != nil {
		in.SpaceNames = slices.Clone(p.Space.Space)
		for i, m := range p.Space.Maps {
			in.Statements[i].Place = m.String()
		}
		for i, d := range p.Deps {
			in.Dependences = append(in.Dependences, dependence(i+1, d, p.Space))
		}
		for i := range p.Cone.Hi {
			hi := ""
			if p.Cone.Hi[i] != nil {
				hi = ratText(p.Cone.Hi[i])
			}
			in.Cone = append(in.Cone, Slope{p.Space.Space[i], ratText(p.Cone.Lo[i]), hi})
		}
	}
	if p.Space != nil {
		g := graphOf(p)
		if in.Graph = graphData(g, p.Schedule); g != nil {
			in.Graph.Fusions = fusionsOf(p, g)
		}
		in.Moves = moves(p.Space)
		for level := range p.Space.K {
			in.Levels = append(in.Levels, levelNames(p.Space, level))
		}
	}
	in.Strategy = strategyOf(p)
	if p.Choice != nil {
		in.Choice = choiceOf(p.Choice)
	}
	if p.Schedule != nil {
		in.Tile = tileOf(p.Schedule, p.Cone)
		in.Schedule = orderOf(p.Schedule)
		in.Ready = readyOf(schedule.WhenReady(p.Schedule, p.slopes()))
		in.Ready.fronts = p.GPU != nil && p.GPU.Fronts != nil && p.GPU.Pipeline() != nil
		if p.onCPU() {
			in.inThreads(p)
		}
		switch {
		case in.Ranking != nil:
			in.Ranks = ranksOf(p.Ranks, p.Together, in.Ranking.Grid)
		case in.Choice != nil:
			in.Ranks = ranksOf(p.Ranks, p.Together, in.Choice.Grid)
		default:
			in.Ranks = ranksOf(p.Ranks, p.Together, nil)
		}
	}
	in.Loops = p.Loops
	for _, x := range p.Proofs {
		in.Proofs = append(in.Proofs, proof(x))
	}
	if p.GPU != nil {
		for _, k := range p.GPU.Kernels {
			in.Kernels = append(in.Kernels, kernelOf(k))
		}
		in.Remarks = slices.Clone(p.GPU.Remarks)
		in.Pipeline = pipelineOf(p)
		in.Wishes = append(in.Wishes, p.Kept...)
	}
	in.Derivation = derivationOf(p, in)
	return in
}

func (in *Inspection) program(p *scop.Program) {
	in.File, in.Function, in.Time = p.File, p.Function, p.Time
	in.FirstLine, in.LastLine = p.UserLines()
	for _, f := range p.Signature.Parameters {
		in.Signature = append(in.Signature, Formal{f.Name, f.Type, f.Leads})
	}
	in.Fused = p.Fusions
	in.Context = p.Context.String()
	var params []string
	for _, x := range p.Params {
		in.Params = append(in.Params, Variable{x.Name, x.Type.String()})
		params = append(params, x.Name)
	}
	for _, x := range p.Scalars {
		in.Scalars = append(in.Scalars, Variable{x.Name, x.Type.String()})
	}
	for _, a := range p.Arrays {
		array := Array{Name: a.Name, Type: a.Elem.String(), Const: a.Const}
		for _, e := range a.Extents {
			array.Extents = append(array.Extents, affineText(e, nil, params))
		}
		in.Arrays = append(in.Arrays, array)
	}
	for _, s := range p.Stmts {
		in.Statements = append(in.Statements, statement(s, params))
	}
}

func statement(s *scop.Stmt, params []string) Statement {
	out := Statement{Name: s.Name, Line: s.Pos.Line, Iterators: slices.Clone(s.Iters), Text: s.Text, Domain: s.Domain.String()}
	for _, a := range s.Accesses {
		out.Accesses = append(out.Accesses, Access{
			Array: a.Array.Name, Text: a.Text, Element: element(a, s, params), Write: a.Write, Line: a.Pos.Line, Map: a.Map.String(),
		})
	}
	return out
}

// element writes what a touches, such as A[(t+1)%2][i-1].
func element(a *scop.Access, s *scop.Stmt, params []string) string {
	text := a.Array.Name
	for _, x := range a.Index {
		sub := affineText(x.Affine, s.Iters, params)
		switch {
		case x.Mod == 0:
		case strings.ContainsAny(sub, "+-*"):
			sub = fmt.Sprintf("(%s)%%%d", sub, x.Mod)
		default:
			sub = fmt.Sprintf("%s%%%d", sub, x.Mod)
		}
		text += "[" + sub + "]"
	}
	return text
}

func dependence(number int, d schedule.Dependence, c *schedule.Canonical) Dependence {
	text, nearest := distance(d, c)
	params := make([]string, len(c.Scop.Params))
	for i, p := range c.Scop.Params {
		params[i] = p.Name
	}
	return Dependence{
		Number: number, Kind: kinds[d.Kind],
		Source:   Place{d.Src.Name, element(d.SrcAccess, d.Src, params), d.SrcAccess.Pos.Line},
		Target:   Place{d.Dst.Name, element(d.DstAccess, d.Dst, params), d.DstAccess.Pos.Line},
		Distance: text, Nearest: nearest,
		Map: d.Map.String(),
	}
}

func moves(c *schedule.Canonical) (ms []Move) {
	for _, m := range c.Moves {
		for i, by := range m.By {
			if by != 0 {
				ms = append(ms, Move{c.Space[m.Dim], c.Scop.Stmts[i].Name, by, m.Shares})
			}
		}
	}
	return ms
}

func proof(p schedule.Proof) Proof {
	out := Proof{Name: p.Name, Holds: p.Holds, Claim: p.Claim, Tests: p.Tests, Unit: cmp.Or(p.Unit, "emptiness test"), Undecided: p.Undecided, Violation: p.Violation}
	for _, q := range p.Questions {
		out.Questions = append(out.Questions, Question{q.Text, q.Holds, q.Tests})
	}
	return out
}

func tileOf(s *schedule.Schedule, cone schedule.Cone) *Tile {
	t := &Tile{Scheme: s.Scheme, Height: s.Height, H: s.Sizes.H, W: slices.Clone(s.Sizes.W), Points: tilePoints(s), Stream: -1}
	if x := s.Stream(); x != nil {
		t.Stream = x.Dim
	}
	if bs, ok := hexagonOf(s, cone); ok {
		for _, b := range bs {
			t.Inequalities = append(t.Inequalities, Inequality{b.Number, b.General, b.String()})
		}
	}
	for _, ph := range s.Phases {
		phase := Phase{TimeShift: ph.TimeShift}
		for _, d := range ph.Space {
			phase.Dims = append(phase.Dims, TileDim{d.Tile, d.Point, roles[d.Role], d.Stride, d.Drift, d.Offset, slices.Clone(d.Lo), slices.Clone(d.Hi)})
		}
		t.Phases = append(t.Phases, phase)
	}
	if s.Overlaps() {
		t.Boxes = boxesOf(s)
	}
	for _, a := range s.Temporaries {
		t.Temporaries = append(t.Temporaries, a.Name)
	}
	return t
}

// wayOf returns the order of points of a column, "" if there is none.
func wayOf(w schedule.Way) string {
	if w == schedule.Any {
		return ""
	}
	return w.String()
}

// boxesOf returns the boxes of statements, by step.
func boxesOf(s *schedule.Schedule) (all []StmtBox) {
	for a := range s.Height {
		for _, st := range s.Canonical.At(int(a) % s.Canonical.K) {
			for i, ph := range s.Phases {
				if b := ph.Box(st, a); b.Lo[0] <= b.Hi[0] {
					delay := int64(0)
					if ph.Stream != nil {
						delay = ph.Stream.Delay(st, a)
					}
					all = append(all, StmtBox{st.Name, i, a, slices.Clone(b.Lo), slices.Clone(b.Hi), delay, wayOf(s.Canonical.Way(st))})
				}
			}
		}
	}
	return all
}

// tilePoints counts the points of a full tile of the first phase.
func tilePoints(s *schedule.Schedule) (n int64) {
	for a := range s.Height {
		row := int64(1)
		for _, d := range s.Phases[0].Space {
			row *= max(0, d.Hi[a]-d.Lo[a]+1)
		}
		n += row
	}
	return n
}

func orderOf(s *schedule.Schedule) *Order {
	o := &Order{Map: s.Map.String()}
	if s.Fronts != nil {
		o.Fronts = strings.Split(strings.TrimSpace(s.Fronts.Text(s.Canonical.Space)), "\n")
	}
	for _, d := range s.Dims {
		o.Dims = append(o.Dims, OrderDim{d.Name, roles[d.Role]})
	}
	return o
}

func strategyOf(p Products) Strategy {
	out := Strategy{Name: p.Strategy}
	o := p.Outlook
	if o == nil || o.Grid.Points == 0 {
		return out
	}
	of, kept := 1e-12, o.Of(p.Strategy)
	if p.Streams != nil {
		kept = o.Streams
	}
	if out.Unit = "ps"; !o.Seconds {
		out.Unit, of = "plain loops", o.Untiled.PerPoint
	}
	if better, why := o.Better(); better == kept {
		out.Why = why
	}
	if p.Streams != nil {
		out.Why = "the model finds that faster than tiles in shared memory"
	}
	out.Doubts = o.Doubts(kept)
	for _, x := range []struct {
		way string
		e   *model.Expected
	}{{"hybrid", o.Hybrid}, {"streaming", o.Streams}, {"overlapped", o.Overlapped}, {"space", o.Space}, {"untiled", o.Untiled}} {
		if x.e == nil {
			continue
		}
		out.Expected = append(out.Expected, expectedOf(x.way, x.e, of))
	}
	return out
}

// expectedOf returns what is expected of a way, in a unit.
func expectedOf(way string, x *model.Expected, unit float64) Expected {
	e := Expected{Way: way, Ready: x.Ready, Stream: -1, H: schedule.NoHeight, W: slices.Clone(x.Sizes.W), Tiles: x.Tiles, PerPoint: x.PerPoint / unit}
	if way == "hybrid" || way == "streaming" {
		e.H = x.Sizes.H
	}
	if x.Sizes.Stream != nil {
		e.Stream = *x.Sizes.Stream
	}
	if x.Other != nil {
		other := expectedOf(way, x.Other, unit)
		e.Other = &other
	}
	return e
}

func choiceOf(c *model.Choice) *Choice {
	out := &Choice{Arch: c.Arch, Part: c.Part, Budget: c.Budget, Tried: c.Tried, Counted: c.Counted, Ready: c.Ready}
	if c.Other != nil {
		other := expectedOf("hybrid", c.Other, 1e-12)
		out.Other = &other
	}
	for _, v := range c.Grid.Values {
		out.Grid = append(out.Grid, GridValue{v.Name, v.Value, v.From})
	}
	for _, x := range c.Best {
		n := x.Counts
		out.Best = append(out.Best, Candidate{
			H: x.Sizes.H, W: slices.Clone(x.Sizes.W), Points: n.Points, Loads: n.Loads, Stores: n.Stores, Bytes: n.Bytes,
			SharedBytes: n.SharedBytes, Steps: n.Steps, Threads: n.Threads, Registers: n.Registers,
			BlocksPerSM: x.Occupancy.Blocks, Limit: x.Occupancy.Limit, Waves: x.Cost.Waves, AtOnce: x.Cost.AtOnce, PicosPerPoint: 1e12 * x.Cost.PerPoint, Why: x.Why,
		})
	}
	return out
}

func kernelOf(k *gpu.Kernel) Kernel {
	c := countKernel(k)
	out := Kernel{Name: k.Name, Phase: k.Phase, Threads: k.Threads, Traffic: c.arrays, Counts: c.Counts}
	for _, b := range k.Shared {
		out.Shared = append(out.Shared, Buffer{b.Name, b.Array.Name, slices.Clone(b.Shape), b.Bytes()})
	}
	return out
}

// affineText writes an affine expression as C does.
func affineText(e scop.Affine, iters, params []string) string {
	coefs := slices.Concat(padded(e.Iters, len(iters)), padded(e.Params, len(params)))
	names := slices.Concat(iters, params)
	text := cLinear(coefs, names)
	switch {
	case text == "":
		return fmt.Sprint(e.Const)
	case e.Const > 0:
		return fmt.Sprintf("%s+%d", text, e.Const)
	case e.Const < 0:
		return fmt.Sprintf("%s-%d", text, -e.Const)
	}
	return text
}

func padded(xs []int64, n int) []int64 {
	out := make([]int64, n)
	copy(out, xs)
	return out
}

// cLinear writes a sum such as 2*N-M; "" if it is empty.
func cLinear(coefs []int64, names []string) string {
	text := ""
	for i, c := range coefs {
		if c == 0 {
			continue
		}
		if c < 0 {
			text += "-"
		} else if text != "" {
			text += "+"
		}
		if abs(c) != 1 {
			text += fmt.Sprintf("%d*", abs(c))
		}
		text += names[i]
	}
	return text
}
