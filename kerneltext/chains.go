package kerneltext

import (
	_ "embed" // the text of orders
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file prints tiles that wait for each other: what is alike in hosts, whatever starts kernels, and what is in the text of kernels. What a kernel does with one chain is a function, which the one kernel that is launched
// calls; its last parameter is the order in which chains are taken, a struct hexcc_order, and functions called
// hexcc_await and hexcc_signal wait and signal. How they do, and the kernel, is the printer's.

// ChainTypes are the types of flags, and of the order in which chains are taken.
//
//go:embed text/chains.c
var ChainTypes string

// ChainOrders is what hosts do with orders.
//
//go:embed text/orders.c
var ChainOrders string

// patience is the macro that says how long a tile waits.
const patience = `
#ifndef HEXCC_PATIENCE
#define HEXCC_PATIENCE %d // seconds that a tile waits for another one before the kernel ends with an error; 0: any time
#endif
`

// Patience returns the macro that says how long tiles wait: for any time, unless the translation is being checked.
func (n Names) Patience() string {
	if n.Check {
		return fmt.Sprintf(patience, 20)
	}
	return fmt.Sprintf(patience, 0)
}

// Chains prints the launches of the kernel that runs all chains, whose phases have those tiles: one, unless there are so many chains that
// their flags take much memory. What launch prints starts it for an order; declared are variables for the error, and for that.
func (h *Host) Chains(grids [][]Tiles, declared []string, launch func(order string)) (order string) {
	order, last, most := h.Fresh("order"), h.Fresh("last"), h.Fresh("most")
	t := h.Program.T
	lo, hi := h.Fresh(t+"_lo"), h.Fresh(t+"_hi")
	h.Line("const long %s = %s, %s = %s; // time tiles", lo, h.Expr(h.Program.TLo), hi, h.Expr(h.Program.THi))
	h.Line("struct hexcc_order %s = hexcc_no_tiles();", order)
	h.Line("long long %s[3] = {0, 0, 0}, %s = 0;", last, most)
	for _, d := range declared {
		h.Line("%s", d)
	}
	h.Braces(fmt.Sprintf("for (long %s = %s; %s <= %s; %s++)", t, lo, t, hi, t), func() {
		for _, grid := range grids {
			for axis, x := range grid {
				h.Line("hexcc_widen(&%s, %s, %d, %s, %s);", order, last, axis, x.Lo, x.Hi)
			}
		}
	})
	h.Line("if (!hexcc_some_tiles(&%s, %s, %d))", order, last, len(grids[0]))
	h.Line("  return 0;")
	h.Line("HEXCC_TRY(hexcc_flags(&%s, %d, (long long)%s - %s + 1, &%s, stream));", order, len(grids), hi, lo, most)
	h.Braces(fmt.Sprintf("for (%s.begin = %s; %s.begin <= %s; %s.begin += %s)", order, lo, order, hi, order, most), func() {
		h.Line("HEXCC_TRY(hexcc_from(&%s, %d, %s, %s, stream));", order, len(grids), hi, most)
		launch(order)
	})
	return order
}

// An Orders is what spelling knows of chains.
type Orders struct {
	Name  string // of the order: a parameter
	Taken string // of the number of a chain
	Found string // of whether there is a chain of that number
	// ofAll are the arrays that any chain writes.
	ofAll map[*scop.Array]bool
	waits []schedule.Wait // by phase
	along bool            // chains wait for the one before along x, too
	// Diagonal is that of the chains: how many places along x count as much as a phase; 0: phases are taken one after the other.
	Diagonal int64
}

// orders returns what s says of the chains of p, nil if there are none.
func (s *Spelling) orders(p *gpu.Program) *Orders {
	if p.Chains == nil {
		return nil
	}
	o := &Orders{Name: s.Fresh("order"), Taken: s.Fresh("taken"), Found: s.Fresh("found"), ofAll: map[*scop.Array]bool{}, waits: p.Chains.Steps, along: p.Chains.Along, Diagonal: p.Chains.Diagonal()}
	for _, k := range p.Kernels {
		for a := range Writes(k.Body) {
			o.ofAll[a] = true
		}
	}
	return o
}

// level returns the number of the phase of a kernel, counted from the first time tile of a launch on, so many time tiles before.
func (s *Spelling) level(phase int, before int64) string {
	return fmt.Sprintf("((long long)%s%s - %s.begin) * %d + %d", s.TimeTile, ctext.Plus(-before), s.Orders.Name, len(s.Orders.waits), phase)
}

// AwaitText returns the call that waits until what the chain of k waits for is at a place.
func (s *Spelling) AwaitText(k *gpu.Kernel, place string) string {
	w := s.Orders.waits[k.Phase]
	return fmt.Sprintf("hexcc_await(%s, %s, %s);", s.Orders.Name, s.waited(k, w), place)
}

// waited returns the arguments that say which chains that of k waits for.
func (s *Spelling) waited(k *gpu.Kernel, w schedule.Wait) string {
	args := []string{s.level(w.From, w.Time)}
	for axis := range gpu.MaxAxes {
		i := len(k.Grid) - 1 - axis
		if i < 0 {
			args = append(args, "0", "0")
			continue
		}
		at := "(long long)" + k.Grid[axis].Var
		args = append(args, at+ctext.Plus(-w.Hi[i]), at+ctext.Plus(-w.Lo[i]))
	}
	return strings.Join(args, ", ")
}

// KeepText returns the call that notes in shared memory where the stream of k is, and what it waits for.
func (s *Spelling) KeepText(k *gpu.Kernel, st gpu.Stream) string {
	before := "NULL"
	if s.Orders.along {
		x := k.Grid[0].Var
		before = fmt.Sprintf("%[1]s > %[2]s.first[0] ? hexcc_flag(%[2]s, %[3]s) : NULL", x, s.Orders.Name, s.flag(k, x+" - 1"))
	}
	return fmt.Sprintf("hexcc_keep(%[5]s, %[2]dLL, %[3]s, hexcc_flag(%[1]s, %[4]s), %[6]s, %[7]dLL);",
		s.Orders.Name, st.Lag, s.waited(k, s.Orders.waits[k.Phase]), s.flag(k), s.own("chain"), before, st.Behind)
}

// SignalText returns the call that says that the chain of k is at a place.
func (s *Spelling) SignalText(k *gpu.Kernel, place string) string {
	return fmt.Sprintf("hexcc_signal(%s, %s, %s);", s.Orders.Name, s.flag(k), place)
}

// flag returns the arguments that say which chain that of k is, or one at other places along x, y and z.
func (s *Spelling) flag(k *gpu.Kernel, other ...string) string {
	args := []string{s.level(k.Phase, 0)}
	for axis := range gpu.MaxAxes {
		at := "0"
		switch {
		case axis < len(other):
			at = other[axis]
		case axis < len(k.Grid):
			at = k.Grid[axis].Var
		}
		args = append(args, at)
	}
	return strings.Join(args, ", ")
}

// usesChain notes the variables that say which chain runs.
func (k *printer) usesChain() {
	k.Uses[k.spelled.TimeTile] = true
	for _, x := range k.Grid {
		k.Uses[x.Var] = true
	}
}

// await prints a wait, behind which each thread sees what was written.
func (k *printer) await(n gpu.Await) {
	k.usesChain()
	k.Line("%s", k.spelled.AwaitText(k.Kernel, awaited(n)))
	k.role = gpu.Role{}
	k.anew()
}

// awaited returns the place that n waits for.
func awaited(n gpu.Await) string {
	if n.Var == "" {
		return "HEXCC_ENDED"
	}
	return fmt.Sprintf("HEXCC_PLACE(%s)%s", n.Var, ctext.Plus(n.Lag))
}

// signalled returns the place that n signals.
func signalled(n gpu.Signal) string { return fmt.Sprintf("HEXCC_PLACE(%s)", n.Var) }

// signal prints that the chain is at a place.
func (k *printer) signal(n gpu.Signal) {
	k.usesChain()
	k.Line("%s", k.spelled.SignalText(k.Kernel, signalled(n)))
	k.role = gpu.Role{}
}

// A Whole is the kernel that runs all chains, but for its text. It calls the functions of a version.
type Whole struct {
	Kernel
	Grids [][]Tiles // by phase, and axis
	// Chain is the name of a variable for a chain whose rows stream, and Some of one that says whether it has tiles; "": none do. Keep are, by phase, the calls that note what
	// one waits for.
	Chain, Some string
	Keep        []string
	Every       int     // beats between two looks at other chains
	Along       []Along // by phase, where rows do not stream
}

// An Along is the loop of chains that have no tiles: Var over Lo to Hi. Await and Signal are the places that it waits for and signals. Var is "" where there is none.
type Along struct {
	Var, Await, Signal string
	Tiles
}

// along returns the loop of chains of k that have no tiles; x spells it.
func along(k *gpu.Kernel, x ctext.Indexer) (a Along) {
	for _, n := range k.PassOn() {
		f, ok := n.(gpu.For)
		if !ok {
			continue
		}
		a.Var, a.Tiles = f.Var, Tiles{x.Expr(f.Lo), x.Expr(f.Hi)}
		for _, n := range f.Body {
			switch n := n.(type) {
			case gpu.Await:
				a.Await = awaited(n)
			case gpu.Signal:
				a.Signal = signalled(n)
			}
		}
	}
	return a
}

// Tiles are those along an axis: expressions over parameters and T.
type Tiles struct{ Lo, Hi string }

// Chained returns the kernel that runs the chains of v. Whatever the type of indices in those, its own have 64 bits: it calculates where
// there are tiles, as hosts do. What it passes on it is passed.
func (s *Spelling) Chained(v Version, name string) Whole {
	first := v.Printed[0].Kernel
	whole := &gpu.Kernel{Name: name, Threads: first.Threads, Resident: first.Resident, MostRegisters: first.MostRegisters}
	out := Whole{Kernel: Kernel{Kernel: whole, Name: name, Uses: map[string]bool{}}}
	passed := map[string]bool{}
	x := ctext.NewIndexer(s.in(scop.Long).Spelling)
	if q := v.Pipeline; q != nil {
		out.Dynamic = q.Shared
		for _, a := range q.Args {
			passed[a.Name] = true
		}
	}
	for _, k := range v.Kernels {
		if st, ok := k.Stream(); ok {
			out.Chain, out.Some, out.Every = s.own("chain"), s.own("some"), st.Pipeline.Every
			out.Keep = append(out.Keep, s.KeepText(k, st))
		}
	}
	for _, k := range v.Printed {
		out.Dynamic = max(out.Dynamic, k.Dynamic)
		whole.Resident = min(whole.Resident, k.Resident)
		for _, a := range k.Args {
			passed[a.Name] = true
		}
		var grid []Tiles
		for _, a := range k.Grid {
			grid = append(grid, Tiles{x.Expr(a.Lo), x.Expr(a.Hi)})
		}
		out.Grids, out.Along = append(out.Grids, grid), append(out.Along, along(k.Kernel, x))
	}
	out.Dynamic = max(out.Dynamic, 8) // for the number of a chain
	out.Uses = x.Uses
	for _, a := range s.Scop.Arrays {
		if name := s.Outer[a.Name]; passed[name] {
			out.Args = append(out.Args, Arg{Name: name, Type: a.Elem, Array: a})
		}
	}
	for _, q := range s.Scop.Scalars {
		if name := s.Outer[q.Name]; passed[name] {
			out.Args = append(out.Args, Arg{Name: name, Type: q.Type})
		}
	}
	for _, q := range s.Scop.Params {
		if name := s.Outer[q.Name]; passed[name] || x.Uses[name] {
			out.Args = append(out.Args, Arg{Name: name, Type: scop.Long})
		}
	}
	return out
}

// Declarations returns the declarations of the parameters of w, less the order.
func (s *Spelling) Declarations(w Whole) (decls []string) {
	for _, a := range w.Args {
		if a.Array != nil {
			decls = append(decls, s.pointer(a.Array, s.Orders.ofAll[a.Array])+a.Name)
		} else {
			decls = append(decls, fmt.Sprintf("%v %s", a.Type, a.Name))
		}
	}
	return decls
}
