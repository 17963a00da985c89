package openmp

import (
	"fmt"
	"maps"
	"strings"

	"github.com/hexcc/hexcc/ctext"
)

// This file prints a translation as two files to be compiled on their own: what the user's source includes, which is short, and the functions, which follow from
// the regions alone. Where something else of the source changes, what compilers make of the functions stays.

// hiddenLinkage is how a function is declared that only the user's object calls.
const hiddenLinkage = `__attribute__((visibility("hidden"))) `

// An Apart is a translation in two files.
type Apart struct {
	Calls     string   // what goes before the user's source: functions that test facts, and declarations of the others
	Functions string   // a file of its own, which defines these
	Names     []string // of the functions that Calls declares, as linkers know them
}

// Apart returns f in two files. It is for threads of one machine.
func (f File) Apart() Apart {
	if len(f.regions) == 0 {
		panic("openmp: Apart: a file without regions, or for MPI")
	}
	linkage := hiddenLinkage
	if f.scop.Cxx {
		linkage = `extern "C" ` + linkage
	}
	a := Apart{}
	var calls, functions strings.Builder
	helpers, said := map[string]bool{}, map[string]bool{}
	for _, r := range f.regions {
		maps.Copy(helpers, r.helpers)
		calls.WriteString("\n" + linkage + r.run + ";\n" + r.test)
		head, _, _ := strings.Cut(r.run, "(") // what follows may go on over several lines
		if strings.Count(r.text, "static "+head+"(") != 1 {
			panic(fmt.Sprintf("openmp: Apart: the definition of %s in\n%s", r.run, r.text))
		}
		functions.WriteString("\n" + strings.Replace(r.text, "static "+head+"(", linkage+head+"(", 1))
		said["say"] = said["say"] || r.test != ""
		a.Names = append(a.Names, r.names.Function())
	}
	helpers["say"] = strings.Contains(functions.String(), "hexcc_say(")
	a.Calls = f.surrounded(helperText(said) + calls.String())
	a.Functions = about(f.regions) + f.surrounded(helperText(helpers)+functions.String())
	return a
}

// surrounded returns body with what it needs before and after it, without marks.
func (f File) surrounded(body string) string {
	text, _ := unmarked(surrounded(f.regions, body))
	text, _ = ctext.Unplaced(text)
	return text
}
