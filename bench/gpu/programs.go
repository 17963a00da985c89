package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	sources "github.com/hexcc/hexcc/internal/programs"
)

// A program is what is measured: a stencil of our own, or a file with one region, in one type, on one grid or more.
type program struct {
	name    string
	stencil *stencil // nil: the text is that of file
	file    string   // of the repository: a case, or C
	real    realType
	fma     bool
	// grids are values of parameters, as --grid has them; "" are those that the model assumes. Sizes of tiles are chosen for the first.
	grids []string
	ways  *regexp.Regexp // ways to run it, by their names
}

// kind says which variant of the program it is: float, double, float fma.
func (p program) kind() string {
	if p.fma {
		return p.real.name + " fma"
	}
	return p.real.name
}

// key is how keys of its records begin.
func (p program) key() string { return p.name + "/" + p.kind() }

// text returns the C program.
func (p program) text(function string) ([]byte, error) {
	if p.stencil != nil {
		return []byte(p.stencil.source(p.real, function)), nil
	}
	text, err := os.ReadFile(filepath.FromSlash(p.file))
	if err != nil {
		return nil, err
	}
	text = sources.Text(p.file, text)
	if p.real.name == "double" {
		text = sources.InDouble(text)
	}
	return text, nil
}

// The sets of ways that are measured.
var (
	allWays    = regexp.MustCompile(`^(auto|untiled|by hand.*|hybrid.*|streaming.*|overlapped.*|space|wavefront)$`)
	memoryWays = regexp.MustCompile(`.`) // and each use of shared memory
	choiceWays = regexp.MustCompile(`^(auto|untiled|hybrid|streaming|overlapped|space)$`)
	fewWays    = regexp.MustCompile(`^(auto|untiled|hybrid|streaming)$`)
)

// programs are measured in this order. First those of the paper's Table 1, then stencils with a coefficient for each neighbour, as other
// compilers' authors measure them, then those of docs/choice.md, at the grids of that page.
func programs() (all []program) {
	table := func(real realType, ways *regexp.Regexp) {
		for i, s := range stencils {
			p := program{name: s.name, stencil: &stencils[i], real: real, ways: ways, grids: []string{"n=16384,T=1000", "n=2048,T=1000"}}
			if s.dims == 3 {
				p.grids = []string{"n=512,T=1000", "n=256,T=1000"}
			}
			if real.name == "float" && (s.name == "heat-2d" || s.name == "heat-3d") {
				p.ways = memoryWays
			}
			all = append(all, p)
		}
	}
	single, double := realTypes[0], realTypes[1]
	table(single, allWays)
	for _, fma := range []bool{false, true} {
		for _, real := range realTypes {
			for _, points := range []int{5, 9, 7, 27} {
				grid := "n=16384,T=1000"
				if points == 7 || points == 27 {
					grid = "n=512,T=500"
				}
				name := fmt.Sprintf("weighted-%d", points)
				all = append(all, program{name: name, file: "bench/sass/testdata/weighted/" + name + ".txtar", real: real, fma: fma, grids: []string{grid}, ways: fewWays})
			}
		}
	}
	for _, name := range []string{"wave-2d", "heat-3d-27", "poisson-3d", "diffusion-2d", "em-2d", "star-2d-2", "wave-3d", "star-3d-2", "jacobi-1d"} {
		all = append(all, program{name: name, file: "testdata/" + name + ".txtar", real: single, grids: []string{""}, ways: choiceWays})
	}
	for _, name := range []string{"box-2d", "star-2d-4"} {
		all = append(all, program{name: name, file: "testdata/" + name + ".txtar", real: double, grids: []string{""}, ways: choiceWays})
	}
	for _, name := range []string{"harris", "unsharp"} {
		all = append(all, program{name: name, file: "testdata/idioms/" + name + ".c", real: single, grids: []string{""}, ways: choiceWays})
	}
	for _, name := range []string{"fused-diffusion", "hyperbolic-flux", "elastic-waves", "fast-waves"} {
		all = append(all, program{name: name, file: "testdata/idioms/" + name + ".c", real: double, grids: []string{""}, ways: choiceWays})
	}
	table(double, fewWays)
	return all
}
