package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/gallery"
	sources "github.com/hexcc/hexcc/internal/programs"
)

// This file says what is tested: programs, ways to translate them, and what each is translated to.

// An input is a program with regions.
type input struct {
	group, name string
	path        string // of the file; includes are relative to its folder
	text        []byte
	defines     []string
	runs        [][]string // arguments to compare the whole program with, where a region is in main; it draws to stdout
}

// cxx reports whether the program is C++.
func (x input) cxx() bool { return strings.HasSuffix(x.path, ".cpp") }

// groups are the folders of programs, in the order in which their tests run.
var groups = []struct{ name, globs string }{
	{"case", "testdata/*.txtar"},
	{"idiom", "testdata/idioms/*.c testdata/idioms/*.cpp"},
	{"gallery", "examples/gallery"},
	{"inplace", "testdata/wavefront/*.c"},
	{"sweep", "testdata/sweeps/*.c"},
	{"hostloop", "testdata/hostloops/*.c testdata/hostloops/*.cpp"},
	{"polybench", "testdata/polybench/*.c"},
}

// galleryPoints and gallerySteps are the size of programs of the gallery that are compiled for one: along a side no multiple of a tile.
const galleryPoints, gallerySteps = 70, 12

// inputs returns the programs of all groups; root is the folder of the repository.
func inputs(root string) (all []input, err error) {
	for _, g := range groups {
		found, err := readGroup(root, g.name, g.globs)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("%s matches nothing", g.globs)
		}
		all = append(all, found...)
	}
	return all, nil
}

// readGroup returns the programs of one group.
func readGroup(root, group, globs string) (all []input, err error) {
	if group == "gallery" {
		programs, err := gallery.Read(filepath.Join(root, globs))
		if err != nil {
			return nil, err
		}
		for _, p := range programs {
			text, err := os.ReadFile(p.Path)
			if err != nil {
				return nil, err
			}
			x := input{group: group, name: p.Name, path: p.Path, text: text}
			flags, args := p.Sized(galleryPoints, gallerySteps)
			x.runs = [][]string{append(args, "/dev/stdout")} // the picture
			for _, f := range flags {
				x.defines = append(x.defines, strings.TrimPrefix(f, "-D"))
			}
			all = append(all, x)
		}
		return all, nil
	}
	for glob := range strings.FieldsSeq(globs) {
		paths, err := filepath.Glob(filepath.Join(root, glob))
		if err != nil {
			return nil, err
		}
		slices.Sort(paths)
		for _, path := range paths {
			name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			if filepath.Ext(path) == ".txtar" {
				text, path = sources.Text(path, text), filepath.Join(filepath.Dir(path), name+".c")
			}
			all = append(all, input{group: group, name: name, path: path, text: text, runs: runsOf(text)})
		}
	}
	return all, nil
}

var (
	runLine      = regexp.MustCompile(`(?m)^// RUN (.*)$`)
	violatedLine = regexp.MustCompile(`(?m)^// VIOLATED `)
)

// runsOf returns the arguments that a comment // RUN has, unless the original loops run for some, as // VIOLATED says.
func runsOf(text []byte) (runs [][]string) {
	m := runLine.FindSubmatch(text)
	if m == nil || violatedLine.Match(text) {
		return nil
	}
	for run := range strings.SplitSeq(string(m[1]), "|") {
		runs = append(runs, strings.Fields(run))
	}
	return runs
}

// A testWay is a choice of kernels to test.
type testWay struct {
	name    string
	options hexcc.Options
	cases   []string // only those of these cases; nil: all programs
}

// memoryCases are the cases of which each use of shared memory is tested.
var memoryCases = []string{"heat-2d", "heat-3d", "fdtd-2d", "jacobi-1d"}

// testWays are all that is to be told apart on a GPU; where two give the same kernels, the first is tested.
var testWays = func() []testWay {
	list := []testWay{
		{name: "auto"},
		{name: "ready", options: hexcc.Options{Strategy: hexcc.Hybrid, Launch: hexcc.Ready}},
		{name: "phases", options: hexcc.Options{Strategy: hexcc.Hybrid, Launch: hexcc.Phases}},
		{name: "streaming", options: hexcc.Options{Kernel: hexcc.Streaming}},
		{name: "overlapped", options: hexcc.Options{Strategy: hexcc.Overlapped}},
		{name: "planes", options: hexcc.Options{Strategy: hexcc.Overlapped, Stream: "s0"}},
		{name: "space", options: hexcc.Options{Strategy: hexcc.Space}},
		{name: "wavefront", options: hexcc.Options{Strategy: hexcc.Wavefront}},
		{name: "untiled", options: hexcc.Options{Strategy: hexcc.Untiled}},
		{name: "fma", options: hexcc.Options{FMA: true}},
	}
	for _, s := range lower.Strategies() {
		list = append(list, testWay{"memory-" + s.String(), hexcc.Options{Strategy: hexcc.Hybrid, Launch: hexcc.Phases, Memory: s}, memoryCases})
	}
	return list
}()

// tries reports whether program number i of its group is translated in way number k: a case in all, others in the first, and by turns in some of the others.
func (o order) tries(x input, i int, w testWay, k int) bool {
	if w.cases != nil {
		return x.group == "case" && slices.Contains(w.cases, x.name)
	}
	return x.group == "case" || k == 0 || (i+k)%o.turns == 0
}

// inCUDA says of how many programs of a group, translated in a way, one is compiled by nvcc, which takes seconds for each; none, where it is not named. PTX is made
// of all.
var inCUDA = map[string]int{
	"case/auto": 1, "case/streaming": 1, "case/overlapped": 1, "case/planes": 3,
	"idiom/auto": 3, "idiom/overlapped": 1, "gallery/auto": 4, "inplace/auto": 3, "sweep/auto": 3, "hostloop/auto": 8,
}

// inOpenCL are the ways of cases that are translated to OpenCL, whose kernels the driver compiles.
var inOpenCL = []string{"auto", "phases", "overlapped", "untiled"}

// targets returns what program number i of its group is translated to, in that way.
func (o order) targets(x input, w testWay, i int) (list []hexcc.Target) {
	n := inCUDA[x.group+"/"+w.name]
	switch {
	case o.shim:
		return []hexcc.Target{hexcc.CUDA} // no driver is needed
	case o.nvcc == "all", o.nvcc == "some" && n > 0 && i%n == 0:
		list = append(list, hexcc.CUDA)
	}
	if list = append(list, hexcc.PTX); x.group == "case" && slices.Contains(inOpenCL, w.name) {
		list = append(list, hexcc.OpenCL)
	}
	return list
}
