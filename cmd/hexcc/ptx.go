package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/ptx/asm"
	"github.com/hexcc/hexcc/scop"
)

// inspectPTX shows what the kernels of a file of PTX are made of.
func (c *inspectCmd) inspectPTX(s *session) error {
	text, err := s.read(c.File)
	if err != nil {
		return err
	}
	m, err := asm.Parse(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	reports := []asm.KernelReport{}
	for _, k := range m.Kernels {
		reports = append(reports, m.Report(k, c.Updates))
	}
	switch c.Format {
	case "json":
		out, err := json.MarshalIndent(reports, "", "  ")
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.stdout, "%s\n", out)
		return err
	case "isl":
		return fmt.Errorf("hexcc inspect FILE.ptx has no --format=isl")
	}
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(s.stdout)
		}
		fmt.Fprint(s.stdout, r.Text())
	}
	return nil
}

// runPTX runs the PTX of region i at the sizes at which v ran the emulator.
func (c *verifyCmd) runPTX(s *session, res *hexcc.Result, i int, r emulate.Request, v *emulate.Verification) error {
	trial, err := res.PTX.Trial(i, r.Program)
	if err != nil {
		return err
	}
	if r.Functions, err = res.PTX.Functions(); err != nil {
		return err
	}
	elements := 0
	for n, t := range v.Trials {
		trial.Seed = c.Seed + uint64(n)
		d, err := r.Against(t.Params, uint64(n), func(mem *scop.Memory) error { return trial.RunVersion(t.Version, mem) })
		switch {
		case err != nil:
			fmt.Fprintf(s.stdout, "PTX with %s: %v\n", t.Sizes, err)
			return exit(exitMismatch)
		case d.Differ > 0:
			fmt.Fprintf(s.stdout, "PTX with %s: %d of %d elements differ, first %s: %s, expected %s\n", t.Sizes, d.Differ, d.Elements, d.First, d.A, d.B)
			return exit(exitMismatch)
		}
		elements += int(d.Elements)
	}
	if !c.Quiet {
		fmt.Fprintf(s.stdout, "PTX made by LLVM %s, run instruction by instruction at %d sizes: all %d elements are equal\n", res.PTX.Made, v.Sizes(), elements)
		if used := res.PTX.Module.Library; used != nil {
			fmt.Fprintf(s.stdout, "both with libdevice's %s: those of a C library differ in last bits\n", strings.Join(used, ", "))
		}
	}
	return nil
}
