package stream

import (
	"fmt"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs strips without waiting, for devices that do not promise that blocks run at the same time. Chains [T, phase, S0, S1] lie on diagonals
//
//	front = n*(phases*T + phase) + S1
//
// where n, schedule.Chains.Diagonal, is such that all that a chain waits for lies on diagonals before its own. So the host launches one front after the other: of each phase, the
// chains of all time tiles that lie on it, at S1 = front - n*(phases*T + phase). Blocks of a launch wait for none.

// Diagonals returns p, whose chains wait for each other, with a launch for each front and phase. why says why it cannot be so.
func Diagonals(p *gpu.Program) (out *gpu.Program, why string) {
	n := p.Chains.Diagonal()
	if n == 0 {
		return nil, "chains do not lie on diagonals"
	}
	q := *p
	q.T, q.Chains, q.Kernels = frontName(p), nil, nil
	q.Fronts = &schedule.Fronts{Tiles: n * int64(len(p.Kernels))}
	var lo, hi []affine.Expr
	for _, k := range p.Kernels {
		made, least, most, why := diagonal(p, k, q.T)
		if why != "" {
			return nil, why
		}
		q.Kernels, lo, hi = append(q.Kernels, made), append(lo, least), append(hi, most)
	}
	q.TLo, q.THi = affine.MinOf(lo...), affine.MaxOf(hi...)
	return &q, ""
}

// frontName returns a name for fronts that nothing in p has.
func frontName(p *gpu.Program) string {
	names := astgen.UsedNames(p.Scop)
	names[p.T] = true
	for _, k := range p.Kernels {
		for _, x := range k.Grid {
			names[x.Var] = true
		}
		v := k.Pipeline().Vars
		for _, name := range []string{v.Time, v.Column, v.Beat, v.Last, v.Warp, v.At, v.Line} {
			names[name] = true
		}
	}
	return names.Fresh("front")
}

// diagonal returns the kernel of a front for that of a phase, and the first and the last front that has chains of it.
func diagonal(p *gpu.Program, k *gpu.Kernel, front string) (out *gpu.Kernel, lo, hi affine.Expr, why string) {
	if len(k.Grid) != 2 {
		return nil, nil, nil, "chains are not told apart by two indices"
	}
	n := p.Chains.Diagonal()
	strip, hexagon := k.Grid[0], k.Grid[1]
	at := affine.Var(front).Minus(affine.Var(p.T).Times(n * int64(len(p.Kernels)))).Add(-n * int64(k.Phase))
	time := both(astgen.AtLeast(affine.Var(p.T), p.TLo), astgen.AtMost(affine.Var(p.T), p.THi))
	strips := both(astgen.AtLeast(at, strip.Lo), astgen.AtMost(at, strip.Hi))
	times := gpu.Axis{Var: p.T}
	if times.Lo, times.Hi, why = valuesOf(p.T, both(time, strips)); why != "" {
		return nil, nil, nil, why
	}
	if lo, hi, why = valuesOf(front, without(p.T, both(time, strips))); why != "" {
		return nil, nil, nil, why
	}
	if mentions(hexagon, p.T) { // those of any time tile: there are blocks without a tile then
		all := both(time, astgen.AtLeast(affine.Var(hexagon.Var), hexagon.Lo), astgen.AtMost(affine.Var(hexagon.Var), hexagon.Hi))
		if hexagon.Lo, hexagon.Hi, why = valuesOf(hexagon.Var, without(p.T, all)); why != "" {
			return nil, nil, nil, why
		}
	}
	st, _ := k.Stream()
	by := map[string]affine.Sum{strip.Var: at}
	st.Time, st.Column, st.Line = affine.Subst(st.Time, by), affine.Subst(st.Column, by), affine.Subst(st.Line, by)
	st.Lo, st.Hi, st.Lag, st.Behind = affine.Subst(st.Lo, by), affine.Subst(st.Hi, by), 0, 0
	made := *k
	made.Grid, made.Body = []gpu.Axis{times, hexagon}, []gpu.Node{st}
	return &made, lo, hi, ""
}

// mentions reports whether the bounds of an axis depend on a variable.
func mentions(x gpu.Axis, name string) (found bool) {
	for _, e := range []affine.Expr{x.Lo, x.Hi} {
		affine.Vars(e, func(v string) { found = found || v == name })
	}
	return found
}

// both returns where all of some conditions hold.
func both(all ...astgen.Gate) astgen.Gate {
	out := astgen.Gate{{}}
	for _, g := range all {
		out = out.And(g)
	}
	return out
}

// valuesOf returns the least and the greatest value of a variable where a condition may hold.
func valuesOf(name string, g astgen.Gate) (lo, hi affine.Expr, why string) {
	var least, most []affine.Expr
	for _, rows := range g {
		var from, to []affine.Expr
		for _, row := range rows {
			switch a, b := affine.Solve(row, name); {
			case a != nil:
				from = append(from, a)
			case b != nil:
				to = append(to, b)
			}
		}
		if len(from) == 0 || len(to) == 0 {
			return nil, nil, fmt.Sprintf("there is no least or no greatest value of %s", name)
		}
		least, most = append(least, affine.MaxOf(from...)), append(most, affine.MinOf(to...))
	}
	if len(g) == 0 {
		return nil, nil, fmt.Sprintf("there is no value of %s", name)
	}
	return affine.MinOf(least...), affine.MaxOf(most...), ""
}

// without returns a condition that holds where g does for any value of a variable, and maybe elsewhere: of rows that bound it from both sides, one for each pair (Fourier, Motzkin).
func without(name string, g astgen.Gate) (out astgen.Gate) {
	for _, rows := range g {
		var kept []affine.Sum
		for i, row := range rows {
			c := row.Coef(name)
			if c == 0 {
				kept = append(kept, row)
			}
			for _, other := range rows[:i] {
				if d := other.Coef(name); c*d < 0 {
					sum := row.Times(max(d, -d)).Plus(other.Times(max(c, -c))).Tighten()
					if !slices.ContainsFunc(kept, sum.Equal) {
						kept = append(kept, sum)
					}
				}
			}
		}
		out = append(out, kept)
	}
	return out
}
