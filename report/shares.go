package report

import (
	"slices"

	"github.com/hexcc/hexcc/scop"
)

// A launch is the tiles of one phase of a time tile: a grid of blocks.
type launch struct {
	T      int64
	Phase  int
	Number int // from 1, in the order in which they run
}

// A share is how many points of a tile the region has.
type share struct {
	tile
	Points int64
	Full   bool
	Launch int
}

// shares returns the tiles with points in the window of r, in the order of
// launches and then of S0, and the launches. Points that no tile holds are left out.
func (p plane) shares(r region) (ss []share, ls []launch) {
	seen := map[tile]bool{}
	var tiles []tile
	for tau := r.window.tauLo; tau <= r.window.tauHi; tau++ {
		for s := r.window.sLo; s <= r.window.sHi; s++ {
			if !r.in(tau, s) {
				continue
			}
			if t, ok := p.owner(tau, s); ok && !seen[t] {
				seen[t] = true
				tiles = append(tiles, t)
			}
		}
	}
	sortTiles(tiles)
	for _, t := range tiles {
		if n := len(ls); n == 0 || ls[n-1].T != t.T || ls[n-1].Phase != t.Phase {
			ls = append(ls, launch{t.T, t.Phase, n + 1})
		}
		n, full := p.inRegion(t, r)
		ss = append(ss, share{t, n, full, len(ls)})
	}
	return ss, ls
}

// inRegion counts the points of t in r, and reports whether t is full: whether
// each statement has all its points of t there. One that runs at a single s0
// only, whatever the sizes, may have none instead.
func (p plane) inRegion(t tile, r region) (n int64, full bool) {
	c := p.s.Canonical
	K := int64(max(1, c.K))
	have, all := make([]int64, K), make([]int64, K)
	p.each(t, func(tau, s int64) {
		i := tau - K*floorDiv(tau, K)
		all[i]++
		if r.in(tau, s) {
			have[i]++
			n++
		}
	})
	full = n > 0
	for i := range K {
		single := !slices.ContainsFunc(c.At(int(i)), func(st *scop.Stmt) bool { return c.Places[st.Order][0].Iter >= 0 })
		full = full && (have[i] == all[i] || single && have[i] == 0)
	}
	return n, full
}

// each calls f for the points of t, row by row.
func (p plane) each(t tile, f func(tau, s int64)) {
	start := p.tau(t, 0)
	for tau := start; tau < start+p.s.Height; tau++ {
		lo, hi, _ := p.row(t, tau)
		for s := lo; s <= hi; s++ {
			f(tau, s)
		}
	}
}
