package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hexcc/hexcc/internal/gallery"
)

// large are points along a side and steps that take a second or so, beyond the caches where the program is of a size that is
// met there; others have those of "".
var large = map[string][2]int{
	"":                    {2000, 200},
	"acoustic-3d-order16": {256, 20}, "cahn-hilliard": {1024, 100}, "cavity": {500, 4}, "fdtd-3d-pml": {160, 40}, "gray-scott": {1024, 100},
	"heat-3d": {300, 40}, "horizontal-diffusion": {512, 40}, "hotspot-3d": {1000, 40}, "jacobi-convergence": {1000, 300}, "jacobi-check-every": {1000, 300},
	"kdv": {200000, 500}, "lbm-d2q9": {400, 60}, "lbm-d3q19": {96, 20}, "option-1d": {100000, 1000}, "poisson-3d": {250, 15}, "red-black-3d": {250, 20},
	"rule-110": {20000, 20000}, "schrodinger-1d": {500000, 500}, "wave-3d-order2": {250, 40}, "gauss-seidel": {1000, 100}, "euler-2d": {600, 60},
}

// bench prints a table: seconds of the steps of each program as it is and translated, and their ratio.
func (c config) bench(dir string, programs []gallery.Program) error {
	fmt.Printf("gcc -O3 -march=native -ffp-contract=off -fopenmp, %d threads, fastest of %d runs; seconds of all steps but the first\n", c.threads, c.runs)
	fmt.Printf("%-22s %7s %6s  %9s %9s  %7s  %s\n", "program", "n", "steps", "as it is", "hexcc", "faster", "")
	logs, n := 0.0, 0
	for _, p := range programs {
		size, ok := large[p.Name]
		if !ok {
			size = large[""]
		}
		size[0] = max(16, int(float64(size[0])*c.scale))
		if p.Name == "cahn-hilliard" { // a power of two
			size[0] = 1 << int(math.Round(math.Log2(float64(size[0]))))
		}
		plain, ours, note := c.measure(dir, p, size)
		if note != "" {
			fmt.Printf("%-22s %s\n", p.Name, note)
			continue
		}
		fmt.Printf("%-22s %7d %6d  %9.3f %9.3f  %6.2fx  equal\n", p.Name, size[0], size[1], plain, ours, plain/ours)
		logs, n = logs+math.Log(plain/ours), n+1
	}
	if n > 0 {
		fmt.Printf("%d programs, geometric mean %.2fx\n", n, math.Exp(logs/float64(n)))
	}
	return nil
}

// measure returns the seconds that the steps of p take as it is, and translated; note says why there are none.
func (c config) measure(dir string, p gallery.Program, size [2]int) (plain, ours float64, note string) {
	var programs [2][2]string // by what runs, then by steps: all, and one
	for k, steps := range []int{size[1], 1} {
		flags, _ := p.Sized(size[0], steps)
		if k == 1 && !p.Fixed {
			programs[0][1], programs[1][1] = programs[0][0], programs[1][0]
			break
		}
		base := filepath.Join(dir, fmt.Sprintf("%s-%d", p.Name, k))
		if out, err := exec.Command(c.hexcc, slices.Concat(flags, []string{"-q", "--target=openmp", "--cpu=native", "-o", base, p.Path})...).CombinedOutput(); err != nil {
			first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
			return 0, 0, "is not taken: " + first
		}
		made, _ := filepath.Glob(base + ".hex.c*")
		for i, source := range []string{p.Path, made[0]} {
			programs[i][k] = fmt.Sprintf("%s.%d", base, i)
			if err := build(p, source, programs[i][k], flags, "-O3", "-march=native", "-fopenmp"); err != nil {
				return 0, 0, err.Error()
			}
		}
	}
	best := [2]float64{math.Inf(1), math.Inf(1)}
	var said [2]string
	for range c.runs {
		for i, x := range programs {
			var took [2]float64
			for k, steps := range []int{size[1], 1} {
				_, args := p.Sized(size[0], steps)
				out, seconds, err := c.timed(x[k], args)
				if err != nil {
					return 0, 0, err.Error()
				}
				if took[k] = seconds; k == 0 {
					said[i] = out
				}
			}
			best[i] = min(best[i], max(took[0]-took[1], 1e-3))
		}
	}
	if said[0] != said[1] {
		return 0, 0, fmt.Sprintf("NOT EQUAL: %q, and %q", said[0], said[1])
	}
	return best[0], best[1], ""
}

// timed runs a program and returns what it prints, and how long it took.
func (c config) timed(program string, args []string) (out string, seconds float64, err error) {
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("OMP_NUM_THREADS=%d", c.threads))
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	start := time.Now()
	err = cmd.Run()
	return said.String(), time.Since(start).Seconds(), err
}

// build compiles a program, or what it became.
func build(p gallery.Program, source, program string, flags []string, more ...string) error {
	compiler, language := "gcc", []string{"-std=gnu11"}
	if p.IsCPlusPlus() {
		compiler, language = "g++", []string{"-std=c++17"}
	}
	cmd := exec.Command(compiler, slices.Concat(language, []string{"-w", "-ffp-contract=off"}, more, flags, []string{source, "-lm", "-o", program})...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", source, err, out)
	}
	return nil
}
