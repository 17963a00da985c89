package gpu

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/schedule"
)

// This file is what kernels have whose tiles wait for each other.

// Waits returns what the chains of p wait for, a line each, as Chains.Text has it, but that the outermost loop of a chain gives its
// places their name.
func (p *Program) Waits() string {
	k := p.Kernels[0]
	dims := []schedule.Dim{{Name: p.T}, {Name: "phase"}}
	for _, x := range slices.Backward(k.Grid) {
		dims = append(dims, schedule.Dim{Name: x.Var})
	}
	if f := along(k.Body); f != nil {
		dims = append(dims, schedule.Dim{Name: f.Var})
	}
	return p.Chains.Text(dims)
}

// along returns the outermost loop along a chain, nil if there is none.
func along(body []Node) *For {
	for _, n := range body {
		if f, ok := n.(For); ok {
			return &f
		}
	}
	return nil
}

// WaitFor has the kernels of p wait for each other as c says: the outermost loop along a chain waits before each of its turns, and
// signals it behind. A chain without such a loop waits once, before all it does.
func (p *Program) WaitFor(c *schedule.Chains) {
	p.Chains = c
	for _, k := range p.Kernels {
		k.Work = nil // chains that do nothing are few
		k.Body = chained(k.Body, c.Steps[k.Phase].Lag)
	}
}

func chained(body []Node, lag int64) []Node {
	if along(body) == nil {
		return append([]Node{Await{}}, body...)
	}
	body = slices.Clone(body)
	for i, n := range body {
		if f, ok := n.(For); ok {
			f.Body = slices.Concat([]Node{Await{f.Var, lag}}, f.Body, []Node{Signal{f.Var}})
			body[i] = f
		}
	}
	return body
}

// PassOn returns what blocks do with a chain of k that has no tiles where others have some: one phase may have a tile more than the next. It waits and signals
// as they do, and nothing else. Chains that wait for it, and by way of it for those that it waits for, then start as early as behind one with tiles,
// and not when all of those have ended.
func (k *Kernel) PassOn() []Node {
	if s, ok := k.Stream(); ok {
		s.Empty = true
		return []Node{s}
	}
	f := along(k.Body)
	if f == nil {
		return nil
	}
	var body []Node
	for _, n := range f.Body {
		switch n.(type) {
		case Await, Signal:
			body = append(body, n)
		}
	}
	return []Node{For{Var: f.Var, Lo: f.Lo, Hi: f.Hi, Body: body}}
}

// chains checks what waits.
func (v *verifier) chains() {
	c, all := v.program.Chains, v.program.Kernels
	if c != nil && (len(c.Steps) != len(all) || c.Blocks < 1 || c.Blocks > MaxAxes) {
		v.fail("chains of %d dimensions and %d phases", c.Blocks, len(c.Steps))
		return
	}
	for i, k := range all {
		if c == nil {
			if n := waits(k.Body); n > 0 {
				v.fail("%s: %d waits and signals, and no chains", k.Name, n)
			}
			continue
		}
		switch {
		case k.Work != nil:
			v.fail("%s: chains have a condition", k.Name)
		case k.Phase != i:
			v.fail("%s is kernel %d, and not of that phase", k.Name, i)
		case len(k.Grid) != c.Blocks:
			v.fail("%s has a grid of %d axes, chains %d dimensions", k.Name, len(k.Grid), c.Blocks)
		case k.Threads != all[0].Threads:
			v.fail("%s has not the threads of %s", k.Name, all[0].Name)
		}
		v.chain(k, c.Steps[i].Lag)
	}
}

// chain checks that the tiles of a chain run behind what they wait for, and before they are signalled: those of one turn of the outermost
// loop along it, beside which nothing is done but copies of what no tile writes; or all.
func (v *verifier) chain(k *Kernel, lag int64) {
	if s, ok := k.Stream(); ok {
		if s.Lag < lag {
			v.fail("%s: a pipeline waits for %d ahead, less than its tiles, %d", k.Name, s.Lag, lag)
		}
		return
	}
	var want []Node
	if f := along(k.Body); f == nil {
		want = []Node{Await{}}
		if len(k.Body) == 0 || k.Body[0] != want[0] {
			v.fail("%s: tiles do not wait", k.Name)
		}
	} else {
		want = []Node{Await{f.Var, lag}, Signal{f.Var}}
		if n := len(f.Body); n < 2 || f.Body[0] != want[0] || f.Body[n-1] != want[1] {
			v.fail("%s: the turns of %s do not wait", k.Name, f.Var)
		}
		v.beside(k)
	}
	if n := waits(k.Body); n != len(want) {
		v.fail("%s: %d waits and signals, not %d", k.Name, n, len(want))
	}
}

// beside checks what stands beside the loop along a chain: one loop, tests, barriers, and copies from arrays that no tile writes, with waits for those that are asynchronous.
func (v *verifier) beside(k *Kernel) {
	loops := 0
	for _, n := range k.Body {
		switch n := n.(type) {
		case For:
			loops++
		case Test, Barrier, Arrive:
		case If:
			v.copiesOnce(k, n.Then)
			v.copiesOnce(k, n.Else)
		default:
			v.copiesOnce(k, []Node{n})
		}
	}
	if loops != 1 {
		v.fail("%s: %d loops along a chain", k.Name, loops)
	}
}

func (v *verifier) copiesOnce(k *Kernel, nodes []Node) {
	for _, n := range nodes {
		t, ok := n.(Threads)
		if !ok {
			v.fail("%s: %T beside the loop along a chain", k.Name, n)
			continue
		}
		for _, op := range t.Body {
			if c, ok := op.(Copy); !ok || c.To.Buffer == nil || c.From.Buffer != nil || v.program.Scop.Writes(c.From.Array) {
				v.fail("%s: %v beside the loop along a chain", k.Name, fmt.Sprintf("%q", t.Role.String()))
			}
		}
	}
}

// waits counts waits and signals.
func waits(list []Node) (count int) {
	for _, n := range list {
		switch n := n.(type) {
		case For:
			count += waits(n.Body)
		case If:
			count += waits(n.Then) + waits(n.Else)
		case Await, Signal:
			count++
		}
	}
	return count
}
