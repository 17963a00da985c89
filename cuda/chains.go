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

// flags is what the device does with chains, and orders what the host does by CUDA's runtime.
//
//go:embed text/flags.cu
var flags string

//go:embed text/orders.cu
var orders string

// chained reports whether tiles of p wait for each other.
func chained(p part) bool { return p.spelling.Orders != nil }

// tiles is what the device does with tiles that wait besides, and rows what it does with rows that stream.
//
//go:embed text/tiles.cu
var tiles string

//go:embed text/rows.cu
var rows string

// diagonal is how chains of three dimensions are taken.
//
//go:embed text/diagonal.cu
var diagonal string

// lines is what streams do in three dimensions, whose warps hold several lines of a strip.
//
//go:embed text/lines.cu
var lines string

// fetch is how threads copy to shared memory without waiting.
//
//go:embed text/fetch.cu
var fetch string

// flags prints what kernels with chains use, if any of the file are.
func (h *host) flags(parts []part) {
	if slices.ContainsFunc(parts, func(p part) bool { return p.fetches }) {
		h.Raw(fetch)
	}
	if !slices.ContainsFunc(parts, chained) {
		return
	}
	h.Raw(parts[0].Names.Patience() + kerneltext.ChainTypes + flags)
	if slices.ContainsFunc(parts, func(p part) bool { return chained(p) && !p.streams }) {
		h.Raw(tiles)
	}
	if slices.ContainsFunc(parts, func(p part) bool { return p.streams }) {
		h.Raw(rows)
	}
	if slices.ContainsFunc(parts, func(p part) bool { return p.streams && p.spelling.Orders.Diagonal > 0 }) {
		h.Raw(diagonal)
		h.Raw(lines)
	}
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
	h.Line("%s", head(w.Kernel.Kernel))
	h.Line("%s(%s)", w.Name, strings.Join(append(s.Declarations(w), "const struct hexcc_order "+order), ", "))
	h.Braces("", func() {
		h.Braces("for (;;)", func() {
			h.Line("unsigned long long %s = hexcc_take(%s);", taken, order)
			if n := s.Orders.Diagonal; n > 0 {
				h.Line("const int %s = hexcc_diagonal(%s, %d, &%s);", s.Orders.Found, order, n, taken)
				h.Line("if (%s < 0)", s.Orders.Found)
				h.Line("  return;")
				h.Line("if (%s == 0)", s.Orders.Found)
				h.Line("  continue;")
			} else {
				h.Line("if (%s >= %s.count)", taken, order)
				h.Line("  return;")
			}
			for axis, x := range grid {
				h.Line("const long %s = (long)(%s.first[%d] + (long long)(%s %% %s.width[%d]));", x.Var, order, axis, taken, order, axis)
				h.Line("%s /= %s.width[%d];", taken, order, axis)
			}
			h.Line("const long %s = (long)(%s.begin + (long long)(%s / %d));", t, order, taken, len(v.Printed))
			chain := w.Chain
			if chain != "" {
				h.Line("struct hexcc_stream %s = {0, 0, 0, 0, -1};", chain)
				h.Line("bool %s = false;", w.Some)
			}
			h.Line("switch (%s %% %d) {", taken, len(v.Printed))
			for i, k := range v.Printed {
				h.Line("case %d:", i)
				h.Depth++
				h.chain(w, k, i, v.Index)
				h.Line("break;")
				h.Depth--
			}
			h.Line("}")
			if chain != "" {
				h.stream(w, v)
			}
		})
	})
}

// chain prints a chain: its tiles, if there are any, and its end.
func (h *host) chain(w kerneltext.Whole, k kerneltext.Kernel, phase int, index scop.Type) {
	s := h.spelled
	var conds []string
	for axis, x := range k.Grid {
		conds = append(conds, fmt.Sprintf("%s <= %s && %s <= %s", w.Grids[phase][axis].Lo, x.Var, x.Var, w.Grids[phase][axis].Hi))
	}
	args := passed(k.Args, index)
	if w.Chain != "" {
		h.Line("%s = %s;", w.Some, strings.Join(conds, " && "))
		h.Line("%s = %s(%s);", w.Chain, k.Name, strings.Join(args, ", "))
		h.Line("%s", w.Keep[phase])
		return
	}
	h.Line("if (%s)", strings.Join(conds, " && "))
	h.Line("  %s(%s);", k.Name, strings.Join(append(args, s.Orders.Name), ", "))
	if along := w.Along[phase]; along.Var != "" {
		h.Line("else // no tiles: what waits for this chain goes on as if it had some")
		h.Line("  for (long %[1]s = %[2]s; %[1]s <= %[3]s; %[1]s++) {", along.Var, along.Lo, along.Hi)
		h.Line("    %s", s.AwaitText(k.Kernel, along.Await))
		h.Line("    %s", s.SignalText(k.Kernel, along.Signal))
		h.Line("  }")
	}
	h.Line("%s", s.AwaitText(k.Kernel, "HEXCC_ENDED"))
	h.Line("%s", s.SignalText(k.Kernel, "HEXCC_ENDED"))
}

// passed returns arguments of the one kernel as a function with that type of indices takes them.
func passed(all []kerneltext.Arg, index scop.Type) (args []string) {
	for _, a := range all {
		name := a.Name
		if a.Index && index != scop.Long {
			name = fmt.Sprintf("(%v)%s", index, name)
		}
		args = append(args, name)
	}
	return args
}

// stream prints that the rows of a chain stream, and its end.
func (h *host) stream(w kerneltext.Whole, v kerneltext.Version) {
	order := h.spelled.Orders.Name
	args := append([]string{order}, passed(v.Pipeline.Args, v.Index)...)
	h.Line("if (%s)", w.Some)
	h.Line("  %s(%s);", v.Pipeline.Name, strings.Join(args, ", "))
	h.Line("else")
	h.Line("  hexcc_pass_on(%s, %d);", order, w.Every)
	h.Line("hexcc_look_out(%s, 0, true);", order)
	h.Line("hexcc_meet();")
	h.Line("hexcc_report(HEXCC_ENDED);")
}

// startChains prints the launches of the kernel that runs all chains.
func (h *host) startChains() {
	order := h.Chains(h.wholes[0].Grids, []string{"cudaError_t error = cudaSuccess;", "dim3 blocks;"}, func(order string) {
		h.Chosen(func(version int) {
			w := h.wholes[version]
			threads := kerneltext.Threads(w.Kernel.Kernel)
			args := []string{w.Name, "blocks", fmt.Sprintf("dim3(%d, %d, %d)", threads[0], threads[1], threads[2]), fmt.Sprint(w.Dynamic), "stream"}
			for _, a := range w.Args {
				args = append(args, a.Name)
				h.Uses[a.Name] = true
			}
			h.Line("HEXCC_TRY(%s);", allow(w.Name, w.Dynamic))
			h.Line("HEXCC_TRY(hexcc_at_once(%s, %d, %d, &%s, &blocks));", w.Name, threads[0]*threads[1]*threads[2], w.Dynamic, order)
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
