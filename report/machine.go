package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/internal/listing"
)

// This file shows machine code on a page: which instructions a compiler made of which line of the kernels.

// A MachineCode is what a compiler made of the text of a page.
type MachineCode struct {
	Language  string // what the instructions are of: SASS of sm_80
	Command   string // what made them
	Functions []listing.Function
}

// mostPage is how many bytes a page with machine code has at most; what is left out is said.
const mostPage = 960_000

// A pageMachine is machine code as the template sees it.
type pageMachine struct {
	Language, Command, Note string
	Functions               [][]string // name, instructions, the most frequent operations
	Groups                  []machineGroup
}

// A machineGroup is instructions next to each other that are of one line.
type machineGroup struct {
	Line int // 0: of none
	Keys string
	Text string // a line for each
}

// size is about what g takes on the page.
func (g machineGroup) size() int { return len(g.Text) + len(g.Keys) + 48 }

// counts returns how many instructions are of each line of the kernels.
func (m *MachineCode) counts() map[int]int {
	n := map[int]int{}
	if m != nil {
		for _, f := range m.Functions {
			for _, in := range f.Instructions {
				n[in.Line]++
			}
		}
	}
	return n
}

// page returns m in at most so many bytes, lines being those of the kernels. What runs statements goes before all else.
func (m *MachineCode) page(lines []codeLine, bytes int) *pageMachine {
	p := &pageMachine{Language: m.Language, Command: m.Command}
	total := 0
	var groups []machineGroup
	for _, f := range m.Functions {
		total += len(f.Instructions)
		p.Functions = append(p.Functions, []string{f.Name, fmt.Sprint(len(f.Instructions)), frequent(f)})
		groups = append(groups, machineGroup{Text: f.Name + ":\n"})
		for i, in := range f.Instructions {
			g := machineGroup{Line: in.Line}
			if in.Line > len(lines) {
				g.Line = 0
			} else if in.Line > 0 {
				g.Keys = lines[in.Line-1].Keys
			}
			if last := &groups[len(groups)-1]; i == 0 || last.Line != g.Line || in.Label != "" {
				groups = append(groups, g)
			}
			last := &groups[len(groups)-1]
			if in.Label != "" {
				last.Text += in.Label + ":\n"
			}
			last.Text += "    " + in.Text + "\n"
		}
	}
	kept := make([]bool, len(groups))
	for _, first := range []bool{true, false} {
		for i, g := range groups {
			if first == (g.Keys != "" || !strings.HasPrefix(g.Text, " ") && !strings.HasPrefix(g.Text, ".")) && g.size() <= bytes {
				kept[i] = true
				bytes -= g.size()
			}
		}
	}
	shown := 0
	for i, g := range groups {
		switch n := len(p.Groups); {
		case kept[i]:
			p.Groups = append(p.Groups, g)
			shown += strings.Count(g.Text, "\n    ")
			if strings.HasPrefix(g.Text, "    ") {
				shown++
			}
		case n > 0 && p.Groups[n-1].Text != leftOut:
			p.Groups = append(p.Groups, machineGroup{Text: leftOut})
		}
	}
	p.Note = fmt.Sprintf("%d instructions.", total)
	if shown < total {
		p.Note = fmt.Sprintf("%d of %d instructions: a page has room for no more. Those that run statements go before others; counts are of all.", shown, total)
	}
	return p
}

const leftOut = "    ..\n"

// frequent returns the operations that f has most of.
func frequent(f listing.Function) string {
	n := map[string]int{}
	for _, in := range f.Instructions {
		n[in.Operation()]++
	}
	names := slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), cmp.Compare(a, b)) })
	var words []string
	for _, name := range names[:min(len(names), 10)] {
		words = append(words, fmt.Sprintf("%s %d", name, n[name]))
	}
	return strings.Join(words, ", ")
}
