package schedules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/astgen/scan"
	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/schedule/tree"
)

// papers has what loops look like that are examples of papers: RR-8339, figure 9, and the idea of Grosser, Verdoolaege, Cohen: Polyhedral AST
// Generation Is More Than Scanning Polyhedra (TOPLAS 2015): separation, unrolling and isolation change how loops are written, not what runs.
var papers = []struct {
	file string
	core string      // how the loop starts that is looked at; "": all is
	most scan.Counts // in it, but for calls and divisions, of which there may be any number
	has  []string    // in it
}{
	{file: "figure9.st", core: "for (int c0 = 1; c0 <= 14; c0 += 1)", most: scan.Counts{Loops: 4, Mods: 4, Mins: 2, Maxes: 2}, has: []string{"c2 += 2"}},
	{file: "separate.in", most: scan.Counts{Loops: 3, Mins: 1, Maxes: 1}},
	{file: "unroll.st", core: "for (int c0 = 0; ", most: scan.Counts{Loops: 1}, has: []string{"S(c0);", "S(c0 + 1);", "S(c0 + 2);", "S(c0 + 3);"}},
	{file: "tiles.st", core: "for (int c1 = 0; ", most: scan.Counts{Loops: 3}, has: []string{"<= c0 + 31", "<= c1 + 31", "c1 += 32"}},
	{file: "stride.in", most: scan.Counts{Loops: 1}, has: []string{"c0 += 6"}},
	{file: "degenerate.st", most: scan.Counts{Loops: 1}, has: []string{"S(c0, c0);"}},
}

// TestPapers checks the loops of examples of papers, and runs them.
func TestPapers(t *testing.T) {
	for _, c := range papers {
		t.Run(c.file, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata/papers", c.file))
			require.NoError(t, err)
			root, err := tree.Parse(string(text))
			require.NoError(t, err)
			loops, err := scan.Loops(root)
			require.NoError(t, err)
			n, err := schedules.Check(root, schedules.Loops(loops), 8)
			require.NoError(t, err)
			require.NotZero(t, n)
			all := scan.C(loops)
			core := all
			if c.core != "" {
				core = loopFrom(all, c.core)
				require.NotEmpty(t, core, "no loop %s in\n%s", c.core, all)
			}
			got := scan.CountText(core)
			got.Calls, got.Divs = 0, 0
			assert.LessOrEqual(t, got.Loops, c.most.Loops, core)
			assert.LessOrEqual(t, got.Mods, c.most.Mods, core)
			assert.LessOrEqual(t, got.Mins, c.most.Mins, core)
			assert.LessOrEqual(t, got.Maxes, c.most.Maxes, core)
			assert.Equal(t, c.most.Ifs, got.Ifs, core)
			for _, h := range c.has {
				assert.Contains(t, core, h)
			}
		})
	}
}

// loopFrom returns the first loop in text that starts with head, with its body, by how lines are indented.
func loopFrom(text, head string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		bare := strings.TrimLeft(line, " ")
		if !strings.HasPrefix(bare, head) {
			continue
		}
		indent := len(line) - len(bare)
		end := i + 1
		for end < len(lines) && len(lines[end])-len(strings.TrimLeft(lines[end], " ")) > indent {
			end++
		}
		return strings.Join(lines[i:end], "")
	}
	return ""
}
