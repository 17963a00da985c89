package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/opencl/device"
	"github.com/hexcc/hexcc/scop"
)

// runOpenCL runs the kernels of a region on an OpenCL device, at the sizes at
// which v ran the emulator. HEXCC_OPENCL_DEVICE and HEXCC_OPENCL_OPTIONS in the
// environment mean what they mean to translated programs.
func (c *verifyCmd) runOpenCL(s *session, r *hexcc.Region, request emulate.Request, v *emulate.Verification) error {
	d, err := device.Open(os.Getenv("HEXCC_OPENCL_DEVICE"))
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	defer d.Close()
	options, chosen := os.LookupEnv("HEXCC_OPENCL_OPTIONS")
	if !chosen {
		options = d.Usual
	}
	names := opencl.Names{Base: c.baseName(), Region: r.Scop.Region.Index}
	program, err := d.Build(opencl.Part{Program: r.GPU, Names: names}, options)
	if err != nil {
		return s.diagnoseOne(&c.sourceFlags, err)
	}
	defer program.Close()
	elements, largest := 0, 0.0
	for n, t := range v.Trials {
		diff, err := request.Against(t.Params, uint64(n), func(mem *scop.Memory) error { return program.Run(t.Version, mem) })
		switch {
		case err != nil:
			fmt.Fprintf(s.stdout, "OpenCL with %s: %v\n", t.Sizes, err)
			return exit(exitMismatch)
		case diff.Differ > 0 && len(program.Inexact) == 0:
			fmt.Fprintf(s.stdout, "OpenCL with %s: %d of %d elements differ, first %s: %s, expected %s\n", t.Sizes, diff.Differ, diff.Elements, diff.First, diff.A, diff.B)
			return exit(exitMismatch)
		}
		elements += int(diff.Elements)
		largest = max(largest, diff.Largest)
	}
	switch {
	case c.Quiet:
	case len(program.Inexact) > 0:
		fmt.Fprintf(s.stdout, "OpenCL on %s at %d sizes: %d elements, largest difference %g; last bits of %s are the device's to choose\n",
			d.Name, v.Sizes(), elements, largest, strings.Join(program.Inexact, ", "))
	default:
		fmt.Fprintf(s.stdout, "OpenCL on %s at %d sizes: all %d elements are equal\n", d.Name, v.Sizes(), elements)
	}
	return nil
}

// diagnoseOne prints err if it is a diagnostic.
func (s *session) diagnoseOne(f *sourceFlags, err error) error {
	var d *diag.Diagnostic
	if !errors.As(err, &d) {
		return err
	}
	return s.diagnose(f, nil, diag.List{d})
}
