package main

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/ptx/asm"
)

// This file prints rows.

// sassBytes is the size of an instruction of the hardware since sm_70.
const sassBytes = 16

// sideBySide prints a line for each kernel: instructions of the steps per update,
// and what ptxas makes of the whole kernel.
func sideBySide(out io.Writer, rows []row) {
	w := tabwriter.NewWriter(out, 0, 1, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\t\t\tper update:\t\t\tregisters:\t\tspilled:\t\twhole code:\t\t\n")
	fmt.Fprint(w, "case\tphase\tupdates\tLLVM\tnvcc\tratio\tLLVM\tnvcc\tLLVM\tnvcc\tLLVM\tnvcc\t\n")
	for _, r := range rows {
		a, b := r.ours.usage, r.theirs.usage
		fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", r.name, r.phase, r.updates,
			known(r.ours.perUpdate(r.updates)), known(r.theirs.perUpdate(r.updates)), known(r.ratio()),
			of(a, a.Registers), of(b, b.Registers), of(a, a.Spilled), of(b, b.Spilled), of(a, a.Code/sassBytes), of(b, b.Code/sassBytes))
	}
	w.Flush()
}

// known returns x, a dash if it is not known.
func known(x float64) string {
	if x == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", x)
}

// of returns n of a kernel that ptxas has assembled, a dash if it has not.
func of(u nvcc.Usage, n int) string {
	if u.Registers == 0 {
		return "-"
	}
	return fmt.Sprint(n)
}

// byClass prints for each kernel, by each compiler, the steps by class of instruction, per update.
func byClass(out io.Writer, rows []row) {
	w := tabwriter.NewWriter(out, 0, 1, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "case\tphase\tupdates\tby\tper update\t")
	for _, c := range asm.Classes() {
		fmt.Fprintf(w, "%v\t", c)
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		for _, m := range []struct {
			by string
			made
		}{{"LLVM", r.ours}, {"nvcc", r.theirs}} {
			if r.updates == 0 || m.steps.Total() == 0 {
				continue
			}
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t%.2f\t", r.name, r.phase, r.updates, m.by, m.perUpdate(r.updates))
			for _, c := range asm.Classes() {
				fmt.Fprintf(w, "%.2f\t", float64(m.steps[c])/float64(r.updates))
			}
			fmt.Fprintln(w)
		}
	}
	w.Flush()
}

// summary prints the ratios of all rows in a line.
func summary(out io.Writer, rows []row) {
	var worst, sum float64
	counted := 0
	for _, r := range rows {
		if x := r.ratio(); x > 0 {
			worst, sum, counted = max(worst, x), sum+x, counted+1
		}
	}
	if counted > 0 {
		fmt.Fprintf(out, "instructions per update, LLVM's to nvcc's: %.2f on average, %.2f at worst, of %d kernels\n", sum/float64(counted), worst, counted)
	}
}
