// Command ptx prints, for every case, what the steps of a full tile are made of in
// PTX: as LLVM makes it of hexcc's kernels, and as nvcc makes it of their CUDA text;
// and what registers NVIDIA's assembler then needs.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
)

func main() {
	tile := flag.Bool("small", false, "small tiles, which compile fast")
	llc := flag.String("llc", os.Getenv("HEXCC_LLC"), "the llc that makes PTX")
	nvcc := flag.String("nvcc", os.Getenv("HEXCC_NVCC"), "nvcc, with ptxas beside it; without it only LLVM's columns are printed")
	only := flag.String("case", "", "cases whose name contains this")
	flag.Parse()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		fmt.Fprintln(os.Stderr, "bench/ptx: no testdata/*.txtar here:", err)
		os.Exit(1)
	}
	var rows []row
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		if !strings.Contains(name, *only) {
			continue
		}
		made, err := compare(path, name, options{small: *tile, llc: *llc, nvcc: *nvcc})
		if err != nil {
			fmt.Fprintf(os.Stderr, "bench/ptx: %s: %v\n", name, err)
			os.Exit(1)
		}
		rows = append(rows, made...)
	}
	table(os.Stdout, rows)
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

// table prints the rows.
func table(out io.Writer, rows []row) {
	w := tabwriter.NewWriter(out, 0, 1, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "case\tphase\tupdates\tby\tper update\tld.shared\tst.shared\tst.global\tfloat\tinteger\tmove\tpredicate\tbranch\tregisters\tspilled bytes\t\n")
	var worst, sum float64
	counted := 0
	for _, r := range rows {
		r.ours.print(w, r, "LLVM")
		if r.theirs != nil {
			r.theirs.print(w, r, "nvcc")
			if a, b := r.ours.perUpdate(r.updates), r.theirs.perUpdate(r.updates); a > 0 && b > 0 {
				worst, sum, counted = max(worst, a/b), sum+a/b, counted+1
			}
		}
	}
	w.Flush()
	if counted > 0 {
		fmt.Fprintf(out, "instructions per update, LLVM's to nvcc's: %.2f on average, %.2f at worst, of %d kernels\n", sum/float64(counted), worst, counted)
	}
}
