package schedule

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// A Plan is what a user fixed of a schedule, in a file. The zero Plan fixes
// nothing: all is found from the program. What a Plan fixes is proved like
// everything else.
type Plan struct {
	File  string // "": there is no file
	Sizes *Sizes // nil: to be chosen
	// Strategy names the scheme: "space", "untiled", "wavefront", "overlapped", or "" for hybrid.
	Strategy string
	Layout   Layout
	Slopes   []Slopes // by space dimension; nil: from the dependences
	// Starts say, by phase and then for tau, s0, .., where the box of the tile
	// with indices 0 begins, in terms of h, w0, .., f0 and f1; nil: as the paper does.
	Starts [2][]affine.Sum
	// Fronts are the weights by which parallelograms run on GPUs; nil: as few fronts as dependences allow.
	Fronts *Fronts
	// Groups are the launches of an iteration, where tiles overlap; nil: one, or to be chosen.
	Groups Groups
	// Boxes are what tiles that overlap compute of each statement at each of its steps; nil: what is read of it in the tile, as few points as that takes.
	Boxes []PlannedBox

	// Clauses say what is asked of kernels. What they mean is not known here.
	Clauses []Clause

	at map[string]diag.Span // the lines by their first word or two
}

// A Clause is one wish about kernels, such as registers(64).
type Clause struct {
	Name, Value string
	At          diag.Span
}

// Canonicalize is Layout.Canonicalize, with places in the file.
func (p Plan) Canonicalize(prog *scop.Program, deps []Dependence) (*Canonical, error) {
	c, err := p.Layout.Canonicalize(prog, deps)
	return c, p.locate(p.locate(err, "place"), "order")
}

// Cone returns the cone to tile for: the slopes of the plan, or BoundSkewed.
func (p Plan) Cone(c *Canonical, deps []Dependence) (Cone, error) {
	if p.Slopes == nil {
		return BoundSkewed(c, deps)
	}
	cone := Cone{Ordered: c.Ordered}
	if p.Strategy == waves { // whose file may have no slopes above
		if found, err := BoundSkewed(c, deps); err == nil {
			cone.Hi = found.Hi
		}
		for _, s := range p.Slopes {
			cone.Lo = append(cone.Lo, s.Lo)
		}
		return cone, nil
	}
	for _, s := range p.Slopes {
		cone.Lo, cone.Hi = append(cone.Lo, s.Lo), append(cone.Hi, s.Hi)
	}
	return cone, nil
}

// Hybrid is the function Hybrid, with tiles that start where the plan says. Of a
// loaded plan it does not ask whether w0 is wide enough: the proofs tell.
func (p Plan) Hybrid(c *Canonical, cone Cone, sizes Sizes) (*Schedule, error) {
	if p.File == "" {
		return Hybrid(c, cone, sizes)
	}
	if err := checkSizes(c, cone, sizes, func(Cone, int64) int64 { return 0 }); err != nil {
		return nil, p.locate(err, "tile")
	}
	y := assemble(c, cone, sizes)
	if err := p.move(&y); err != nil {
		return nil, err
	}
	s := y.schedule()
	s.Loaded = true
	return s, nil
}

// Space is the function Space, for a schedule that a file may have fixed.
func (p Plan) Space(c *Canonical, sizes Sizes) (*Schedule, error) { return p.boxes(Space, c, sizes) }

// Untiled is the function Untiled, for a schedule that a file may have fixed.
func (p Plan) Untiled(c *Canonical, sizes Sizes) (*Schedule, error) {
	return p.boxes(Untiled, c, sizes)
}

func (p Plan) boxes(scheme func(*Canonical, Sizes) (*Schedule, error), c *Canonical, sizes Sizes) (*Schedule, error) {
	s, err := scheme(c, sizes)
	if err != nil {
		return nil, p.locate(err, "tile")
	}
	s.Loaded = p.File != ""
	return s, nil
}

// move moves the tiles of y to where they start by the plan.
func (p Plan) move(y *hybrid) error {
	for phase, starts := range p.Starts {
		if starts == nil {
			continue
		}
		y.moved[phase] = make([]int64, len(y.c.Space))
		for dim, f := range starts {
			by := y.value(f) - y.value(usualStart(phase, dim))
			switch {
			case dim == 0 && by%int64(y.c.K) != 0:
				return diag.List{{Code: "HX207", At: p.at[fmt.Sprint("phase ", phase)],
					Msg:  fmt.Sprintf("phase %d begins at time %d, which is %d steps from where it usually does: that must be a multiple of the %d steps of an iteration of the time loop", phase, y.value(f), by, y.c.K),
					Help: fmt.Sprintf("write time = %v, or add a multiple of %d to it", usualStart(phase, 0), y.c.K)}}
			case dim == 0:
				y.hex.Moved[phase].t = by
			case dim == 1:
				y.hex.Moved[phase].s0 = by
			default:
				y.moved[phase][dim-1] = by
			}
		}
	}
	return nil
}

// usualStart returns where the box of the tile with indices 0 begins: in time
// for dim 0, else in space dimension dim - 1.
func usualStart(phase, dim int) affine.Sum {
	switch {
	case phase == 0 && dim == 0:
		return affine.Var("h").Times(-1).Add(-1)
	case phase == 0 && dim == 1:
		return affine.Var("f0").Times(-1).Minus(affine.Var("w0")).Add(-1)
	}
	return affine.Num(0)
}

// value returns x, which is in terms of the sizes.
func (y hybrid) value(x affine.Sum) int64 {
	env := map[string]int64{}
	for _, t := range x.Terms {
		env[t.Var] = y.named(t.Var)
	}
	return affine.Eval(x, env)
}

// named returns one of h, f0, f1, w0, w1, ..
func (y hybrid) named(name string) int64 {
	switch name {
	case "h":
		return y.sizes.H
	case "f0":
		return y.hex.F0
	case "f1":
		return y.hex.F1
	}
	for i, w := range y.sizes.W {
		if name == fmt.Sprint("w", i) {
			return w
		}
	}
	panic("schedule: no size is called " + name)
}

// locate returns err with the line of the file that begins with the given word
// as its place, where err has none.
func (p Plan) locate(err error, line string) error {
	list, ok := err.(diag.List)
	if !ok || p.File == "" {
		return err
	}
	for _, d := range list {
		if at, found := p.at[line]; found && d.At == (diag.Span{}) {
			d.At = at
		}
	}
	return err
}

// Refuse returns the error of a proof about a loaded schedule that does not
// hold: what breaks, in the source, and what in the file may be the cause.
func (p Plan) Refuse(proof Proof, s *Schedule, deps []Dependence) error {
	d := &diag.Diagnostic{
		Code: "HX207",
		Msg:  fmt.Sprintf("the schedule in %s fails the proof of %s: %s", p.File, proof.Name, proof.Violation),
		Help: "undo the change, or leave out the slope and phase lines, which then are found from the dependences",
	}
	switch p.Strategy {
	case "":
	case waves:
		d.Help = "undo the change, or leave out the slope and front lines, which then are found from the dependences"
	case overlaps:
		d.Help = "undo the change, or leave out the box and delay lines, which then are found from the dependences"
	default:
		d.Help = "undo the change"
	}
	if len(proof.Places) > 0 {
		d.At, d.Notes = proof.Places[0].At, slices.Clone(proof.Places[1:])
	}
	d.Notes = append(d.Notes, p.suspects(s, deps)...)
	return diag.List{d}
}

// suspects returns the lines of the file that differ from what s needs.
func (p Plan) suspects(s *Schedule, deps []Dependence) (notes []diag.Note) {
	suspect := func(line, format string, args ...any) {
		if at, found := p.at[line]; found {
			notes = append(notes, diag.Note{At: at, Msg: fmt.Sprintf(format, args...)})
		}
	}
	if p.Strategy == overlaps {
		return p.suspectBoxes(s, deps)
	}
	if len(s.Cone.Lo) == 0 {
		return nil // tiles of space alone fit whatever the file says of places
	}
	if need, err := BoundSkewed(s.Canonical, deps); err == nil {
		for i, name := range s.Canonical.Space {
			if s.Cone.Lo[i].Cmp(need.Lo[i]) < 0 || slopeLess(s.Cone.Hi[i], need.Hi[i]) {
				suspect("slope "+name, "the dependences have slopes %v here", Slopes{need.Lo[i], need.Hi[i]})
			}
		}
	}
	if p.Strategy == waves {
		if least, err := leastFronts(s, deps); err == nil && p.Fronts != nil && (p.Fronts.Tiles < least.Tiles || p.Fronts.Points < least.Points) {
			suspect("front", "the dependences need front %d %d here", least.Tiles, least.Points)
		}
		return notes
	}
	if least := MinW0(s.Cone, s.Sizes.H); s.Sizes.W[0] < least {
		suspect("tile", "w0 is at least %d for these slopes and this height", least)
	}
	for phase, starts := range p.Starts {
		for dim, f := range starts {
			if usual := usualStart(phase, dim); !f.Equal(usual) {
				suspect(fmt.Sprint("phase ", phase), "%s usually is %v", startName(s.Canonical, dim), usual)
			}
		}
	}
	return notes
}

// slopeLess compares slopes above, where nil is unbounded.
func slopeLess(a, b *big.Rat) bool { return a != nil && (b == nil || a.Cmp(b) < 0) }

// startName returns what a phase line calls its dimensions: time, s0, s1, ..
func startName(c *Canonical, dim int) string { return append([]string{"time"}, c.Space...)[dim] }

// Save returns s, and what is asked of its kernels, each as in registers(64), as a text that Load reads, for people to edit. Tiles of hexagons that wait for each other are
// asked for, too, since they may run in phases as well.
func Save(s *Schedule, clauses ...string) string {
	implied := func(c string) bool {
		return strings.HasPrefix(c, "launch(") || strings.HasPrefix(c, "kernel(streaming")
	}
	if s.Waits != nil && !s.slanted() && !slices.ContainsFunc(clauses, implied) {
		clauses = append(slices.Clip(clauses), "launch(ready)")
	}
	return textOf(s) + clausesText(clauses)
}

// clausesText returns the lines of clauses.
func clausesText(clauses []string) string {
	if len(clauses) == 0 {
		return ""
	}
	text := "\n# What is asked of kernels.\n"
	for _, c := range clauses {
		text += "clause " + c + "\n"
	}
	return text
}

// textOf is Save without clauses.
func textOf(s *Schedule) string {
	var b strings.Builder
	c := s.Canonical
	fmt.Fprintf(&b, "hexcc schedule %d\n", fileVersion)
	first, last := c.Scop.UserLines()
	fmt.Fprintf(&b, "# of %s, lines %d to %d. After a change, everything is proved again.\n", diag.Printable(c.Scop.File), first, last)
	fmt.Fprintf(&b, "# Lines left out, but for the first, are found from the program.\n\n")
	if s.Overlaps() || s.slanted() {
		fmt.Fprintf(&b, "%s", tilesText(s))
		return b.String()
	}
	if s.Scheme == untiled {
		fmt.Fprintf(&b, "# Nothing is tiled: each nest of each iteration of the time loop is a launch.\nstrategy untiled\n\n# Points of a block.\n")
	} else if s.Sizes.H == NoHeight {
		fmt.Fprintf(&b, "# Space only is tiled: each nest of each iteration of the time loop is a launch.\nstrategy space\n\n# Widths of a tile.\n")
	} else {
		fmt.Fprintf(&b, "# Half height of a tile, width of its hexagon in s0, widths in the other dimensions.\n")
	}
	fmt.Fprintf(&b, "tile %s\n\n", strings.ReplaceAll(s.Sizes.String(), ",", ", "))
	b.WriteString(c.placesText())
	if s.Sizes.H == NoHeight {
		for level, sweeps := range c.Sweeps {
			if sweeps {
				fmt.Fprintf(&b, "sweep %d  # tiles are in order along s0\n", level)
			}
		}
		return b.String()
	}
	b.WriteString(s.slopesText())
	fmt.Fprintf(&b, "\n# Where the tile with indices 0 begins; f0 and f1 are h times the slopes above and below of s0, rounded down.\n")
	for phase := range s.Phases {
		fmt.Fprintf(&b, "phase %d %s\n", phase, strings.Join(s.starts(phase), ", "))
	}
	return b.String()
}

// placesText returns the lines that say where instances lie.
func (c *Canonical) placesText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Where instances lie: their time, s0, s1, ..: the order of the space loops, and shifts.\n")
	for _, st := range c.Scop.Stmts {
		fmt.Fprintf(&b, "place %s[%s] -> %s  # line %d\n", st.Name, strings.Join(st.Iters, ", "), c.vectorText(st), st.Pos.Line)
	}
	return b.String()
}

// slopesText returns the lines of slopes.
func (s *Schedule) slopesText() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n# What a dependence moves by in each step of time, at least and at most.\n")
	for i, name := range s.Canonical.Space {
		fmt.Fprintf(&b, "slope %s %v\n", name, Slopes{s.Cone.Lo[i], s.Cone.Hi[i]})
	}
	return b.String()
}

// starts returns where the tiles of a phase begin, as in time = -h - 1.
func (s *Schedule) starts(phase int) (texts []string) {
	y := assemble(s.Canonical, s.Cone, s.Sizes)
	ph := s.Phases[phase]
	values := []int64{-ph.TimeShift}
	for _, d := range ph.Space {
		values = append(values, d.Offset)
	}
	for dim, v := range values {
		f := usualStart(phase, dim)
		texts = append(texts, fmt.Sprintf("%s = %v", startName(s.Canonical, dim), f.Add(v-y.value(f))))
	}
	return texts
}

// Verify checks that a plan fits the program that it was read for.
func (p Plan) Verify(prog *scop.Program) error {
	dims := dimensions(prog)
	if p.Slopes != nil && len(p.Slopes) != dims {
		return fmt.Errorf("%d slopes for %d dimensions", len(p.Slopes), dims)
	}
	for _, starts := range p.Starts {
		if starts != nil && len(starts) != 1+dims {
			return fmt.Errorf("%d starts for time and %d dimensions", len(starts), dims)
		}
	}
	if p.Layout.Places != nil && slices.ContainsFunc(p.Layout.Places, func(at []Place) bool { return len(at) != dims }) {
		return fmt.Errorf("places in other than %d dimensions", dims)
	}
	return nil
}
