package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/programs"
	"github.com/hexcc/hexcc/model"
)

// This file lists what is looked at: programs, devices and grids.

// A program is a file with one region.
type program struct {
	name string
	path string
	text []byte
	res  *hexcc.Result // up to the space of its region
}

// files are the programs, in an order in which those of one kind are apart: the first ten are a sample of all.
var files = strings.Fields(`
	testdata/jacobi-2d.txtar testdata/heat-3d.txtar testdata/idioms/harris.c testdata/fdtd-2d.txtar testdata/jacobi-1d.txtar
	testdata/idioms/fused-diffusion.c testdata/laplacian-3d.txtar testdata/gradient-2d.txtar testdata/idioms/unsharp.c testdata/wave-2d.txtar
	testdata/heat-2d.txtar testdata/poisson-3d.txtar testdata/em-2d.txtar testdata/star-2d-4.txtar testdata/idioms/wind-divergence.c
	testdata/star-3d-2.txtar testdata/diffusion-2d.txtar testdata/jacobi-1d-7.txtar testdata/gradient-3d.txtar testdata/rician-2d.txtar
	testdata/idioms/fast-waves.c testdata/box-2d.txtar testdata/wave-3d.txtar testdata/life.txtar testdata/idioms/advection-uv.c
	testdata/tv-2d.txtar testdata/gaussian-2d.txtar testdata/fdtd-3d.txtar testdata/poisson-2d.txtar testdata/idioms/denoise.c
	testdata/star-2d-2.txtar testdata/asymmetric.txtar testdata/heat-3d-27.txtar testdata/idioms/hyperbolic-flux.c`)

// devices are GPUs, by architecture, which nvcc 13 compiles for.
var devices = []string{"sm_90", "sm_80", "sm_86", "sm_100"}

// A size is a grid, by what it is of the one that is assumed.
type size struct {
	name   string
	points float64 // times as many
	steps  int64   // of time; 0: as many as are assumed
}

// sizes are grids that differ in what is best: such as authors measure, such as lie in a cache, and such whose tiles have few steps to span. A program without
// a time loop has a grid of four times the points in place of the last.
var sizes = []size{{"large", 1, 0}, {"small", 1.0 / 64, 0}, {"few steps", 1, 4}}

// readPrograms returns the programs that match.
func readPrograms(only *regexp.Regexp) (all []program, err error) {
	for _, path := range files {
		p := program{name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), path: path}
		if !only.MatchString(p.name) {
			continue
		}
		text, err := os.ReadFile(filepath.FromSlash(path))
		if err != nil {
			return nil, err
		}
		p.text = programs.Text(path, text)
		if p.res, err = p.space(); err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no program matches %v", only)
	}
	return all, nil
}

// A cell is a program on a device and a grid.
type cell struct {
	program
	arch string
	size size
}

// cells returns all of them. Any first few have about as many of each program, device and grid.
func cells(all []program) (out []cell) {
	for round := range len(devices) * len(sizes) {
		for i, p := range all {
			out = append(out, cell{p, devices[(i+round)%len(devices)], sizes[(i/len(devices)+round)%len(sizes)]})
		}
	}
	return out
}

// space translates the program as far as to the space of its region.
func (p program) space() (*hexcc.Result, error) {
	res, err := hexcc.Compile(hexcc.Source{Name: p.name + ".c", Text: p.text}, hexcc.Options{NoAlias: true, Stop: "space"})
	switch {
	case err != nil:
		return nil, err
	case len(res.Regions) != 1 || res.Space == nil:
		return nil, fmt.Errorf("%s: there is no region, or more than one", p.path)
	}
	return res, nil
}

// grid returns the sizes of a grid of the program; nil are those that are assumed.
func (p program) grid(s size) (out model.Typical, err error) {
	times := s.points
	if s.steps != 0 && p.res.Scop.Timeless {
		times, s.steps = 4, 0
	}
	if times != 1 {
		if out, err = model.Scaled(p.res.Space, times); err != nil {
			return nil, err
		}
	}
	if s.steps == 0 {
		return out, nil
	}
	return model.WithSteps(p.res.Space, out, s.steps)
}

// text returns sizes as --grid has them.
func gridText(t model.Typical) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		parts = append(parts, fmt.Sprintf("%s=%d", name, t[name]))
	}
	return strings.Join(parts, ",")
}
