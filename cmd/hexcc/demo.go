package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/report"
)

// Run takes the whole tour on the built-in example.
func (c *demoCmd) Run(s *session) error {
	start := time.Now()
	say := func(format string, args ...any) { fmt.Fprintf(s.stdout, format+"\n", args...) }
	src := hexcc.Source{Name: "jacobi-2d.c", Text: hexcc.Example}
	s.texts = map[string][]byte{src.Name: src.Text}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		return err
	}
	say("1. A stencil in plain C, %s:\n", filepath.Join(c.Output, src.Name))
	say("%s", indent(regionText(src.Text)))

	res, err := hexcc.Compile(src, hexcc.Options{Base: "jacobi-2d"})
	flags := &sourceFlags{File: src.Name}
	if err := s.diagnose(flags, res, err); err != nil {
		return err
	}
	say("2. Translated in %v, for all sizes at once:\n", res.Total().Round(time.Millisecond))
	say("  dependences  %d, %s", len(res.Deps), strings.ReplaceAll(strings.TrimSpace(res.Cone.String()), "\n", ", "))
	if res.Streams != nil {
		say("  tile         %v, of rows that stream through registers", res.Sizes)
	} else {
		say("  tile         %v, chosen among %d that fit", res.Sizes, res.Choice.Tried)
	}
	say("%s", indent(res.Proofs.String()))

	base := filepath.Join(c.Output, "jacobi-2d")
	files := append(translation(base, hexcc.CUDA, res),
		outFile{path: base + ".c", text: src.Text},
		outFile{path: base + ".svg", text: report.Plot(report.PlotOptions{}, res.Products())},
		outFile{path: base + ".html", text: report.HTML(res.Page(src, "jacobi-2d"))},
		outFile{path: base + ".txt", text: []byte("# " + ctext.Made + " from jacobi-2d.c: hexcc inspect prints the like\n\n" + report.Inspect(res.Products()).Text())})
	if err := s.write(c.Force, files...); err != nil {
		return err
	}
	say("3. Verified without a GPU: the C program and the kernels run on equal input, every element compared.\n")
	_, err = s.verify(flags, emulate.Request{
		Program: res.GPU, Schedule: res.Schedule, Proofs: res.Proofs, Seed: 1,
	})
	if err != nil {
		return err
	}
	say("\n4. Written, in %.1f s altogether:\n", time.Since(start).Seconds())
	for _, f := range []struct{ end, what string }{
		{".hex_kernel.cu", "the kernels and the function that launches them"},
		{".hex_host.cu", "the C file with the region replaced by a call"},
		{".hex.h", "the function's declaration"},
		{".html", "all of it on one page, linked: open it in a browser"},
		{".svg", "pictures of the tiling"},
		{".txt", "what was found and decided"},
	} {
		say("  %-32s %s", base+f.end, f.what)
	}
	say("\nNext: hexcc FILE.c, hexcc verify FILE.c, hexcc help")
	return nil
}

// regionText returns the lines from #pragma scop to #pragma endscop.
func regionText(src []byte) string {
	_, after, _ := strings.Cut(string(src), "#pragma scop\n")
	inside, _, _ := strings.Cut(after, "#pragma endscop")
	return "#pragma scop\n" + inside + "#pragma endscop\n"
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}
