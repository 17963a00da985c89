package opencl

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the header and the declarations in it.

// A rename gives the name of a parameter of a function.
type rename = func(name string, t scop.Type, isParam bool) string

// wholePrototype returns the declaration of the function that does what the region does.
func (r region) wholePrototype(name rename) string {
	return fmt.Sprintf("int %s(%s)", r.Names.Function(), ctext.Parameters(r.Program.Scop, "", name))
}

// testPrototype returns the declaration of the function that tests facts.
func (r region) testPrototype(name rename) string {
	return fmt.Sprintf("int %s(%s)", r.Names.Test(), ctext.Parameters(r.Program.Scop, "", name))
}

// enqueuePrototype returns the declaration of the function that runs the kernels
// on buffers, one for each array, which device names.
func (r region) enqueuePrototype(name rename, device func(*scop.Array) string) string {
	params := []string{"cl_command_queue queue"}
	for _, q := range r.Program.Scop.Params {
		params = append(params, fmt.Sprintf("%v %s", q.Type, name(q.Name, q.Type, true)))
	}
	for _, q := range r.Program.Scop.Scalars {
		params = append(params, fmt.Sprintf("%v %s", q.Type, name(q.Name, q.Type, false)))
	}
	for _, a := range r.Program.Scop.Arrays {
		params = append(params, "cl_mem "+device(a))
	}
	return fmt.Sprintf("int %s(%s)", r.Names.Enqueue(), strings.Join(params, ", "))
}

// header returns BASE.hex.h.
func header(regions []region) string {
	names, file := regions[0].Names, regions[0].Program.Scop.File
	var b strings.Builder
	for _, r := range regions {
		b.WriteString(r.contract() + r.wholePrototype(r.spelled) + ";\n")
		if ctext.Tested(r.Program.Scop) {
			b.WriteString("\n" + r.spelling.TestContract() + r.testPrototype(r.spelled) + ";\n")
		}
		b.WriteString("\n#ifdef CL_VERSION_1_2 /* CL/cl.h is included before */\n")
		b.WriteString("/* The same with the arrays in buffers of the queue's context, as long as they are in\n")
		b.WriteString("   memory; planes of one array follow each other. Returns when the kernels are in the\n")
		b.WriteString("   queue, which runs in order. */\n")
		b.WriteString(r.enqueuePrototype(r.spelled, func(a *scop.Array) string { return r.spelling.Outer[a.Name] }) + ";\n#endif\n\n")
	}
	b.WriteString("/* Releases what is kept from one call to the next: context and program. No function\n")
	b.WriteString("   may run at that time; the next call makes them again. Returns 0 or an error. */\n")
	fmt.Fprintf(&b, "int %s(void);\n", names.Release())
	return kerneltext.Header(names.HeaderFile(), file, b.String())
}

// contract returns the comment on the function that does what the region does.
func (r region) contract() string {
	s := r.Program.Scop
	return fmt.Sprintf("/* Does what lines %d to %d of %s do, on an OpenCL device: copies the\n", s.Region.StartLine, s.Region.EndLine, ctext.CommentSafe(s.File)) +
		"   arrays there, runs the kernels, and copies back those that change. Arrays are\n" +
		"   in host memory, row-major, each given by its first element:\n\n" + r.spelling.ObjectList() +
		"\n   They must not overlap. Returns 0, or an error of OpenCL after a message on stderr;\n" +
		"   then the contents of the arrays that change is unspecified. */\n"
}
