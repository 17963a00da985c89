package cuda

import (
	_ "embed" // the text of flags
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/kerneltext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints tiles that wait for each other: one kernel runs all time tiles and phases. Its blocks take chains in
// turn by an atomic counter; thread 0 of a block waits and signals for it.

// flags is what the device knows of chains, and orders what the host does.
//
//go:embed text/flags.cu
var flags string

//go:embed text/orders.cu
var orders string

// patience is the macro that says how long a tile waits.
const patience = `
#ifndef HEXCC_PATIENCE
#define HEXCC_PATIENCE %d // seconds that a tile waits for another one before the kernel ends with an error; 0: any time
#endif
`

// patient is how many seconds tiles wait in a program that is being checked.
const patient = 20

// chained reports whether tiles of p wait for each other.
func chained(p part) bool { return p.spelling.Orders != nil }

// flags prints what kernels with chains use, if any of the file are.
func (h *host) flags(parts []part) {
	if !slices.ContainsFunc(parts, chained) {
		return
	}
	seconds := 0
	if parts[0].Names.Check {
		seconds = patient
	}
	h.Raw(fmt.Sprintf(patience, seconds) + flags)
}

// wholes returns the kernels that run the chains of versions of p.
func wholes(p Part, s *kerneltext.Spelling, versions []kerneltext.Version) (all []kerneltext.Whole) {
	if s.Orders == nil {
		return nil
	}
	for i, v := range versions {
		all = append(all, s.Chained(v, p.Names.Chains(i)))
	}
	return all
}

// whole prints the kernel that runs the chains of a version.
func (h *host) whole(version int) {
	w, v, s := h.wholes[version], h.versions[version], h.spelled
	order, taken, t := s.Orders.Name, s.Orders.Taken, s.TimeTile
	note := ""
	if version > 0 {
		note = " Indices have 64 bits."
	}
	grid := v.Printed[0].Grid
	h.Raw(fmt.Sprintf("\n// All tiles: a block takes one chain after the other.%s\n", note))
	h.Line("%s", head(kerneltext.Threads(w.Kernel.Kernel), w.Resident))
	h.Line("%s(%s)", w.Name, strings.Join(append(s.Declarations(w), "const struct hexcc_order "+order), ", "))
	h.Braces("", func() {
		h.Braces("for (;;)", func() {
			h.Line("unsigned long long %s = hexcc_take(%s);", taken, order)
			h.Line("if (%s >= %s.count)", taken, order)
			h.Line("  return;")
			for axis, x := range grid {
				h.Line("const long %s = (long)(%s.first[%d] + (long long)(%s %% %s.width[%d]));", x.Var, order, axis, taken, order, axis)
				h.Line("%s /= %s.width[%d];", taken, order, axis)
			}
			h.Line("const long %s = (long)(%s.begin + (long long)(%s / %d));", t, order, taken, len(v.Printed))
			h.Line("switch (%s %% %d) {", taken, len(v.Printed))
			for i, k := range v.Printed {
				h.Line("case %d:", i)
				h.Depth++
				h.chain(w, k, i, v.Index)
				h.Line("break;")
				h.Depth--
			}
			h.Line("}")
		})
	})
}

// chain prints a chain: its tiles, if there are any, and its end.
func (h *host) chain(w kerneltext.Whole, k kerneltext.Kernel, phase int, index scop.Type) {
	s := h.spelled
	var conds, args []string
	for axis, x := range k.Grid {
		conds = append(conds, fmt.Sprintf("%s <= %s && %s <= %s", w.Grids[phase][axis].Lo, x.Var, x.Var, w.Grids[phase][axis].Hi))
	}
	for _, a := range k.Args {
		name := a.Name
		if a.Index && index != scop.Long {
			name = fmt.Sprintf("(%v)%s", index, name)
		}
		args = append(args, name)
	}
	h.Line("if (%s)", strings.Join(conds, " && "))
	h.Line("  %s(%s);", k.Name, strings.Join(append(args, s.Orders.Name), ", "))
	h.Line("%s", s.AwaitText(k.Kernel, "HEXCC_ENDED"))
	h.Line("%s", s.SignalText(k.Kernel, "HEXCC_ENDED"))
}

// startChains prints the launches of the kernel that runs all chains: one, unless there are so many that their flags take much memory.
func (h *host) startChains() {
	order, last, most := h.Fresh("order"), h.Fresh("last"), h.Fresh("most")
	t := h.Program.T
	k := h.versions[0].Printed[0]
	lo, hi := h.Fresh(t+"_lo"), h.Fresh(t+"_hi")
	h.Line("const long %s = %s, %s = %s; // time tiles", lo, h.Expr(h.Program.TLo), hi, h.Expr(h.Program.THi))
	h.Line("cudaError_t error = cudaSuccess;")
	h.Line("struct hexcc_order %s = hexcc_no_tiles();", order)
	h.Line("long long %s[3] = {0, 0, 0}, %s = 0;", last, most)
	h.Line("dim3 blocks;")
	h.Braces(fmt.Sprintf("for (long %s = %s; %s <= %s; %s++)", t, lo, t, hi, t), func() {
		for _, grid := range h.wholes[0].Grids {
			for axis, x := range grid {
				h.Line("hexcc_widen(&%s, %s, %d, %s, %s);", order, last, axis, x.Lo, x.Hi)
			}
		}
	})
	h.Line("if (!hexcc_some_tiles(&%s, %s, %d))", order, last, len(k.Grid))
	h.Line("  return 0;")
	h.Line("HEXCC_TRY(hexcc_flags(&%s, %d, (long long)%s - %s + 1, &%s, stream));", order, len(h.Program.Kernels), hi, lo, most)
	h.Braces(fmt.Sprintf("for (%s.begin = %s; %s.begin <= %s; %s.begin += %s)", order, lo, order, hi, order, most), func() {
		h.Line("HEXCC_TRY(hexcc_from(&%s, %d, %s, %s, stream));", order, len(h.Program.Kernels), hi, most)
		h.Chosen(func(version int) {
			w := h.wholes[version]
			threads := kerneltext.Threads(w.Kernel.Kernel)
			args := []string{w.Name, "blocks", fmt.Sprintf("dim3(%d, %d, %d)", threads[0], threads[1], threads[2]), fmt.Sprint(w.Dynamic), "stream"}
			for _, a := range w.Args {
				args = append(args, a.Name)
				h.Uses[a.Name] = true
			}
			h.Line("HEXCC_TRY(%s);", allow(w.Name, w.Dynamic))
			h.Line("HEXCC_TRY(hexcc_at_once(%s, %d, %d, %s.count, &blocks));", w.Name, threads[0]*threads[1]*threads[2], w.Dynamic, order)
			h.Line("HEXCC_TRY(hexcc_launch(%s));", strings.Join(append(args, order), ", "))
		})
	})
	h.Raw("done:\n")
	h.Line("if (%s.chain != NULL)", order)
	h.Line("  HEXCC_END(cudaFreeAsync(%s.chain, stream));", order)
	h.Line("return (int)error;")
}

// launched returns the kernels that the host launches.
func (h *host) launched() (all []kerneltext.Kernel) {
	if h.wholes == nil {
		return h.kernels()
	}
	for _, w := range h.wholes {
		all = append(all, w.Kernel)
	}
	return all
}

// helperUses returns the names of the helpers that kernels use.
func (h *host) helperUses() map[string]bool {
	uses := kerneltext.HelperUses(h.versions)
	for _, w := range h.wholes {
		for name := range w.Uses {
			uses[kerneltext.KernelPrefix(scop.Long)+name] = true
		}
	}
	return uses
}
