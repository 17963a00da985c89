// Command ptx prints, for every case, what the steps of a full tile are made of in
// PTX: as LLVM makes it of hexcc's kernels, and as nvcc makes it of their CUDA text;
// and what NVIDIA's assembler then makes of both.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ptx"
)

func main() {
	small := flag.Bool("small", false, "small tiles, which compile fast")
	classes := flag.Bool("classes", false, "print the classes of instructions instead")
	llc := flag.String("llc", os.Getenv("HEXCC_LLC"), "the llc that makes PTX")
	nvcc := flag.String("nvcc", os.Getenv("HEXCC_NVCC"), "nvcc, with ptxas beside it; without it only LLVM's columns are printed")
	only := flag.String("case", "", "cases whose name contains this")
	flag.Parse()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		fmt.Fprintln(os.Stderr, "bench/ptx: no testdata/*.txtar here:", err)
		os.Exit(1)
	}
	if *nvcc == "" {
		fmt.Fprintln(os.Stderr, "bench/ptx: no nvcc, whose columns stay empty: name it by HEXCC_NVCC or -nvcc")
	}
	tools, err := ptx.Find(*llc, "sm_80")
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench/ptx:", err)
		os.Exit(1)
	}
	fmt.Printf("LLVM %s\n", tools.Version)
	var rows []row
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if !strings.Contains(name, *only) {
			continue
		}
		src, err := source(path, name)
		if err == nil {
			var made []row
			made, err = compare(src, name, options{small: *small, llc: *llc, nvcc: *nvcc, assemble: !*classes})
			rows = append(rows, made...)
		}
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench/ptx: %s: %v\n", name, err)
			os.Exit(1)
		}
	}
	if *classes {
		byClass(os.Stdout, rows)
	} else {
		sideBySide(os.Stdout, rows)
	}
	summary(os.Stdout, rows)
}

// source returns the program of a case.
func source(path, name string) (hexcc.Source, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return hexcc.Source{}, err
	}
	i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == "input.c" })
	if i < 0 {
		return hexcc.Source{}, fmt.Errorf("%s has no input.c", path)
	}
	return hexcc.Source{Name: name + ".c", Text: archive.Files[i].Data}, nil
}
