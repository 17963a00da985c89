package main

import (
	"maps"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile/advice"
)

// Run says what bounds the kernels, and what to try.
func (c *profileCmd) Run(s *session) error {
	if err := c.onlyCUDA("profile"); err != nil {
		return err
	}
	c.launch, c.kernel, c.pipeline = c.Launch, c.Kernel, c.Pipeline
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
	text := r.JSON()
	if c.Format == "text" {
		text = []byte(r.Text())
	}
	return s.write(c.Force, outFile{path: "-", text: text})
}
