// Command ready prints how busy the multiprocessors of GPUs and the cores of CPUs are with the tiles of every case, where all of a phase end
// before the next starts, and where each tile starts when those that it needs have ended: simulated tile by tile.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

func main() {
	cases := flag.String("cases", "testdata/*.txtar", "the cases")
	flag.Parse()
	if err := all(os.Stdout, *cases); err != nil {
		fmt.Fprintln(os.Stderr, "ready:", err)
		os.Exit(1)
	}
}

const legend = `Share of the time, in percent, in which blocks (as many as are resident) or cores run tiles: in phases / when ready. Simulated tile by
tile; all tiles cost the same, and nothing lies between two phases. Tile sizes are those that the model chooses: for GPUs for launches in phases,
for CPUs for the one of the two that it chooses, which has a star. Grids are those that it assumes: 16384^2, 512^3, 1000 steps.
`

// machines are what tiles run on: GPUs by architecture, CPUs by cores.
var machines = []struct {
	name  string
	arch  string
	cores int
}{{"A100", "sm_80", 0}, {"H100", "sm_90", 0}, {"16 cores", "", 16}, {"64 cores", "", 64}, {"128 cores", "", 128}}

// all prints a line for each case.
func all(out io.Writer, glob string) error {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no case matches %s", glob)
	}
	fmt.Fprint(out, legend+"\n")
	fmt.Fprintf(out, "%-14s", "")
	for _, m := range machines {
		fmt.Fprintf(out, "  %-31s", m.name)
	}
	fmt.Fprintln(out)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		a, err := txtar.ParseFile(path)
		if err != nil {
			return err
		}
		src := hexcc.Source{Name: name + ".c"}
		for _, f := range a.Files {
			if f.Name == "input.c" {
				src.Text = f.Data
			}
		}
		fmt.Fprintf(out, "%-14s", name)
		for _, m := range machines {
			text, err := simulated(src, m.arch, m.cores)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			fmt.Fprintf(out, "  %-31s", text)
		}
		fmt.Fprintln(out)
	}
	return nil
}

// simulated returns the two shares of a case, and the tile sizes.
func simulated(src hexcc.Source, arch string, cores int) (string, error) {
	o := hexcc.Options{Arch: arch, Strategy: hexcc.Hybrid, Launch: hexcc.Phases, NoAlias: true, Stop: "schedule"}
	if cores > 0 {
		cpu := machine.AnyCPU
		cpu.Cores = int64(cores)
		o.Target, o.CPU = hexcc.OpenMP, &cpu
	}
	res, err := hexcc.Compile(src, o)
	if err != nil {
		return "", err
	}
	grid, err := model.NewGrid(res.Space, nil)
	if err != nil {
		return "", err
	}
	c, ok := schedule.FindChains(res.Schedule, res.Schedule.Cone, 1)
	if !ok {
		return "none", nil
	}
	w := model.Workforce{Workers: cores}
	if cores == 0 {
		w.Workers = res.Choice.Device.SMs * res.Choice.Best[0].Occupancy.Blocks
	}
	l := model.LoadOf(res.Schedule, grid)
	stars := [2]string{" ", " "}
	if cores > 0 && res.Schedule.Waits != nil {
		stars[1] = "*"
	} else if cores > 0 {
		stars[0] = "*"
	}
	return fmt.Sprintf("%3.0f%s/%4.0f%s %v", 100*w.InPhases(c, l), stars[0], 100*w.WhenReady(c, l), stars[1], res.Sizes), nil
}
