package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// This file prints what was measured beside what the model expected, and what the replay of bench/sass says, as Markdown.

// results is the file that the runner writes.
type results struct {
	Device, Date, Built string
	Records             []*measurement
}

// A measurement is a record of one way to run a program on a grid. Rates are 10^9 instances of statements a second.
type measurement struct {
	Key, Program, Kind, Grid, Way string
	Tile                          string
	Same                          string // the way that has the same kernels
	Refused, Failed               string
	Registers, Blocks             int
	MS                            []float64
	Median                        float64 `json:"ms_median"`
	Rate, Expected                float64
	Share, Limit                  float64
	Binding                       string
	GBs                           float64 // of a copy
	CPU, Original, Others         string  // what comparisons say
	Strange                       float64
	replayed                      float64 // rate; 0: not known
}

// right reports whether no comparison found a difference.
func (m *measurement) right() bool {
	return !strings.Contains(m.CPU+m.Original+m.Others, "DIFFERENT")
}

// readResults reads what was measured. What a way ended with that ended the process has no program in its record: its key has it.
func readResults(path string) (r results, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w", path, err)
	}
	for _, m := range r.Records {
		if parts := strings.Split(m.Key, "/"); m.Program == "" && len(parts) == 4 {
			m.Program, m.Kind, m.Grid, m.Way = parts[0], parts[1], parts[2], parts[3]
		}
	}
	return r, nil
}

// A replay is a line of what bench/sass -json writes.
type replay struct {
	Program, Way string
	Replayed     float64 // instances a second
}

// readReplays adds to measurements what the replay says of the same way, with the sizes that the model chooses.
func (r results) readReplays(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var x replay
		if err := json.Unmarshal(lines.Bytes(), &x); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, m := range r.Records {
			if ctext.Identifier(m.Program+"/"+m.Kind) == x.Program && m.Way == x.Way && m.Expected > 0 {
				m.replayed = x.Replayed / 1e9
			}
		}
	}
	return lines.Err()
}

// A group is what was measured of a program on one grid.
type group struct {
	program, kind, grid string
	all                 []*measurement
}

// groups returns the programs and grids in the order in which they were measured.
func (r results) groups() (all []*group) {
	for _, m := range r.Records {
		if m.Way == "" || m.Way == "copy" {
			continue
		}
		i := slices.IndexFunc(all, func(g *group) bool { return g.program == m.Program && g.kind == m.Kind && g.grid == m.Grid })
		if i < 0 {
			i = len(all)
			all = append(all, &group{m.Program, m.Kind, m.Grid, nil})
		}
		all[i].all = append(all[i].all, m)
	}
	return all
}

// of returns the measurement of a way, that of another one with the same kernels in its place; nil: there is none.
func (g *group) of(way string) *measurement {
	for _, m := range g.all {
		switch {
		case m.Way != way:
		case m.Same != "":
			return g.of(m.Same)
		case m.Rate > 0 && m.right():
			return m
		}
	}
	return nil
}

// best returns the fastest way that hexcc has, nil if none was measured.
func (g *group) best() (best *measurement) {
	for _, m := range g.all {
		if m.Rate > 0 && m.right() && !strings.HasPrefix(m.Way, "by hand") && (best == nil || m.Rate > best.Rate) {
			best = m
		}
	}
	return best
}

// table prints the tables.
func (r results) table(w io.Writer) {
	fmt.Fprintf(w, "%s, %s, built by %s. 10^9 instances of statements a second.\n\n", r.Device, r.Date, r.Built)
	groups := r.groups()
	fmt.Fprint(w, "### What the choice is worth\n\n| program | type | grid | auto takes | measured | the best | measured | auto, of the best | untiled | auto, of untiled | by hand |\n|---|---|---|---|--:|---|--:|--:|--:|--:|--:|\n")
	var worth, gain []float64
	for _, g := range groups {
		auto, best, untiled := g.of("auto"), g.best(), g.of("untiled")
		if auto == nil || best == nil {
			continue
		}
		share := auto.Rate / best.Rate
		worth = append(worth, share)
		times, plain, hand := "", "", ""
		if untiled != nil {
			plain, times = rate(untiled.Rate), fmt.Sprintf("%.2f", auto.Rate/untiled.Rate)
			gain = append(gain, auto.Rate/untiled.Rate)
		}
		for _, m := range g.all {
			if strings.HasPrefix(m.Way, "by hand") && m.right() {
				hand = rate(m.Rate)
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s | %.2f | %s | %s | %s |\n", g.program, g.kind, g.grid, auto.Way, rate(auto.Rate), best.Way, rate(best.Rate), share, plain, times, hand)
	}
	fmt.Fprintf(w, "\nWhat is chosen has %.2f of the best on the geometric mean of %d, and at least %.2f; of plain loops it has %.2f.\n", mean(worth), len(worth), least(worth), mean(gain))
	fmt.Fprint(w, "\n### Each way\n\n| program | type | grid | way | sizes | registers, blocks | ms | measured | model | measured / model | replay | measured / replay |\n|---|---|---|---|---|--:|--:|--:|--:|--:|--:|--:|\n")
	byModel, byReplay := map[string][]float64{}, map[string][]float64{}
	for _, g := range groups {
		for _, m := range g.all {
			if m.Rate == 0 || !m.right() {
				continue
			}
			model, ofModel, replayed, ofReplay, takes := "", "", "", "", ""
			if m.Registers > 0 {
				takes = fmt.Sprintf("%d, %d", m.Registers, m.Blocks)
			}
			way, _, _ := strings.Cut(m.Way, " ")
			if m.Expected > 0 {
				model, ofModel = rate(m.Expected), fmt.Sprintf("%.2f", m.Rate/m.Expected)
				byModel[way] = append(byModel[way], m.Rate/m.Expected)
			}
			if m.replayed > 0 {
				replayed, ofReplay = rate(m.replayed), fmt.Sprintf("%.2f", m.Rate/m.replayed)
				byReplay[way] = append(byReplay[way], m.Rate/m.replayed)
			}
			fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %.4g | %s | %s | %s | %s | %s |\n", m.Program, m.Kind, m.Grid, m.Way, cmp.Or(m.Tile, "-"), takes, m.Median, rate(m.Rate), model, ofModel, replayed, ofReplay)
		}
	}
	fmt.Fprint(w, "\n### How far the model and the replay are\n\n| way | measured / model: mean | least | most | of | measured / replay: mean | least | most | of |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|\n")
	for _, way := range []string{"hybrid", "streaming", "overlapped", "space", "untiled", "wavefront"} {
		fmt.Fprintf(w, "| %s | %s | %s |\n", way, spread(byModel[way]), spread(byReplay[way]))
	}
	r.troubles(w)
}

// troubles prints what went wrong, and which ways do not apply.
func (r results) troubles(w io.Writer) {
	var lines []string
	for _, m := range r.Records {
		switch {
		case m.Failed != "":
			lines = append(lines, fmt.Sprintf("- %s failed: %s", m.Key, m.Failed))
		case !m.right():
			lines = append(lines, fmt.Sprintf("- %s is wrong: original: %s, %s; others: %s", m.Key, m.CPU, m.Original, m.Others))
		case m.Strange > 0:
			lines = append(lines, fmt.Sprintf("- %s: %.0f results are infinite or no numbers", m.Key, m.Strange))
		}
	}
	if len(lines) > 0 {
		fmt.Fprintf(w, "\n### What went wrong\n\n%s\n", strings.Join(lines, "\n"))
	}
}

// rate returns a figure with three digits.
func rate(x float64) string {
	if x >= 100 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.3g", x)
}

// mean returns the geometric mean, 0 of nothing.
func mean(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range all {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(all)))
}

func least(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	return slices.Min(all)
}

// spread returns the cells of a row: mean, least, most, how many.
func spread(all []float64) string {
	if len(all) == 0 {
		return "- | - | - | 0"
	}
	return fmt.Sprintf("%.2f | %.2f | %.2f | %d", mean(all), slices.Min(all), slices.Max(all), len(all))
}
