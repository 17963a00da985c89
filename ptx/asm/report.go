package asm

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// This file prints what a module is made of.

// A KernelReport is what a kernel is made of, for people and for JSON.
type KernelReport struct {
	Kernel       string         `json:"kernel"`
	Threads      [3]int         `json:"threads"`
	MinBlocks    int            `json:"minBlocksPerSM,omitempty"`
	SharedBytes  int64          `json:"sharedBytes"` // declared
	Instructions map[string]int `json:"instructions"`
	Blocks       []BlockReport  `json:"blocks"`
	// Core is the straight code of a full tile from barrier to barrier, in order.
	Core []StretchReport `json:"core"`
	// PerUpdate is the steps of the core, those without loads from global memory, per update.
	PerUpdate map[string]float64 `json:"perUpdate,omitempty"`
	Fusible   int                `json:"fusible"` // see Kernel.Fusible
}

// A BlockReport is a basic block.
type BlockReport struct {
	Label        string         `json:"label,omitempty"`
	Line         int            `json:"line"`
	Next         []int          `json:"next"` // numbers of blocks
	Instructions map[string]int `json:"instructions"`
	mix          Mix
}

// A StretchReport is the code between two barriers.
type StretchReport struct {
	Line         int            `json:"line"` // of the barrier before it
	Straight     bool           `json:"straight"`
	Step         bool           `json:"step"` // loads nothing from global memory
	Instructions map[string]int `json:"instructions"`
	mix          Mix
}

// Report returns what k, of m, is made of; updates are what a thread computes in a
// full tile, 0 if that is not known.
func (m *Module) Report(k *Kernel, updates int) KernelReport {
	r := KernelReport{
		Kernel: k.Name, Threads: k.Threads, MinBlocks: k.MinBlocks, Instructions: k.Mix().byName(), Fusible: len(k.Fusible()),
	}
	if code, err := m.Compile(k); err == nil {
		r.SharedBytes = code.shared
	}
	for _, b := range k.Blocks() {
		mix := k.mix(b.First, b.End)
		r.Blocks = append(r.Blocks, BlockReport{b.Label, k.Insts[b.First].Line, b.Next, mix.byName(), mix})
	}
	var steps Mix
	for _, s := range k.Core() {
		mix := k.MixOf(s)
		step := mix[GlobalLoad] == 0
		if step {
			steps = steps.Plus(mix)
		}
		r.Core = append(r.Core, StretchReport{k.Insts[s.From].Line, s.Straight, step, mix.byName(), mix})
	}
	if updates > 0 && len(r.Core) > 0 {
		r.PerUpdate = map[string]float64{"all": float64(steps.Total()) / float64(updates)}
		for c, n := range steps {
			r.PerUpdate[Class(c).String()] = float64(n) / float64(updates)
		}
	}
	return r
}

// byName returns the numbers of m that are not 0.
func (m Mix) byName() map[string]int {
	named := map[string]int{"all": m.Total()}
	for c, n := range m {
		if n > 0 {
			named[Class(c).String()] = n
		}
	}
	return named
}

// Text returns r as tables: the kernel, its blocks and its core.
func (r KernelReport) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d instructions in %d blocks", r.Kernel, r.Instructions["all"], len(r.Blocks))
	if r.Threads[0] > 0 {
		fmt.Fprintf(&b, ", %d x %d x %d threads", r.Threads[0], r.Threads[1], r.Threads[2])
	}
	fmt.Fprintf(&b, ", %d bytes of shared memory\n", r.SharedBytes)
	if r.Fusible > 0 {
		fmt.Fprintf(&b, "  %d sums may be fused with a product: their results need not be those of C\n", r.Fusible)
	}
	w := tabwriter.NewWriter(&b, 0, 1, 1, ' ', tabwriter.AlignRight)
	head := func(first string) {
		fmt.Fprintf(w, "  %s\tline\tall", first)
		for _, c := range Classes() {
			fmt.Fprintf(w, "\t%v", c)
		}
		fmt.Fprint(w, "\t  then\n")
	}
	row := func(name string, line int, m Mix, then string) {
		fmt.Fprintf(w, "  %s\t%d\t%d", name, line, m.Total())
		for _, n := range m {
			if n == 0 {
				fmt.Fprint(w, "\t.")
			} else {
				fmt.Fprintf(w, "\t%d", n)
			}
		}
		fmt.Fprintf(w, "\t  %s\n", then)
	}
	head("block")
	for i, x := range r.Blocks {
		row(fmt.Sprint(i), x.Line, x.mix, numbers(x.Next))
	}
	w.Flush()
	if len(r.Core) == 0 {
		b.WriteString("  no straight code from barrier to barrier\n")
		return b.String()
	}
	b.WriteString("  the longest way from barrier to barrier without a loop:\n")
	head("from")
	for i, s := range r.Core {
		kind := "copies"
		if s.Step {
			kind = "step"
		}
		if s.Straight {
			kind += ", straight"
		}
		row(fmt.Sprint(i), s.Line, s.mix, kind)
	}
	w.Flush()
	if r.PerUpdate != nil {
		fmt.Fprintf(&b, "  steps, per update: %.2f instructions:", r.PerUpdate["all"])
		sep := " "
		for _, c := range Classes() {
			if x := r.PerUpdate[c.String()]; x > 0 {
				fmt.Fprintf(&b, "%s%.2f %v", sep, x, c)
				sep = ", "
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func numbers(ns []int) string {
	texts := make([]string, len(ns))
	for i, n := range ns {
		texts[i] = fmt.Sprint(n)
	}
	return strings.Join(texts, " ")
}
