package e2e_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/proof"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/pipeline"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/symbolic"
)

// A mutator copies a program, but for one place that it spoils.
type mutator struct {
	spoil int // the number of the place; -1: none
	count int // of places so far
	what  string
}

// here reports whether the present place is to be spoiled.
func (m *mutator) here(format string, args ...any) bool {
	m.count++
	if m.count-1 != m.spoil {
		return false
	}
	m.what = fmt.Sprintf(format, args...)
	return true
}

// expr spoils e: one more, one less, and another factor.
func (m *mutator) expr(what string, e affine.Expr) affine.Expr {
	if e == nil {
		return nil
	}
	for _, by := range []int64{1, -1} {
		if m.here("%s %+d", what, by) {
			if mod, ok := e.(affine.Mod); ok {
				return affine.Mod{X: mod.X.(affine.Sum).Add(by), D: mod.D}
			}
			return affine.Offset(e, by)
		}
	}
	if x, ok := e.(affine.Sum); ok && len(x.Terms) > 0 && m.here("%s, factor of %s", what, x.Terms[0].Var) {
		return x.Plus(affine.Var(x.Terms[0].Var))
	}
	return e
}

func (m *mutator) exprs(what string, es []affine.Expr) []affine.Expr {
	out := make([]affine.Expr, len(es))
	for i, e := range es {
		out[i] = m.expr(what, e)
	}
	return out
}

func (m *mutator) cond(what string, c astgen.Cond) astgen.Cond {
	if c == nil {
		return nil
	}
	out := astgen.Cond{}
	for _, all := range c {
		out = append(out, m.exprs(what, all))
	}
	return out
}

// program returns p with one place spoiled.
func (m *mutator) program(p *gpu.Program) *gpu.Program {
	q := *p
	q.TLo, q.THi, q.Kernels = m.expr("host loop: first", p.TLo), m.expr("host loop: last", p.THi), nil
	for _, k := range p.Kernels {
		q.Kernels = append(q.Kernels, m.kernel(k))
	}
	if len(q.Kernels) > 1 && m.here("order of launches") {
		slices.Reverse(q.Kernels)
	}
	return &q
}

func (m *mutator) kernel(k *gpu.Kernel) *gpu.Kernel {
	q := *k
	q.Grid = nil
	for _, x := range k.Grid {
		q.Grid = append(q.Grid, gpu.Axis{Var: x.Var, Lo: m.expr("blocks: first", x.Lo), Hi: m.expr("blocks: last", x.Hi)})
	}
	if k.Work != nil {
		q.Work = nil
		for _, w := range k.Work {
			q.Work = append(q.Work, astgen.WorkRange{Rows: m.exprs("condition of a launch", w.Rows), Lo: w.Lo, Hi: w.Hi})
		}
	}
	q.Body = m.nodes(k.Body, "")
	return &q
}

func (m *mutator) nodes(nodes []gpu.Node, where string) (out []gpu.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case gpu.For:
			n.Lo, n.Hi, n.Body = m.expr("tiles: first", n.Lo), m.expr("tiles: last", n.Hi), m.nodes(n.Body, where)
			out = append(out, n)
		case gpu.Test:
			n.Cond = m.cond("full-tile test", n.Cond)
			out = append(out, n)
		case gpu.If:
			what := "guard of a step"
			then, not := where, where
			switch n.Role.Kind {
			case gpu.FullTile:
				what, then, not = "full-tile test", "full: ", "partial: "
			case gpu.AfterFull, gpu.LastFull:
				what = "test " + n.Role.String()
			}
			n.Cond, n.Then, n.Else = m.cond(what, n.Cond), m.nodes(n.Then, then), m.nodes(n.Else, not)
			if n.Role.Kind == gpu.FullTile && m.here("full-tile test: the other branch") {
				n.Cond = astgen.Cond{{}}
				n.Given = ""
			}
			out = append(out, n)
		case gpu.Barrier:
			if !m.here("%sbarrier left out", where) {
				out = append(out, n)
			}
		case gpu.Threads:
			if m.here("%s%s left out", where, n.Role.Kind) {
				continue
			}
			out = append(out, m.threads(n, where))
		}
	}
	return out
}

func (m *mutator) threads(n gpu.Threads, where string) gpu.Threads {
	where += n.Role.Kind.String()
	n.Loops, n.Body = slices.Clone(n.Loops), slices.Clone(n.Body)
	for i, l := range n.Loops {
		l.Lo, l.Hi = m.expr(where+": first point", l.Lo), m.expr(where+": last point", l.Hi)
		if l.Axis >= 0 && m.here("%s: role of a loop", where) {
			l.Axis = (l.Axis+2)%3 - 1
		}
		n.Loops[i] = l
	}
	n.Guard = m.cond(where+": guard", n.Guard)
	for i, op := range n.Body {
		switch op := op.(type) {
		case gpu.Copy:
			op.To, op.From = m.ref(where+": to", op.To), m.ref(where+": from", op.From)
			n.Body[i] = op
		case gpu.Load:
			op.From = m.ref(where+": load", op.From)
			n.Body[i] = op
		case gpu.Compute:
			op.Iters = m.exprs(where+": iterator", op.Iters)
			op.Refs = slices.Clone(op.Refs)
			for k, r := range op.Refs {
				op.Refs[k] = m.ref(where+": element", r)
				if r.Reg != "" && !op.Stmt.Accesses[k].Write && m.here("%s: another register", where) {
					for _, other := range op.Refs {
						if other.Reg != "" && other.Reg != r.Reg {
							op.Refs[k].Reg = other.Reg
						}
					}
				}
			}
			n.Body[i] = op
		}
	}
	return n
}

func (m *mutator) ref(what string, r gpu.Ref) gpu.Ref {
	r.Index = m.exprs(what, r.Index)
	return r
}

// TestMutants spoils bounds, guards, factors, offsets, roles, tests of full tiles, copies and
// barriers of kernels, one at a time, and sees who notices: the checks of the product itself, the proofs
// that are made at each translation, or the emulator. A mutant that none of them notices changes nothing that
// matters, such as one more block with nothing to do: that is shown by the proofs, which are exact,
// but for barriers and threads of partial tiles, of which nothing is proved.
func TestMutants(t *testing.T) {
	each := 5
	if cases.Whole() {
		each = 24
	}
	by, missed := map[string]map[string]int{}, []string{}
	total := 0
	for _, name := range []string{"jacobi-1d", "jacobi-2d", "heat-3d", "fdtd-2d", "wave-2d", "em-2d", "asymmetric", "star-2d-2", "rician-2d", "life"} {
		x := pipeline.Case(t, name)
		for _, v := range []pipeline.Variant{
			{Name: "staged", Widths: pipeline.Narrow}, {Name: "static", Widths: pipeline.Narrow, Strategy: lower.Static},
			{Name: "space", Widths: pipeline.Narrow, SpaceOnly: true},
			{Name: "untiled", Widths: pipeline.Narrow, SpaceOnly: true, Strategy: lower.Global},
		} {
			s, loops, p := v.Of(t, x)
			all := mutator{spoil: -1}
			all.program(p)
			for i := range each {
				m := mutator{spoil: (i*all.count + all.count/2) / each}
				q := m.program(p)
				who := noticed(t, q, s, loops)
				total++
				if by[m.what] == nil {
					by[m.what] = map[string]int{}
				}
				by[m.what][who]++
				if who == "nobody" && strings.Contains(m.what, "partial: ") && (strings.Contains(m.what, "barrier") || strings.Contains(m.what, "role")) {
					missed = append(missed, fmt.Sprintf("%s/%s: place %d: %s", name, v.Name, m.spoil, m.what))
				}
			}
		}
	}
	var table strings.Builder
	for _, what := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(&table, "%-60s %v\n", what, by[what])
	}
	t.Logf("%d mutants\n%s%s", total, table.String(), strings.Join(missed, "\n"))
	// A barrier may be there in vain: where it stands is decided for all sizes, and threads meet at few.
	require.LessOrEqual(t, 50*len(missed), total, missed)
}

// noticed returns who notices that q is not what it was made from.
func noticed(t *testing.T, q *gpu.Program, s *schedule.Schedule, loops *astgen.Program) (who string) {
	defer func() {
		if r := recover(); r != nil {
			who = "panic"
		}
	}()
	if q.Verify() != nil {
		return "verify"
	}
	if !proof.Emission(q, loops).Holds {
		return "emission"
	}
	if !proof.Staging(q, loops).Holds {
		return "staging"
	}
	if !symbolic.Prove(q, loops).Holds {
		return "full tile"
	}
	for seed := range uint64(3) {
		v, err := emulate.Verify(emulate.Request{Program: q, Schedule: s, First: true, Seed: 10 * seed})
		require.NoError(t, err)
		if !v.OK() {
			return "emulator"
		}
	}
	return "nobody"
}
