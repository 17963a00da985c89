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
	res, err := s.compile(&c.sourceFlags, c.shows(c.targetFlags, c.mappingFlags), func(o *hexcc.Options) { o.Places = true })
	if err != nil {
		return err
	}
	src, err := s.source(c.File)
	if err != nil {
		return err
	}
	return s.deliver(c.Force, c.Output, report.HTML(res.Page(src, c.baseName())))
}
