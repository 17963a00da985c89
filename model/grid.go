package model

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/poly"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A Grid is the size of the problem that costs are for. It is for choosing
// tile sizes only: the code is right for all sizes.
type Grid struct {
	Values []Value `json:"values"` // of the parameters
	Steps  int64   `json:"steps"`  // iterations of the time loop
	Points int64   `json:"points"` // instances of all statements
	Space  []Range `json:"space"`  // by space dimension, around all nests
}

// A Value is the value of a parameter, and why it has it.
type Value struct {
	Name  string `json:"name"`
	Value int64  `json:"value"`
	From  string `json:"from"` // given, known or assumed
}

// A Range is the numbers from Lo to Hi.
type Range struct {
	Lo int64 `json:"lo"`
	Hi int64 `json:"hi"`
}

// Typical values of parameters by name, as the user gave them.
type Typical map[string]int64

// ParseTypical reads typical values of parameters, such as "n=4096,steps=1000". It
// returns nil for "".
func ParseTypical(text string) (Typical, error) {
	if text == "" {
		return nil, nil
	}
	return schedule.ParseNumbers(text, "typical size", "n=4096,steps=1000", 1<<40)
}

// The grid that is assumed where nothing is known: sizes at which stencils are
// measured on current devices, 2^27 or 2^28 points.
const assumedSteps = 1000

// assumedSide returns the extent of a space dimension of n.
func assumedSide(n int) int64 {
	return []int64{1 << 27, 1 << 14, 1 << 9, 1 << 7, 1 << 5}[min(n, 5)-1]
}

// NewGrid returns the grid of a program whose parameters are as given, else as
// is assumed where that agrees with what is known. The error, a diag.List, says
// that the values given contradict what is known.
func NewGrid(c *schedule.Canonical, given Typical) (Grid, error) {
	p := c.Scop
	known := facts{p.Context}
	values := make([]Value, len(p.Params))
	for i, param := range p.Params {
		if v, ok := given[param.Name]; ok {
			values[i] = Value{param.Name, v, "given"}
			if !known.allow(param.Name, v) {
				return Grid{}, contradiction(p, param.Name, v)
			}
			known = known.with(param.Name, v)
		}
	}
	for i, param := range p.Params {
		if values[i].Name != "" {
			continue
		}
		v := int64(assumedSteps)
		switch {
		case shrinks(p, i):
			v = 0
		case !boundsTime(p, i):
			v = assumedSide(len(c.Space))
		}
		values[i] = known.near(param.Name, v)
		known = known.with(param.Name, values[i].Value)
	}
	return gridAt(c, values), nil
}

// Scaled returns the sizes of the grid that is assumed for c, with so many times as many points: the parameters that are assumed, but for those of time.
// It is nil where none is.
func Scaled(c *schedule.Canonical, times float64) (Typical, error) {
	g, err := NewGrid(c, nil)
	if err != nil {
		return nil, err
	}
	var out Typical
	side := math.Pow(times, 1/float64(max(1, len(c.Space))))
	for i, v := range g.Values {
		if v.From != "assumed" || shrinks(c.Scop, i) || boundsTime(c.Scop, i) {
			continue
		}
		if out == nil {
			out = Typical{}
		}
		out[v.Name] = max(1, int64(math.Round(float64(v.Value)*side)))
	}
	return out, nil
}

// WithSteps returns given with so many time steps: the parameters that are assumed of c and bound the time loop and no other. It is given where none is.
func WithSteps(c *schedule.Canonical, given Typical, steps int64) (Typical, error) {
	g, err := NewGrid(c, given)
	if err != nil {
		return nil, err
	}
	out := Typical{}
	maps.Copy(out, given)
	for i, v := range g.Values {
		if v.From == "assumed" && !shrinks(c.Scop, i) && boundsTime(c.Scop, i) {
			out[v.Name] = steps
		}
	}
	return out, nil
}

// facts are what is known of parameters.
type facts struct{ context poly.Set }

func (f facts) allow(name string, v int64) bool {
	return len(f.context.Basics()) == 0 || !f.with(name, v).context.IsEmpty()
}

func (f facts) with(name string, v int64) facts {
	return facts{f.context.FixParam(name, v)}
}

// near returns a value of a parameter that the facts allow: v, else v times the
// power of two next to 1 that they allow, else any.
func (f facts) near(name string, v int64) Value {
	if f.allow(name, v) {
		return Value{name, v, "assumed"}
	}
	for up, down := max(v, 1), v; up < 1<<40 || down > 0; {
		up, down = 2*up, down/2
		for _, x := range []int64{up, down} {
			if f.allow(name, x) {
				return Value{name, x, "known"}
			}
		}
	}
	params, _, ok := f.context.Sample()
	at := slices.Index(f.context.Params(), name)
	if !ok || at < 0 {
		panic(fmt.Sprintf("model: no value of %s in %v", name, f.context))
	}
	return Value{name, params[at], "known"}
}

func contradiction(p *scop.Program, name string, v int64) error {
	return diag.List{{
		Code: "HX208",
		At:   p.Start(),
		Msg:  fmt.Sprintf("%s=%d, given as typical, contradicts what is known or given: %v", name, v, p.Context),
		Help: "give other values with --grid, or none: they only help to choose tile sizes",
	}}
}

// NoParameter is the error that name, of a typical size, is none of the parameters.
func NoParameter(p *scop.Program, name string, params []string) *diag.Diagnostic {
	allowed := "the program has no parameters: all sizes are numbers"
	if len(params) > 0 {
		allowed = "parameters are " + strings.Join(params, ", ")
	}
	return &diag.Diagnostic{
		Code: "HX208", At: p.Start(),
		Msg:   fmt.Sprintf("%s, of which a typical size is given, is no parameter", name),
		Notes: []diag.Note{{Msg: allowed}},
		Help:  "name parameters in --grid, or leave it out",
	}
}

// boundsTime reports whether parameter i bounds the time loop and no other.
func boundsTime(p *scop.Program, i int) (time bool) {
	for _, st := range p.Stmts {
		for _, row := range st.Bounds {
			if i >= len(row.Params) || row.Params[i] == 0 {
				continue
			}
			for d, c := range row.Iters {
				if c != 0 && d > 0 {
					return false
				}
				time = time || c != 0
			}
		}
	}
	return time
}

// shrinks reports whether a larger value of parameter i means fewer instances and never
// more: the first time step, say.
func shrinks(p *scop.Program, i int) (fewer bool) {
	for _, st := range p.Stmts {
		for _, row := range st.Bounds {
			if i < len(row.Params) && row.Params[i] > 0 {
				return false
			}
			fewer = fewer || i < len(row.Params) && row.Params[i] < 0
		}
	}
	return fewer
}

// gridAt returns the grid of the program with those values of the parameters.
func gridAt(c *schedule.Canonical, values []Value) Grid {
	params := make([]int64, len(values))
	for i, v := range values {
		params[i] = v.Value
	}
	g := Grid{Values: values}
	for k, st := range c.Scop.Stmts {
		nest := scop.NewNest(st, params)
		lo, hi, ok := nest.Box()
		if !ok {
			continue
		}
		g.Points = min(math.MaxInt64-g.Points, pointsOf(nest, lo, hi)) + g.Points
		g.Steps = max(g.Steps, hi[0]-lo[0]+1)
		space := make([]Range, len(c.Space))
		for p, at := range c.Places[k] {
			shift := at.Shift.At(nil, params)
			space[p] = Range{shift, shift}
			switch at.Sign() {
			case 1:
				space[p] = Range{lo[at.Iter] + shift, hi[at.Iter] + shift}
			case -1:
				space[p] = Range{shift - hi[at.Iter], shift - lo[at.Iter]}
			}
		}
		if g.Space == nil {
			g.Space = space
			continue
		}
		for p, r := range space {
			g.Space[p] = Range{min(g.Space[p].Lo, r.Lo), max(g.Space[p].Hi, r.Hi)}
		}
	}
	if g.Space == nil {
		g.Space = slices.Repeat([]Range{{0, -1}}, len(c.Space))
	}
	return g
}

// The bounds of counting.
const (
	maxWalks = 1 << 22 // loop iterations
	strata   = 16      // values of a loop that stand for all of them
)

// pointsOf returns the instances of a nest with the box lo..hi: exactly, where
// that takes few steps and the number is none that no computer runs through.
func pointsOf(nest scop.Nest, lo, hi []int64) int64 {
	about := 1.0
	for d := range lo {
		about *= float64(hi[d]-lo[d]) + 1
	}
	if about < 1<<62 && nest.Walks(lo, hi) <= maxWalks {
		return nest.Count()
	}
	return int64(max(1, min(about, sum(nest, make([]int64, len(lo)), 0), 1<<62)))
}

// sum returns about the instances of a nest inside iters[:d], from a few values of each loop.
func sum(nest scop.Nest, iters []int64, d int) (n float64) {
	lo, hi, ok := nest.Range(d, iters)
	extent := float64(hi-lo) + 1
	if !ok || d == len(iters)-1 {
		return max(0, extent)
	}
	parts := min(extent, strata)
	for i := range int64(parts) {
		iters[d] = lo + int64((float64(i)+0.5)*extent/parts)
		n += sum(nest, iters, d+1) * extent / parts
	}
	return n
}

// String returns the grid as in
//
//	n=4096 assumed, steps=1000 assumed: 1000 steps of 4094 x 4094 points
func (g Grid) String() string {
	var values []string
	for _, v := range g.Values {
		values = append(values, fmt.Sprintf("%s=%d %s", v.Name, v.Value, v.From))
	}
	text := fmt.Sprintf("%d steps of %s points", g.Steps, g.extents())
	if g.Points == 0 {
		text = "no points"
	}
	if len(values) > 0 {
		text = strings.Join(values, ", ") + ": " + text
	}
	return text
}

// Assumed reports whether a value was assumed.
func (g Grid) Assumed() bool {
	return slices.ContainsFunc(g.Values, func(v Value) bool { return v.From == "assumed" })
}
