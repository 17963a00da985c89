// Command kernels prints what the kernels of every case of testdata do under each
// use of shared memory, one line for a strategy, by letter: counted exactly of a
// full tile, emulated on a small grid, and what NVIDIA's compiler makes of the text.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// A reporter knows how to report on a case.
type reporter struct {
	arch, tile string
	streams    bool   // report on kernels whose rows stream
	nvcc       string // its path; "" if there is none:
	noNVCC     error  // why
	sass       sass.Compiler
	noSASS     error // why there is none; asked for where rows stream
}

func main() {
	cases := flag.String("cases", "testdata/*.txtar", "the cases")
	arch := flag.String("arch", machine.DefaultArch, "the architecture to choose tile sizes for")
	kernel := flag.String("kernel", "tiles", "tiles, or streaming: kernels whose rows stream through registers")
	tile := flag.String("tile", "", "tile sizes, as for hexcc --tile; chosen by the model for each case where it is empty")
	compile := flag.Bool("compile", true, "compile the kernels with nvcc, of $HEXCC_NVCC or PATH")
	cache := flag.String("cache", "out/sass-replay", "with -kernel=streaming, a folder in which machine code is kept, by the text of kernels; empty: none")
	jobs := flag.Int("j", runtime.NumCPU(), "cases at once")
	flag.Parse()
	r := reporter{arch: *arch, tile: *tile, noNVCC: fmt.Errorf("not asked for")}
	switch *kernel {
	case "streaming":
		r.streams = true
	case "tiles":
	default:
		fmt.Fprintf(os.Stderr, "kernels: -kernel=%s: tiles or streaming\n", *kernel)
		os.Exit(2)
	}
	if *compile {
		r.nvcc, r.noNVCC = nvcc.Find()
	}
	if r.noSASS = r.noNVCC; r.streams && r.noNVCC == nil {
		r.sass, r.noSASS = sass.NewCompiler(r.arch, *cache)
	}
	if err := r.all(os.Stdout, os.Stderr, *cases, *jobs); err != nil {
		fmt.Fprintln(os.Stderr, "kernels:", err)
		os.Exit(1)
	}
}

const legend = `What the kernels do; docs/kernels.md explains it.
counted: of a full tile that follows a full tile. By update (a statement instance), accesses to shared memory and bytes of
global memory; by tile, updates, elements loaded (also by a tile that follows no full tile), moved and stored, barriers, places in the
code where threads branch, of all the tile and of its steps (core); bytes of shared memory.
emulated: the same tile, by warps of 32 threads. By update, sectors of 32 bytes that loads and stores touch, together, and those of
them beyond the least possible; wavefronts lost to bank conflicts by request to shared memory; of the steps, divergent branches by tile and idle lanes; operations by update.
compiled: by ptxas, the larger of the two kernels: registers of a thread, bytes of a thread that are spilled, bytes of shared memory,
bytes of code, and blocks and warps on a multiprocessor with what there is no more of.
`

// all reports on every case that glob matches, several at a time, in their order.
func (r *reporter) all(out, progress io.Writer, glob string, jobs int) error {
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		return fmt.Errorf("no case matches %s", glob)
	}
	report := r.report
	if r.streams {
		report = r.streaming
		fmt.Fprint(out, streamLegend)
	} else {
		fmt.Fprint(out, legend)
	}
	if r.noNVCC != nil {
		fmt.Fprintf(out, "No column of compiled: %v.\n", r.noNVCC)
	}
	if r.streams && r.noSASS != nil {
		fmt.Fprintf(out, "No machine instructions: %v.\n", r.noSASS)
	}
	type outcome struct {
		text string
		took time.Duration
		err  error
	}
	done := make([]chan outcome, len(paths))
	free := make(chan bool, max(1, jobs))
	for i := range paths {
		done[i] = make(chan outcome, 1)
	}
	go func() {
		for i, path := range paths {
			free <- true
			go func() {
				start := time.Now()
				text, err := report(path)
				done[i] <- outcome{text, time.Since(start), err}
				<-free
			}()
		}
	}()
	failed := 0
	for i, path := range paths {
		o := <-done[i]
		fmt.Fprintf(progress, "%d of %d: %s, %.1f s\n", i+1, len(paths), caseName(path), o.took.Seconds())
		if o.err != nil {
			failed++
			o.text += fmt.Sprintf("\n%s: %v\n", caseName(path), o.err)
		}
		fmt.Fprint(out, o.text)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d cases failed", failed, len(paths))
	}
	return nil
}

func caseName(path string) string { return strings.TrimSuffix(filepath.Base(path), ".txtar") }

// report returns the lines of one case; with an error, those that there are.
func (r *reporter) report(path string) (string, error) {
	src, err := sourceOf(path)
	if err != nil {
		return "", err
	}
	o := hexcc.Options{Arch: r.arch, Strategy: hexcc.Hybrid, Kernel: hexcc.Tiles, Stop: "tile"}
	if o.Tile, err = schedule.ParseSizes(r.tile); err != nil {
		return "", err
	}
	chosen, err := hexcc.Compile(src, o)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, %v, %s\n", caseName(path), chosen.Sizes, r.arch)
	counts, err := countAll(chosen, r.arch)
	if err != nil {
		return b.String(), err
	}
	section(&b, "counted", countedHead, func(st lower.Strategy) string { return counted(counts[st]) })
	section(&b, "emulated", emulatedHead, func(st lower.Strategy) string {
		did, e := emulated(src, hexcc.Options{Arch: r.arch, Tile: &chosen.Sizes}, st)
		if e != nil {
			err = e
			return "  " + e.Error()
		}
		if e = did.agrees(counts[st], slices.ContainsFunc(chosen.Scop.Stmts, (*scop.Stmt).Branches)); e != nil {
			err = e
		}
		return did.String()
	})
	if err != nil || r.nvcc == "" {
		return b.String(), err
	}
	made := compiled{}
	for _, arch := range compiledFor {
		section(&b, "compiled, "+arch, compiledHead, func(st lower.Strategy) string {
			text, e := made.kernels(r.nvcc, src, hexcc.Options{Arch: r.arch, Tile: &chosen.Sizes, Memory: st}, arch)
			if e != nil {
				err = e
			}
			return text
		})
	}
	return b.String(), err
}

// section writes a line for each strategy.
func section(b *strings.Builder, title, head string, line func(lower.Strategy) string) {
	fmt.Fprintf(b, "  %-15s%s\n", title, head)
	for _, st := range lower.Strategies() {
		fmt.Fprintf(b, "  (%s) %-11s%s\n", st.Letter(), st, line(st))
	}
}

// sourceOf returns the program of a case.
func sourceOf(path string) (hexcc.Source, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return hexcc.Source{}, err
	}
	return hexcc.Source{Name: "input.c", Text: txtar.Parse(text).Files[0].Data}, nil
}
