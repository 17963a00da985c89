package main

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
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
		NoAlias: true, Base: name, Arch: b.arch, Check: true,
	})
	if err != nil {
		return err
	}
	names := cuda.Names{Base: name}
	for file, text := range map[string]string{names.HeaderFile(): res.Files.Header, names.KernelFile(): res.Files.Kernel, names.CheckFile(): res.Check} {
		if err := b.write("tests/"+file, text); err != nil {
			return err
		}
	}
	program, kernel, check := b.path("tests/"+name), b.path("tests/"+names.KernelFile()), b.path("tests/"+names.CheckFile())
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
