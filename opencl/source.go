package opencl

import (
	"fmt"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/kerneltext"
)

// This file prints the header and the user's source.

// runtime is what the header says of the language of the device. The types are
// those that cl_mem and cl_command_queue stand for.
var runtime = kerneltext.Runtime{
	Device:  "an OpenCL device",
	Memory:  "by a cl_mem of the queue's context",
	Status:  "an error of OpenCL",
	Array:   "struct _cl_mem *",
	Queue:   "struct _cl_command_queue *queue",
	About:   "The queue is a cl_command_queue that runs in order.",
	Declare: "struct _cl_mem; /* a cl_mem points to one */\nstruct _cl_command_queue;\n\n",
}

// release returns the name of the function that releases what is kept between calls.
func release(f ctext.Functions) string {
	return fmt.Sprintf("hexcc_%s_release", ctext.FileIdentifier(f.Base))
}

// header returns BASE.hex.h.
func header(regions []region) string {
	var entries []kerneltext.Entry
	for _, r := range regions {
		entries = append(entries, kerneltext.Entry{
			Spelling: r.spelling, Functions: r.functions(), Program: r.Program, Host: ctext.InLanguage(HostFile(r.Names.Base), r.Program.Scop),
		})
	}
	r := runtime
	r.More = "\n/* Releases what is kept from one call to the next: context and program. No other\n" +
		"   function may run meanwhile; later ones make them again. Returns 0 or an error of OpenCL. */\n" +
		fmt.Sprintf("int %s(void);\n", release(entries[0].Functions))
	return kerneltext.DeviceHeader(regions[0].Names.HeaderFile(), r, entries)
}
