package main

import (
	"fmt"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/report"
)

// Run writes the page.
func (c *reportCmd) Run(s *session) error {
	if c.Target == string(hexcc.PTX) {
		return fmt.Errorf("hexcc report shows which lines of kernels run a statement, and PTX has none of which that could be said: --target=cuda shows the same kernels, hexcc inspect --target=ptx all but the text")
	}
	if err := c.check(); err != nil {
		return err
	}
	res, err := s.compile(&c.sourceFlags, c.shows(c.targetFlags, c.mappingFlags), func(o *hexcc.Options) { o.Places = true })
	if err != nil {
		return err
	}
	if err := tiled(res, "report shows"); err != nil {
		return err
	}
	src, err := s.source(c.File)
	if err != nil {
		return err
	}
	page := res.Page(src, c.baseName())
	if c.Compile != "" {
		if page.Machine, err = c.machineCode(res, c.baseName()); err != nil {
			return s.diagnoseOne(&c.sourceFlags, err)
		}
	}
	return s.deliver(c.Force, c.Output, report.HTML(page))
}
