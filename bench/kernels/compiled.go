package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/machine"
)

// This file asks ptxas what the kernels use.

const compiledHead = "  registers  spilled   shared     code   blocks  warps"

// compiledFor are the architectures to assemble for; the intermediate code is of the first.
var compiledFor = []string{"sm_80", "sm_90"}

// compiled holds what texts of kernels use: some strategies give equal ones.
type compiled map[string]map[string]nvcc.Usage

// kernels returns the columns of compiledHead for the kernels of src.
func (all compiled) kernels(nvcc string, src hexcc.Source, o hexcc.Options, arch string) (string, error) {
	o.Base, o.NoAlias = "kernels", true
	res, err := hexcc.Compile(src, o)
	if text, ok := tooLarge(err); ok {
		return "  " + text, nil
	}
	if err != nil {
		return "", err
	}
	use, ok := all[res.Files.Kernel]
	if !ok {
		if use, err = compileText(nvcc, res); err != nil {
			return "  " + strings.SplitN(err.Error(), "\n", 2)[0], err
		}
		all[res.Files.Kernel] = use
	}
	return usageLine(use[arch], res.GPU.Kernels[0], arch), nil
}

// compileText returns the largest of each number over the kernels of res, by architecture.
func compileText(path string, res *hexcc.Result) (map[string]nvcc.Usage, error) {
	dir, err := os.MkdirTemp("", "hexcc-kernels")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	const base = "kernels"
	for _, f := range res.Files.Named(base) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return nil, err
		}
	}
	compute, err := strconv.Atoi(strings.TrimPrefix(compiledFor[0], "sm_"))
	if err != nil {
		return nil, err
	}
	ptx, err := nvcc.PTX(path, filepath.Join(dir, cuda.KernelFile(base)), compute)
	if err != nil {
		return nil, err
	}
	most := map[string]nvcc.Usage{}
	for _, arch := range compiledFor {
		all, err := nvcc.Assemble(path, ptx, arch)
		if err != nil {
			return nil, err
		}
		var m nvcc.Usage
		for _, u := range all {
			m.Registers, m.Spilled, m.Code = max(m.Registers, u.Registers), max(m.Spilled, u.Spilled), max(m.Code, u.Code)
		}
		most[arch] = m
	}
	return most, nil
}

// usageLine returns the columns of a kernel.
func usageLine(u nvcc.Usage, k *gpu.Kernel, arch string) string {
	d, _ := machine.LookupDevice(arch)
	o := k.Occupancy(d, u.Registers)
	return fmt.Sprintf("  %9d %8d %8d %8d %8d %6d  (%s)", u.Registers, u.Spilled, k.SharedBytes(), u.Code, o.Blocks, o.Warps, o.Limit)
}

// tooLarge returns what to say where err is that a tile takes too much shared
// memory, as one may whose sizes were chosen for another strategy.
func tooLarge(err error) (string, bool) {
	var list diag.List
	if errors.As(err, &list) && list[0].Code == "HX401" {
		return list[0].Msg, true
	}
	return "", false
}
