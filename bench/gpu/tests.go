package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
)

// buildTests builds, for every case that glob matches, the program of --check, and a
// script that runs all and fails if one of them finds a difference.
func (o order) buildTests(glob string) error {
	b, err := newBuilder(o)
	if err != nil {
		return err
	}
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no case matches %s", glob)
	}
	script := bytes.NewBufferString(testHead)
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if !o.only.MatchString(name) {
			continue
		}
		if err := b.test(path, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(script, "try %s\n", name)
		if made, err := b.testPTX(path, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		} else if made {
			fmt.Fprintf(script, "try ptx/%s\n", name)
		}
	}
	script.WriteString(testEnd)
	return errors.Join(b.end(), b.writeScript("gpu-test.sh", script))
}

// test translates a case and compiles the program that compares it with its original.
func (b *builder) test(path, name string) error {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return err
	}
	res, err := hexcc.Compile(hexcc.Source{Name: name + ".c", Text: archive.Files[0].Data}, hexcc.Options{
		NoAlias: true, Base: name, Arch: b.arch, Check: true, Strategy: hexcc.Hybrid,
	})
	if err != nil {
		return err
	}
	b.checks[name] = res.Check
	for _, f := range append(res.Files.Named(name), ctext.File{Name: ctext.CheckFile(name), Text: res.Check}) {
		if err := b.write("tests/"+f.Name, f.Text); err != nil {
			return err
		}
	}
	program, kernel, check := b.path("tests/"+name), b.path("tests/"+cuda.KernelFile(name)), b.path("tests/"+ctext.CheckFile(name))
	b.later(func() error {
		if newer(program, kernel, check) {
			return nil
		}
		fmt.Println("compile", name)
		return errors.Join(
			b.run("gcc", "-std=gnu11", "-O2", "-ffp-contract=off", "-w", "-I", b.path("tests"), "-c", check, "-o", program+".check.o"),
			b.run(b.compiler, append(b.flags(), "-I", b.path("tests"), "-c", kernel, "-o", program+".kernel.o")...),
			b.link(program, program+".kernel.o", program+".check.o"))
	})
	return nil
}

// testPTX does so with PTX, through the driver alone; it reports whether there is a test. A case
// that PTX has no function for, and a machine without LLVM, are told.
func (b *builder) testPTX(path, name string) (bool, error) {
	if b.shim {
		return false, nil // no driver
	}
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return false, err
	}
	res, err := hexcc.Compile(hexcc.Source{Name: name + ".c", Text: archive.Files[0].Data}, hexcc.Options{
		NoAlias: true, Base: name, Arch: b.arch, Target: hexcc.PTX, Strategy: hexcc.Hybrid,
	})
	if err != nil {
		fmt.Printf("no PTX of %s: %v\n", name, err)
		return false, nil
	}
	driver := map[string]bool{}
	for _, m := range driverCall.FindAllStringSubmatch(res.PTX.Loader, -1) {
		driver[m[1]] = true
	}
	stub := ""
	for _, function := range slices.Sorted(maps.Keys(driver)) {
		stub += fmt.Sprintf("int %s(void) { return 100; }\n", function)
	}
	header := ctext.HeaderFile(name)
	for file, text := range map[string]string{header: res.PTX.Header, name + ".loader.c": res.PTX.Loader, name + ".check.c": b.checks[name], name + ".stub.c": stub} {
		if err := b.write("tests/ptx/"+file, text); err != nil {
			return false, err
		}
	}
	program := b.path("tests/ptx/" + name)
	b.later(func() error {
		loader, check, library := program+".loader.c", program+".check.c", program+".stub.so"
		if newer(program, loader, check) {
			return nil
		}
		fmt.Println("compile ptx", name)
		return errors.Join( // the stub stands for the driver's library, which is where the GPU is
			b.run("gcc", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1", program+".stub.c", "-o", library),
			b.run("gcc", "-std=gnu11", "-O2", "-ffp-contract=off", "-w", "-I", b.path("tests/ptx"), check, loader, library, "-o", program, "-lpthread", "-lm"))
	})
	return true, nil
}

// driverCall finds the declarations of functions of the driver.
var driverCall = regexp.MustCompile(`(?m)^CUresult (cu\w+)\(`)

const testHead = `#!/bin/sh
# Runs every case on the GPU and compares it with its original program, bit for bit.
cd "$(dirname "$0")/tests" || exit 2
failed=0
try() {
  if out=$("./$1" 2>&1); then
    echo "ok   $1: $(echo "$out" | grep -c ' equal;') sizes"
  else
    failed=$((failed + 1))
    echo "FAIL $1"
    echo "$out"
  fi
}
`

const testEnd = `[ $failed = 0 ] && echo "all cases equal" && exit 0
echo "$failed cases failed"
exit 1
`
