package ctext

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// A File is part of what a translation is written to.
type File struct{ Name, Text string }

// HeaderFile returns the name of the file that declares the functions.
func HeaderFile(base string) string { return base + ".hex.h" }

// InLanguage returns what a file is called that holds the source of p and is called name if that is C.
func InLanguage(name string, p *scop.Program) string {
	if c, ok := strings.CutSuffix(name, ".c"); ok && p.Cxx {
		return c + ".cpp"
	}
	return name
}

// CheckFile returns the name of the program that compares the translation of C with the original: see InLanguage.
func CheckFile(base string) string { return base + ".hex_check.c" }

// Functions name what stands for a region of a file in the text that a printer
// writes around kernels. All begin with hexcc_ and the name of the file.
type Functions struct {
	Base   string // of the files, without folder: jacobi-2d for jacobi-2d.hex.h
	Region int    // which region of the source it is, from 0
}

func (f Functions) file(end string) string {
	return fmt.Sprintf("hexcc_%s_%s", FileIdentifier(f.Base), end)
}

// Run is on arrays of the host: hexcc_jacobi_2d_0. Timed also says how long it took.
func (f Functions) Run() string   { return f.file(fmt.Sprint(f.Region)) }
func (f Functions) Timed() string { return f.Run() + "_timed" }

// Device is on arrays of the device, and returns before the kernels end.
func (f Functions) Device() string { return f.Run() + "_device" }

// Test says whether the facts hold that the others rely on.
func (f Functions) Test() string { return f.Run() + "_fits" }

// Error returns what failed last. Stop prints it and ends the program. Ready says
// whether there is a device for the kernels. They are those of all regions.
func (f Functions) Error() string { return f.file("error") }
func (f Functions) Stop() string  { return f.file("stop") }
func (f Functions) Ready() string { return f.file("ready") }

// Call returns what stands for the region p in the user's source, with a note where
// it goes. Where a tested fact does not hold, refuse stops the program; else the
// original loops run. So they do withoutDevice where no device runs the kernels.
func (f Functions) Call(p *scop.Program, note string, refuse, withoutDevice bool) Call {
	c := Call{Scop: p, Note: note, Run: f.Run(), Status: true, Stop: f.Stop(), Refuse: refuse}
	if withoutDevice {
		c.Ready = f.Ready()
	}
	if Tested(p) {
		c.Test = f.Test()
	}
	return c
}
