package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/scop"
)

// Run translates, runs the original region and the kernels, or the loops for a CPU, and compares.
func (c *verifyCmd) Run(s *session) error {
	if err := c.checkTarget(); err != nil {
		return err
	}
	if err := c.checkRun(); err != nil {
		return err
	}
	c.target, c.cpu, c.launch, c.kernel, c.pipeline = c.Target, c.CPU, c.Launch, c.Kernel, c.Pipeline
	fixed, err := s.splitDefines(&c.sourceFlags)
	if err != nil {
		return err
	}
	res, err := s.compile(&c.sourceFlags, func(o *hexcc.Options) {
		o.Base, o.Target, o.Probes = c.baseName(), hexcc.Target(c.Target), c.Program.given
		switch c.Device {
		case "ptx":
			o.Target = hexcc.PTX
		case "opencl":
			o.Target = hexcc.OpenCL
		}
	})
	if err != nil {
		return err
	}
	if err := s.write(c.Force); err != nil {
		return err
	}
	for i, r := range res.Regions {
		sizes, err := c.sizes(res, r, fixed)
		if err != nil {
			return err
		}
		if len(res.Regions) > 1 && !c.Quiet {
			fmt.Fprintf(s.stdout, "region %d, line %d, function %s:\n", r.Scop.Region.Index+1, r.Scop.UserLine(), r.Scop.Function)
		}
		request := emulate.Request{
			Program: r.GPU, CPU: r.CPU, Own: r.Mapped, Schedule: r.Schedule, Proofs: r.Proofs,
			Sizes: sizes, Seed: c.Seed, Jobs: c.Jobs, Profile: c.Profile,
		}
		if c.Sanitize {
			c.Device = "cpu"
		}
		v, err := s.verify(&c.sourceFlags, request)
		if err != nil {
			return err
		}
		switch {
		case isMPI(c.Target):
			err = c.runRanks(s, res, i, request, v)
		case c.Device == "ptx":
			err = c.runPTX(s, res, i, request, v)
		case c.Device == "opencl":
			err = c.runOpenCL(s, r, request, v)
		case c.Device == "cpu":
			err = c.runCPU(s, res, r, request, v)
		}
		if err != nil {
			return err
		}
	}
	if c.Program.given {
		return c.runProgram(s, res)
	}
	return nil
}

// checkTarget returns an error if flags do not go together, or ask for a target that is verified otherwise.
func (c *verifyCmd) checkTarget() error {
	switch {
	case c.Target != string(hexcc.CUDA) && c.Target != string(hexcc.MPICUDA) && !isCPU(c.Target):
		return fmt.Errorf("hexcc verify runs the kernels of CUDA, which are those of all GPUs, or the loops of openmp and c: leave out --target=%s; "+
			"--device=opencl and --device=ptx also run what is written for those", c.Target)
	case c.Target == string(hexcc.MPICUDA) && c.Device != "emulator":
		return fmt.Errorf("--device=%s runs what is written for one device: leave it out with --target=%s", c.Device, c.Target)
	case c.Sanitize && !isCPU(c.Target):
		return fmt.Errorf("--sanitize is about the C of --target=%s and --target=%s; compute-sanitizer of CUDA looks at kernels", hexcc.OpenMP, hexcc.C)
	case isCPU(c.Target) && c.Device != "emulator" && c.Device != "cpu":
		return fmt.Errorf("--device=%s runs kernels, and --target=%s has none", c.Device, c.Target)
	case c.Device == "opencl" && c.Launch == string(hexcc.Ready):
		return fmt.Errorf("--device=opencl runs kernels phase by phase: leave out --launch=%s", c.Launch)
	case isCPU(c.Target) && c.Profile:
		return fmt.Errorf("--profile counts what a GPU does: leave it out with --target=%s", c.Target)
	}
	return nil
}

// verify prints what a verification finds.
func (s *session) verify(f *sourceFlags, r emulate.Request) (*emulate.Verification, error) {
	if terminal := bare(s.stderr); !f.Quiet && !s.document() && isTerminal(terminal) {
		r.Progress = func(done, of int) {
			fmt.Fprintf(terminal, "\rverified %d of %d sizes", done, of)
			if done == of {
				fmt.Fprint(terminal, "\r\x1b[K")
			}
		}
	}
	v, err := emulate.Verify(r)
	if err != nil {
		return nil, s.diagnoseOne(f, err)
	}
	if !f.Quiet || !v.OK() {
		fmt.Fprint(s.stdout, v)
		if r.Profile && len(v.Trials) > 0 {
			fmt.Fprintf(s.stdout, "profile at %s\n%s", v.Trials[0].Sizes, v.Trials[0].Report.ProfileTable())
		}
	}
	if !v.OK() {
		return nil, exit(exitMismatch)
	}
	return v, nil
}

// splitDefines takes from the -D flags those that give a parameter of the region
// a value: the others are macros. To know the parameters it reads the source
// without the -D flags that could be either; if that fails, all are macros.
func (s *session) splitDefines(c *sourceFlags) (emulate.Size, error) {
	var either, macros []string
	for _, d := range c.Define {
		if name, value, found := strings.Cut(d, "="); found && name != "" {
			if _, err := strconv.ParseInt(value, 0, 64); err == nil {
				either = append(either, d)
				continue
			}
		}
		macros = append(macros, d)
	}
	if len(either) == 0 {
		return nil, nil
	}
	src, err := s.source(c.File)
	if err != nil {
		return nil, err
	}
	o, err := s.options(c)
	if err != nil {
		return nil, err
	}
	o.Defines, o.Stop, o.Tuned = macros, "scop", nil
	res, err := hexcc.Compile(src, o)
	if err != nil {
		return nil, nil
	}
	fixed := emulate.Size{}
	for _, d := range either {
		name, value, _ := strings.Cut(d, "=")
		if slices.Contains(paramNames(res), name) {
			fixed[name], _ = strconv.ParseInt(value, 0, 64)
		} else {
			macros = append(macros, d)
		}
	}
	c.Define = macros
	return fixed, nil
}

// paramNames returns the parameters of all regions, each once.
func paramNames(res *hexcc.Result) (names []string) {
	for _, r := range res.Regions {
		for _, p := range r.Scop.Params {
			if !slices.Contains(names, p.Name) {
				names = append(names, p.Name)
			}
		}
	}
	return names
}

// sizes returns the sizes of r to try: those of --sizes, each completed by the
// values that -D fixed, or those values alone.
func (c *verifyCmd) sizes(res *hexcc.Result, r *hexcc.Region, fixed emulate.Size) ([]emulate.Size, error) {
	var all []emulate.Size
	for _, text := range c.Sizes {
		size, err := parseSize(text, paramNames(res))
		if err != nil {
			return nil, fmt.Errorf("--sizes: %w", err)
		}
		maps.Copy(size, fixed)
		all = append(all, size)
	}
	if len(all) == 0 && len(fixed) > 0 {
		all = []emulate.Size{maps.Clone(fixed)}
	}
	for _, size := range all {
		maps.DeleteFunc(size, func(name string, _ int64) bool { // of other regions
			return !slices.ContainsFunc(r.Scop.Params, func(p scop.Param) bool { return p.Name == name })
		})
	}
	return all, nil
}

// parseSize reads T=5:n=17, or a bare number, which is for all parameters.
func parseSize(text string, names []string) (emulate.Size, error) {
	size := emulate.Size{}
	for _, item := range strings.Split(text, ":") {
		name, value, named := strings.Cut(item, "=")
		if !named {
			value = item
		}
		v, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%q is not NAME=NUMBER or a number", item)
		}
		switch {
		case !named:
			for _, n := range names {
				size[n] = v
			}
		case slices.Contains(names, name):
			size[name] = v
		default:
			return nil, fmt.Errorf("the region has no parameter %q; it has %s", name, strings.Join(names, ", "))
		}
	}
	return size, nil
}

// isTerminal reports whether w is a terminal, where a line may be written over.
func isTerminal(w io.Writer) bool {
	f, ok := bare(w).(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
