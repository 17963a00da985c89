package advice

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/profile"
)

// This file asks NVIDIA's compiler what kernels use, which takes no device.

// usages returns what nvcc says of the kernels of res, whose files have that base, for an architecture, by their names.
func usages(path string, res *hexcc.Result, base, arch string) (map[string]nvcc.Usage, error) {
	dir, err := os.MkdirTemp("", "hexcc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for _, f := range res.Files.Named(base) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o666); err != nil {
			return nil, err
		}
	}
	compute, err := strconv.Atoi(strings.TrimPrefix(arch, "sm_"))
	if err != nil {
		return nil, err
	}
	ptx, err := nvcc.PTX(path, filepath.Join(dir, cuda.KernelFile(base)), compute)
	if err != nil {
		return nil, err
	}
	all, err := nvcc.Assemble(path, ptx, arch)
	if err != nil {
		return nil, err
	}
	by := map[string]nvcc.Usage{}
	for _, u := range all {
		by[partOf(profile.PlainName(u.Kernel))] = u
	}
	return by, nil
}

// partOf returns a kernel's name without what the file is called: 0_phase1 of hexcc_jacobi_2d_0_phase1.
func partOf(kernel string) string {
	if n := kernelName.FindStringSubmatch(kernel); n != nil {
		return n[2] + "_" + n[3] + n[4]
	}
	return kernel
}

// compiled replaces the estimates of c by what nvcc says.
func compiled(c *profile.Counted, u nvcc.Usage, d machine.Device) {
	o := d.Occupancy(int(c.Threads), u.Registers, c.BlockBytes)
	c.Compiled, c.Registers, c.Spilled = true, u.Registers, u.Spilled/4
	c.BlocksPerSM, c.Limit, c.Warps, c.CodeBytes = o.Blocks, o.Limit, o.Warps, u.Code
}
