package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/model"
)

// This file replays each way to run a program, and says how far that which --strategy=auto takes is from the best of them.

// strategies are those that auto chooses among, in the order of the columns, by the names that model.Outlook has for them.
var strategies = []struct {
	name    string
	options hexcc.Options
}{
	{"hybrid", hexcc.Options{Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles}},
	{"streaming", hexcc.Options{Kernel: hexcc.Streaming}},
	{"overlapped", hexcc.Options{Strategy: hexcc.Overlapped}},
	{"space", hexcc.Options{Strategy: hexcc.Space}},
	{"untiled", hexcc.Options{Strategy: hexcc.Untiled}},
}

// wayOf returns the name of the way that was taken, "" if it is none of strategies.
func wayOf(res *hexcc.Result) string {
	name := string(res.Strategy)
	if res.Streams != nil {
		name = "streaming"
	}
	for _, w := range strategies {
		if w.name == name {
			return name
		}
	}
	return ""
}

// A weighed is what is found of a way.
type weighed struct {
	expected, replayed float64 // instances a second; 0: the model does not say
	why                string  // it was not replayed, or what of it was not
	sizes              string  // of tiles
	ready, planes      bool    // tiles start when those that they need have ended; they stream along a dimension
}

// A Line is what is found of a way, as JSON.
type Line struct {
	Program, Arch, Grid, Way string
	Expected, Replayed       float64 // instances a second; 0: the model does not say, it was not replayed
	Took                     bool    `json:",omitempty"` // by auto
	Sizes                    string  `json:",omitempty"`
	Ready, Planes            bool    `json:",omitempty"`
	Why                      string  `json:",omitempty"` // it was not replayed, or what of it was not
}

// A choice is what is found of a program, a device and a grid.
type choice struct {
	took string // by auto
	grid model.Grid
	ways map[string]weighed
}

// best returns the way that is best by the replay, "" if none was replayed.
func (c choice) best() (best string) {
	for _, w := range strategies {
		if c.ways[w.name].replayed > c.ways[best].replayed {
			best = w.name
		}
	}
	return best
}

// off returns what the run takes of the way that auto took, where the best one takes 1; 0: not known.
func (c choice) off() float64 {
	took := c.ways[c.took].replayed
	if took == 0 {
		return 0
	}
	return c.ways[c.best()].replayed / took
}

// guardedTurn is what a turn at a border is taken for where its replay fails, in full ones.
const guardedTurn = 2

const choiceLegend = `What --strategy=auto takes, and what a run takes that way by the replay, where the best way takes 1. Then 10^9 instances of statements a second, by the replay and (by the model), of a whole run with
the sizes that the model chooses for each way; - where it does not apply, or was not asked for: rows that stream in two dimensions alone. Not measured.
`

// choiceHead returns the head of the table.
func choiceHead() string {
	names, rule := []string{"program", "device", "grid", "auto takes", "of the best"}, "|---|---|---|---|--:|"
	for _, w := range strategies {
		names, rule = append(names, w.name), rule+"--:|"
	}
	return "| " + strings.Join(names, " | ") + " |\n" + rule + "\n"
}

// chooses prints a line for each grid: that which is assumed, with so many times as many points.
func (k kernelCase) chooses(scales []float64) (err error) {
	for _, scale := range scales {
		k := k
		if scale != 1 {
			if k.typical, err = k.scaled(scale); err != nil {
				return err
			}
			if k.typical == nil { // all sizes are known
				continue
			}
		}
		c, err := k.choose()
		if err != nil {
			return err
		}
		fmt.Println(c.line(k))
		if err := c.write(k); err != nil {
			return err
		}
		for _, w := range strategies {
			if why := c.ways[w.name].why; why != "" {
				fmt.Fprintf(os.Stderr, "%s, %s, %s: %s\n", k.name, k.arch, w.name, why)
			}
		}
	}
	return nil
}

// scaled returns the sizes of a grid with so many times as many points as that which is assumed; nil: all are known.
func (k kernelCase) scaled(times float64) (model.Typical, error) {
	res, err := k.translate(hexcc.Options{Stop: "space"})
	if err != nil {
		return nil, err
	}
	if res.Space == nil {
		return nil, errors.New("no region is found")
	}
	return model.Scaled(res.Space, times)
}

// choose replays all ways.
func (k kernelCase) choose() (c choice, err error) {
	auto, err := k.translate(hexcc.Options{})
	if err != nil {
		return c, err
	}
	if len(auto.Regions) != 1 {
		return c, fmt.Errorf("there are %d regions", len(auto.Regions))
	}
	if c.took = wayOf(auto); c.took == "" {
		return c, fmt.Errorf("--strategy=auto takes %s, which is not replayed", auto.Strategy)
	}
	if c.grid, err = model.NewGrid(auto.Space, k.typical); err != nil {
		return c, err
	}
	c.ways = map[string]weighed{}
	for _, w := range strategies {
		res := auto
		if w.name == "overlapped" {
			w.options.Stream = k.along
		}
		if w.name != c.took || w.options.Stream != "" {
			if !k.ways.MatchString(w.name) || w.name == "streaming" && len(auto.Space.Space) != 2 { // of which the model knows nothing
				continue
			}
			res, err = k.translate(w.options)
			if err != nil || wayOf(res) != w.name { // it does not apply, or another way is taken instead
				continue
			}
		}
		x, err := k.weigh(w.name, res)
		if err != nil {
			x.why = strings.SplitN(err.Error(), "\n", 2)[0]
		}
		x.sizes, x.ready, x.planes = res.Sizes.String(), res.Choice != nil && res.Choice.Ready, res.Sizes.Stream != nil
		c.ways[w.name] = x
	}
	return c, nil
}

// weigh replays one way.
func (k kernelCase) weigh(way string, res *hexcc.Result) (x weighed, err error) {
	switch way {
	case "hybrid":
		o, err := k.hybrid(res)
		return weighed{expected: o.expected, replayed: o.rate, why: o.why}, err
	case "streaming":
		if best := res.Streams.Best(); best.PerPoint > 0 {
			x.expected = 1 / best.PerPoint
		}
		s, err := k.streamed(res)
		if s.steady > 0 && err != nil { // what is not replayed are turns at borders
			k.guarded = guardedTurn
			if s, no := k.streamed(res); no == nil {
				x.replayed = s.whole
				return x, fmt.Errorf("turns at borders are taken as %d full ones: %w", guardedTurn, err)
			}
		}
		x.replayed = s.whole
		return x, err
	}
	e, err := k.estimate(way, res)
	if err != nil {
		return x, err
	}
	x.expected = 1 / e.PerPoint
	seconds, err := k.launches(e, res)
	if err != nil {
		return x, err
	}
	x.replayed = float64(res.Outlook.Grid.Points) / seconds
	return x, nil
}

// estimate returns what the model expects of boxes, or of loops as they are written, with the sizes that were chosen.
func (k kernelCase) estimate(way string, res *hexcc.Result) (e model.Estimate, err error) {
	switch way {
	case "overlapped":
		wish := new(model.NoStream)
		if x := res.Sizes.Stream; x != nil {
			wish = x
		}
		e, err = model.ChooseOverlapped(res.Space, res.Deps, res.Groups, k.device, k.typical, model.Asked{}, wish)
	case "space":
		e, err = model.AssessSpace(res.Space, k.device, k.typical, res.Sizes, model.Asked{})
	case "untiled":
		e, err = model.ChooseUntiled(res.Space, k.device, k.typical, model.Asked{})
	}
	switch {
	case err != nil:
	case res.Outlook == nil:
		err = errors.New("the model has not compared ways")
	case e.Sizes.H != res.Sizes.H || !slices.Equal(e.Sizes.W, res.Sizes.W):
		err = fmt.Errorf("the sizes are %v, not %v", res.Sizes, e.Sizes)
	}
	return e, err
}

// launches replays a block of each phase, and returns the seconds of all launches.
func (k kernelCase) launches(e model.Estimate, res *hexcc.Result) (seconds float64, err error) {
	var names []string
	for _, kernel := range res.GPU.Kernels {
		names = append(names, fmt.Sprintf("hexcc_kernels_0_phase%d", kernel.Phase))
	}
	made, err := k.compiler.Kernels(res.Files.Named(base), base, names)
	if err != nil {
		return 0, err
	}
	for i, kernel := range res.GPU.Kernels {
		at := slices.IndexFunc(e.Parts, func(p model.Part) bool { return p.Phase == kernel.Phase })
		if at < 0 {
			return 0, fmt.Errorf("phase %d is not known to the model", kernel.Phase)
		}
		part := e.Parts[at]
		b, err := blockOf(res.Files.Kernel, names[i])
		if err != nil {
			return 0, err
		}
		trace, err := b.traceIn(made[i].Listing, names[i], kernel.Threads)
		if err != nil {
			return 0, err
		}
		trace = ending(trace)
		threads := kernel.Threads[0] * kernel.Threads[1] * kernel.Threads[2]
		fit := k.device.Occupancy(threads, made[i].Registers, kernel.SharedBytes()).Blocks
		if fit == 0 {
			return 0, fmt.Errorf("a multiprocessor has no place for a block of %d threads with %d registers", threads, made[i].Registers)
		}
		seen := map[int64]float64{}
		seconds += part.Resident(fit, func(here int64) float64 {
			if seen[here] == 0 {
				seen[here] = replay(trace, residents{int(here), int64(part.Memory), kernel.SharedBytes(), int64(part.Port)}, k.device)
			}
			return seen[here]
		}, k.device)
	}
	return seconds, nil
}

// write adds a line of JSON for each way that applies to a file, if there is to be one.
func (c choice) write(k kernelCase) error {
	if k.lines == "" {
		return nil
	}
	file, err := os.OpenFile(k.lines, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	out := json.NewEncoder(file)
	for _, w := range strategies {
		if x, ok := c.ways[w.name]; ok && err == nil {
			err = out.Encode(Line{k.name, k.arch, c.grid.String(), w.name, x.expected, x.replayed, w.name == c.took, x.sizes, x.ready, x.planes, x.why})
		}
	}
	return errors.Join(err, file.Close())
}

// line returns the row of a table.
func (c choice) line(k kernelCase) string {
	var sizes []string
	for _, v := range c.grid.Values {
		sizes = append(sizes, fmt.Sprintf("%s=%d", v.Name, v.Value))
	}
	cells := []string{k.name, k.arch, cmp.Or(strings.Join(sizes, ", "), c.grid.String()), c.took}
	if off := c.off(); off > 0 {
		cells = append(cells, fmt.Sprintf("%.2f", off))
	} else {
		cells = append(cells, "?")
	}
	for _, w := range strategies {
		x, ok := c.ways[w.name]
		switch model := cmp.Or(figure(x.expected), "-"); {
		case !ok:
			cells = append(cells, "-")
		case x.replayed == 0:
			cells = append(cells, fmt.Sprintf("? (%s)", model))
		default:
			cells = append(cells, fmt.Sprintf("%s (%s)", figure(x.replayed), model))
		}
	}
	return "| " + strings.Join(cells, " | ") + " |"
}

// figure returns a rate in 10^9 a second, "" if it is not known.
func figure(rate float64) string {
	switch g := rate / 1e9; {
	case g == 0:
		return ""
	case g < 10:
		return fmt.Sprintf("%.2g", g)
	default:
		return fmt.Sprintf("%.0f", g)
	}
}
