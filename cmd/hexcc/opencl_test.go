package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// hasOpenCL reports whether programs can be linked with OpenCL here and find a device. In CI they must.
func hasOpenCL() bool {
	if os.Getenv("CI") == "true" {
		return true
	}
	devices, err := filepath.Glob("/etc/OpenCL/vendors/*.icd")
	return err == nil && len(devices) > 0 && exec.Command("gcc", "-E", "-include", "CL/cl.h", "-x", "c", "/dev/null").Run() == nil
}

// poorOpenCL makes a library that stands before that of OpenCL and, as variables of the environment say, hides
// what the machine has: poor-opencl FOLDER
func poorOpenCL(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: poor-opencl FOLDER")
	}
	library, err := exec.Command("gcc", "-print-file-name=libOpenCL.so.1").Output()
	ts.Check(err)
	ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o777))
	out, err := exec.Command("gcc", "-shared", "-fPIC", "-O1", "-DREAL=\""+strings.TrimSpace(string(library))+"\"",
		"../../opencl/testdata/fake.c", "-o", filepath.Join(ts.MkAbs(args[0]), "libOpenCL.so.1"), "-ldl").CombinedOutput()
	if err != nil {
		ts.Fatalf("%v\n%s", err, out)
	}
}
