package main

import (
	"github.com/hexcc/hexcc/report"
)

// Run writes the page.
func (c *reportCmd) Run(s *session) error {
	if err := c.onlyCUDA("report"); err != nil {
		return err
	}
	c.launch, c.kernel, c.pipeline = c.Launch, c.Kernel, c.Pipeline
	res, err := s.compile(&c.sourceFlags)
	if err != nil {
		return err
	}
	src, err := s.source(c.File)
	if err != nil {
		return err
	}
	return s.deliver(c.Force, c.Output, report.HTML(res.Page(src, c.baseName())))
}
