package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/ptx"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/schedule"
)

// This file makes PTX of a case in both ways.

type options struct {
	small     bool
	llc, nvcc string // paths; no nvcc: only LLVM's PTX is made
	assemble  bool
}

// A row is one kernel as made by both compilers.
type row struct {
	name         string
	phase        int
	updates      int
	ours, theirs made
}

// A made is a kernel as PTX: its steps, and what ptxas makes of it.
type made struct {
	steps asm.Mix
	usage nvcc.Usage
}

// perUpdate returns the instructions of the steps per update, 0 if they are not known.
func (m made) perUpdate(updates int) float64 {
	if updates == 0 {
		return 0
	}
	return float64(m.steps.Total()) / float64(updates)
}

// ratio returns LLVM's instructions to nvcc's, 0 if either is not known.
func (r row) ratio() float64 {
	if r.updates == 0 || r.theirs.steps.Total() == 0 {
		return 0
	}
	return float64(r.ours.steps.Total()) / float64(r.theirs.steps.Total())
}

// compare makes PTX of a case in both ways.
func compare(src hexcc.Source, name string, o options) ([]row, error) {
	opts := hexcc.Options{NoAlias: true, Base: name, Target: hexcc.PTX, Strategy: hexcc.Hybrid, Launch: hexcc.Phases, LLC: o.llc}
	if o.small {
		var err error
		if opts.Tile, err = smallTile(src, opts); err != nil {
			return nil, err
		}
	}
	res, err := hexcc.Compile(src, opts)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench-ptx")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "llvm.ptx")
	if err := os.WriteFile(file, []byte(res.PTX.PTX), 0o666); err != nil {
		return nil, err
	}
	names := make([]string, len(res.GPU.Kernels))
	for i, k := range res.PTX.Module.Kernels[0] {
		names[i] = k.Name
	}
	ours, err := read(file, names, o)
	if err != nil {
		return nil, err
	}
	theirs := make([]made, len(names))
	if o.nvcc != "" {
		for _, f := range cuda.Print(res.GPU, cuda.Names{Base: name}).Named(name) {
			if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
				return nil, err
			}
		}
		if file, err = nvcc.PTX(o.nvcc, filepath.Join(dir, cuda.KernelFile(name)), 80); err != nil {
			return nil, err
		}
		if theirs, err = read(file, names, o); err != nil {
			return nil, err
		}
	}
	rows := make([]row, len(names))
	for i, k := range res.GPU.Kernels {
		rows[i] = row{name, k.Phase, ptx.Updates(k), ours[i], theirs[i]}
	}
	return rows, nil
}

// read returns what the kernels of a file of PTX are made of; it has their names, mangled or not.
func read(file string, names []string, o options) ([]made, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m, err := asm.Parse(string(text))
	if err != nil {
		return nil, err
	}
	var usages []nvcc.Usage
	if o.nvcc != "" && o.assemble {
		if usages, err = nvcc.Assemble(o.nvcc, file, "sm_80"); err != nil {
			return nil, err
		}
	}
	all := make([]made, len(names))
	for i, name := range names {
		at := slices.IndexFunc(m.Kernels, func(k *asm.Kernel) bool { return strings.Contains(k.Name, name) })
		if at < 0 {
			return nil, fmt.Errorf("%s has no kernel %s", file, name)
		}
		k := m.Kernels[at]
		for _, s := range k.Steps() {
			all[i].steps = all[i].steps.Plus(k.MixOf(s))
		}
		for _, u := range usages {
			if u.Kernel == k.Name {
				all[i].usage = u
			}
		}
	}
	return all, nil
}

// smallTile returns small sizes for the tiles of a case.
func smallTile(src hexcc.Source, o hexcc.Options) (*schedule.Sizes, error) {
	o.Stop = "cone"
	res, err := hexcc.Compile(src, o)
	if err != nil {
		return nil, err
	}
	s := schedule.Sizes{W: [][]int64{{5}, {3, 32}, {2, 4, 32}, {1, 2, 2, 16}}[len(res.Space.Space)-1]}
	for _, h := range schedule.LegalH(res.Space.K) {
		if s.H == 0 || h <= 2 {
			s.H = h
		}
	}
	s.W[0] = max(s.W[0], schedule.MinW0(res.Cone, s.H))
	return &s, nil
}
