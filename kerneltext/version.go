package kerneltext

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints the versions of kernels, for indices of 32 and of 64 bits, and how a host chooses one.

// A Version is a gpu.Version and its kernels as text.
type Version struct {
	gpu.Version
	Printed  []Kernel
	Pipeline *Pipeline // that the kernels share; nil: there is none
}

// Versions returns the versions of p, printed with the names of s.
func Versions(p Part, s *Spelling) (versions []Version) {
	for i, v := range p.Program.Versions() {
		printed := Version{Version: v, Pipeline: s.in(v.Index).pipeline(v.Kernels, p.Names.StreamName(i))}
		for _, k := range v.Kernels {
			q := printed.Pipeline
			var text Kernel
			if name := p.Names.Kernel(k, i); q != nil && s.Orders == nil {
				text = printLaunched(k, q, name, s.in(v.Index))
			} else {
				text = Print(k, name, s.in(v.Index))
			}
			if q != nil {
				maps.Copy(text.Uses, q.Uses)
			}
			printed.Printed = append(printed.Printed, text)
		}
		versions = append(versions, printed)
	}
	return versions
}

// WithoutBodies returns p and its versions without the bodies of kernels, which take most of their memory and which
// nothing reads once kernels are printed.
func WithoutBodies(p Part, versions []Version) (Part, []Version) {
	q := *p.Program
	q.Kernels = bare(q.Kernels)
	p.Program = &q
	var out []Version
	for _, v := range versions {
		kernels := bare(v.Kernels)
		printed := slices.Clone(v.Printed)
		for i := range printed {
			printed[i].Kernel = kernels[i]
		}
		v.Kernels = kernels
		out = append(out, Version{v.Version, printed, v.Pipeline})
	}
	return p, out
}

// bare returns kernels without their bodies.
func bare(kernels []*gpu.Kernel) (out []*gpu.Kernel) {
	for _, k := range kernels {
		b := *k
		b.Body = nil
		out = append(out, &b)
	}
	return out
}

// All returns the kernels of all versions.
func All(versions []Version) (all []Kernel) {
	for _, v := range versions {
		all = append(all, v.Printed...)
	}
	return all
}

// KernelPrefix goes before the names of helpers in kernels, and in hosts that stand in one file with them.
func KernelPrefix(index scop.Type) string {
	if index == scop.Int {
		return ""
	}
	return index.String() + "_"
}

// in returns s for kernels with indices of type t.
func (s *Spelling) in(t scop.Type) *Spelling {
	inner, out := *s.Spelling, *s
	inner.Index, inner.Prefix = t, KernelPrefix(t)
	out.Spelling = &inner
	return &out
}

// Join returns the kernels of p one after the other, a comment before each, and
// where in the text statements run.
func Join(p *gpu.Program, versions []Version) (string, []Run) {
	var text strings.Builder
	var runs []Run
	for i, v := range versions {
		note := ""
		if i > 0 {
			note = " Indices have 64 bits."
		}
		if v.Pipeline != nil {
			runs = append(runs, Moved(v.Pipeline.Runs, text.Len())...)
			text.WriteString(v.Pipeline.Text)
		}
		for _, k := range v.Printed {
			what := fmt.Sprintf("Phase %d of time tile %s", k.Phase, p.T)
			if p.Fronts != nil {
				what = "The tiles of a front"
			}
			fmt.Fprintf(&text, "\n// %s: %s.%s\n", what, k.blocks(), note)
			runs = append(runs, Moved(k.Runs, text.Len())...)
			text.WriteString(k.Text)
		}
	}
	return text.String(), runs
}

// blocks says which tiles a block runs.
func (k Kernel) blocks() string {
	if k.First == nil {
		var tile []string
		for _, x := range k.Grid {
			tile = append(tile, x.Var)
		}
		return "the chain of tiles at " + strings.Join(tile, ", ")
	}
	if len(k.Grid) == 1 {
		return fmt.Sprintf("block b runs the tiles %s = %s + b", k.Grid[0].Var, k.First[0])
	}
	var at, tiles []string
	for i, x := range k.Grid {
		at = append(at, GridAxes[i])
		tiles = append(tiles, fmt.Sprintf("%s = %s + %s", x.Var, k.First[i], GridAxes[i]))
	}
	return fmt.Sprintf("block (%s) runs the tiles %s", strings.Join(at, ", "), strings.Join(tiles, ", "))
}

// GridAxes are the axes of a grid.
var GridAxes = [gpu.MaxAxes]string{"x", "y", "z"}

// HelpersIn returns the names of the helpers that x has used, with its prefix.
func HelpersIn(x ctext.Indexer) map[string]bool {
	uses := map[string]bool{}
	for _, f := range ctext.Helpers {
		if x.Uses[f.Name] {
			uses[x.Prefix+f.Name] = true
		}
	}
	return uses
}

// HelperUses returns the names of the helpers that kernels use.
func HelperUses(versions []Version) map[string]bool {
	uses := map[string]bool{}
	for _, v := range versions {
		for name := range Uses(v.Printed) {
			uses[KernelPrefix(v.Index)+name] = true
		}
	}
	return uses
}

// HelperTexts returns the definitions of the helpers that uses names. Of int, languages of GPUs have min and max.
func HelperTexts(uses map[string]bool, qualifiers string) (texts []string) {
	for _, t := range []scop.Type{scop.Int, scop.Long} {
		prefix := KernelPrefix(t)
		for _, f := range ctext.Helpers {
			own := t == scop.Int && (f.Name == "min" || f.Name == "max")
			if uses[prefix+f.Name] && !own {
				texts = append(texts, f.Text(t, qualifiers, prefix))
			}
		}
	}
	return texts
}

// OnlyWide lets tests and measurements run the kernels with indices of 64 bits at all sizes.
const OnlyWide = `
#ifndef HEXCC_WIDE
#define HEXCC_WIDE 0 // 1: indices have 64 bits whatever the size
#endif
`

// Choose prints the choice among the versions of the program, if there are two: a variable that says whether the first suffices.
func (h *Host) Choose() {
	versions := h.Program.Versions()
	if len(versions) < 2 {
		return
	}
	conds := []string{"!HEXCC_WIDE"}
	for _, r := range versions[0].Where {
		conds = append(conds, h.Row(r))
	}
	h.Line("const int narrow = %s; // then indices of 32 bits suffice", strings.Join(conds, " && "))
}

// Chosen prints what body prints for each version, where it is the one to run.
func (h *Host) Chosen(body func(version int)) {
	if len(h.Program.Versions()) < 2 {
		body(0)
		return
	}
	h.Line("if (narrow) {")
	h.Depth++
	body(0)
	h.Depth--
	h.Line("} else {")
	h.Depth++
	body(1)
	h.Depth--
	h.Line("}")
}
