package lower

import (
	"maps"
	"slices"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/astgen"
)

// This file makes guards of straight code short. They are about the indices of
// threads, of which there are few: so it is known by trying all which parts say nothing new.

// maxTried bounds the values of the variables of a guard that are tried.
const maxTried = 4096

// leastGuard returns a condition that holds for the same values of variables below
// the bounds of among, and of which no row and no alternative can be left out. It is nil if c holds for all.
// Where there are too many values to try, it is c.
func leastGuard(c astgen.Cond, among map[string]int64) astgen.Cond {
	if len(c) == 0 || len(c) == 1 && len(c[0]) == 1 {
		return c // specialize has seen that it holds for some and not for all
	}
	values := int64(1)
	for _, n := range among {
		if values *= n; values > maxTried {
			return c
		}
	}
	g := guard{values: int(values)}
	for _, rows := range c {
		var alt []tried
		for _, e := range rows {
			alt = append(alt, tried{e, holding(e.(affine.Sum), among, int(values))})
		}
		g.alts = append(g.alts, alt)
	}
	return g.least()
}

// A tried row, and the values for which it is >= 0, as bits.
type tried struct {
	row affine.Expr
	at  []uint64
}

// A guard is alternatives of rows that hold together.
type guard struct {
	values int
	alts   [][]tried
}

// least leaves out rows, then alternatives, one by one, as long as the guard stays the same.
func (g guard) least() astgen.Cond {
	want := g.holds(g.alts)
	same := func(alts [][]tried) bool { return slices.Equal(want, g.holds(alts)) }
	alts := g.alts
	for i := range alts {
		for k := 0; k < len(alts[i]); {
			less := slices.Clone(alts)
			less[i] = slices.Delete(slices.Clone(alts[i]), k, k+1)
			if !same(less) {
				k++
				continue
			}
			if alts = less; len(alts[i]) == 0 {
				return nil
			}
		}
	}
	for i := 0; i < len(alts); {
		if less := slices.Delete(slices.Clone(alts), i, i+1); same(less) {
			alts = less
		} else {
			i++
		}
	}
	out := astgen.Cond{}
	for _, alt := range alts {
		var rows []affine.Expr
		for _, t := range alt {
			rows = append(rows, t.row)
		}
		out = append(out, rows)
	}
	return out
}

// holds returns for which values one of the alternatives holds.
func (g guard) holds(alts [][]tried) []uint64 {
	words := (g.values + 63) / 64
	any := make([]uint64, words)
	for _, alt := range alts {
		for w := range words {
			all := ^uint64(0)
			if rest := g.values - 64*w; rest < 64 {
				all = 1<<rest - 1
			}
			for _, t := range alt {
				all &= t.at[w]
			}
			any[w] |= all
		}
	}
	return any
}

// holding returns for which values of the variables row is >= 0: a bit for each, in a fixed order.
func holding(row affine.Sum, among map[string]int64, values int) []uint64 {
	bits := make([]uint64, (values+63)/64)
	names := slices.Sorted(maps.Keys(among))
	coefs, sizes, at := make([]int64, len(names)), make([]int64, len(names)), make([]int64, len(names))
	for k, name := range names {
		coefs[k], sizes[k] = row.Coef(name), among[name]
	}
	v := row.Const
	for i := range values {
		if v >= 0 {
			bits[i/64] |= 1 << (i % 64)
		}
		for k := range at { // the next values, those of the first name fastest
			v += coefs[k]
			if at[k]++; at[k] < sizes[k] {
				break
			}
			v -= coefs[k] * sizes[k]
			at[k] = 0
		}
	}
	return bits
}
