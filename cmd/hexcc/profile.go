package main

import (
	"fmt"
	"maps"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile/advice"
)

// Run says what bounds the kernels, and what to try.
func (c *profileCmd) Run(s *session) error {
	if err := c.check(); err != nil {
		return err
	}
	c.target, c.cpu, c.launch, c.kernel, c.pipeline = c.Target, c.CPU, c.Launch, c.Kernel, c.Pipeline
	sizes, err := s.splitDefines(&c.sourceFlags)
	if err != nil {
		return err
	}
	var options hexcc.Options
	res, err := s.compile(&c.sourceFlags, func(o *hexcc.Options) {
		grid := model.Typical{}
		maps.Copy(grid, o.Grid)
		maps.Copy(grid, sizes)
		o.Grid = grid
		if isCPU(c.Target) {
			o.Target, o.Ranked = hexcc.Target(c.Target), true
		}
		options = *o
	})
	if err != nil {
		return err
	}
	src, err := s.source(c.File)
	if err != nil {
		return err
	}
	q := advice.Request{Source: src, Options: options, Result: res, Base: c.Base}
	if isCPU(c.Target) {
		return c.loops(s, q)
	}
	if c.NCU != "" {
		if q.Text, err = s.read(c.NCU); err != nil {
			return err
		}
		q.Profile = shown(c.NCU)
	}
	if c.Compile {
		if _, wrong := cudaCompiler(res.GPU.Device.Name); wrong != nil {
			return s.diagnoseOne(&c.sourceFlags, wrong)
		}
		if q.NVCC, err = nvcc.Find(); err != nil {
			return err
		}
	}
	r, err := advice.New(q)
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	return c.print(s, r)
}

// print prints what was found, in the form that is asked for.
func (c *profileCmd) print(s *session, r interface {
	JSON() []byte
	Text() string
}) error {
	text := r.JSON()
	if c.Format == "text" {
		text = []byte(r.Text())
	}
	return s.write(c.Force, outFile{path: "-", text: text})
}

// check returns what is wrong with flags for the target.
func (c *profileCmd) check() error {
	switch onCPU := isCPU(c.Target); {
	case onCPU && (c.NCU != "" || c.Compile || c.Base != ""):
		return fmt.Errorf("--ncu, --base and --compile are about kernels: with --target=%s, --perf has what was measured", c.Target)
	case !onCPU && (c.Perf != "" || c.Threads != 0):
		return fmt.Errorf("--perf and --threads are about the loops of a CPU: give --target=openmp or c with them")
	case !onCPU && c.CPU != "":
		return fmt.Errorf("--cpu is about the loops of a CPU: give --target=openmp or c with it, or leave it out")
	case c.Threads < 0:
		return fmt.Errorf("--threads=%d: a program has one thread or more", c.Threads)
	}
	return nil
}

// loops says what bounds the loops of a CPU, and what to try.
func (c *profileCmd) loops(s *session, q advice.Request) (err error) {
	threads := int64(c.Threads)
	if threads == 0 {
		threads = 1
		if k := q.Result.Ranking; k != nil && c.Target == string(hexcc.OpenMP) {
			threads = k.CPU.Cores
		}
	}
	if c.Perf != "" {
		if q.Text, err = s.read(c.Perf); err != nil {
			return err
		}
		q.Profile = shown(c.Perf)
	}
	r, err := advice.OfProcessor(q, threads)
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	return c.print(s, r)
}
