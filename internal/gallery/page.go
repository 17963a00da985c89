package gallery

import (
	"fmt"
	"regexp"
	"strings"
)

// Default returns arguments with which p computes what its picture on the page shows: none but those it has itself. The
// picture's name stands behind them.
func (p Program) Default() []string {
	if args := pictured[p.Name]; args != nil {
		return args
	}
	m := defaults.FindAllStringSubmatch(p.text, 2)
	var args []string
	for _, x := range m {
		args = append(args, x[1])
	}
	return args
}

// pictured are the arguments of programs whose text does not have them in that form.
var pictured = map[string][]string{"fitzhugh-nagumo": {"200", "2400"}, "option-1d": {"400", "7200"}, "poisson-3d": {"100", "50"}}

// The size and the steps that a program takes where no argument says them.
var defaults = regexp.MustCompile(`argc > [12]\s*\?[^:;]*:\s*(\d+)`)

// Page returns docs/gallery.md.
func Page(programs []Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, strings.ReplaceAll(`# Gallery

%d applications in C, one of them in C++, each written as its field writes it: flat arrays and rows, swapped pointers and planes, structs, borders of all kinds. hexcc takes all of
them as they are, without flags: a test builds what targets make of them, and compares what it prints and draws with the original, bit for bit (with 'HEXCC_TESTS=all' each target for all of them;
else OpenMP, C with OpenCL, CUDA, and PTX with the emulator for a fourth each).
'make gallery-bench' prints how fast each is beside its own parallel loops.

Of 'gauss-seidel', whose points need others of the same sweep, tiles are parallelograms that wait for each other. In 'advection-diffusion' sources add what follows from the hour,
'profile[(t / steps_per_hour) %% HOURS]': that is computed for all steps before the loop, which is tiled in time.

`, "'", "`"), len(programs))
	b.WriteString("| | |\n|---|---|\n")
	for _, p := range programs {
		fmt.Fprintf(&b, "| ![%s](images/gallery/%s.png) | **[%s](../examples/gallery/%s)** %s |\n", p.Name, p.Name, p.Name, p.file(), p.paragraphs())
	}
	return b.String()
}

var (
	blank = regexp.MustCompile(`\n[ \t]*\n`)
	white = regexp.MustCompile(`\s+`)
	title = regexp.MustCompile(`^[\w.-]+(?: -+ |: | - )`)
)

// paragraphs returns what the program says of itself, formulas as code, for one cell of a table.
func (p Program) paragraphs() string {
	var all []string
	for i, s := range blank.Split(p.About, -1) {
		indented := strings.HasPrefix(strings.TrimLeft(s, "\n"), "  ")
		var lines []string
		for line := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
			line = strings.ReplaceAll(strings.TrimRight(line, " "), "|", `\|`)
			formula := strings.HasPrefix(line, "   ") && line != ""
			if formula || indented {
				line = "`" + strings.TrimSpace(line) + "`<br>"
			}
			lines = append(lines, line)
		}
		text := white.ReplaceAllString(strings.Join(lines, " "), " ")
		if i == 0 {
			text = title.ReplaceAllString(text, "")
		}
		all = append(all, strings.TrimSuffix(strings.TrimSpace(text), "<br>"))
	}
	return strings.ReplaceAll(strings.Join(all, "<br>"), "<br> ", "<br>")
}
