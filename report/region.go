package report

// A region is the points (tau, s0) at which a program has instances, for chosen
// values of its parameters.
type region struct {
	tauLo, tauHi, sLo, sHi int64 // a box around the points; empty if tauLo > tauHi
	in                     func(tau, s int64) bool
	words                  string // the values chosen, such as "T = 8, N = 24"
}

// box is the region of all points of a rectangle.
func box(tauLo, tauHi, sLo, sHi int64, words string) region {
	return region{tauLo, tauHi, sLo, sHi, func(tau, s int64) bool {
		return tauLo <= tau && tau <= tauHi && sLo <= s && s <= sHi
	}, words}
}

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

// shares returns the tiles with points in r, in the order of launches and then
// of S0, and the launches. Points that no tile holds are left out.
func (p plane) shares(r region) (ss []share, ls []launch) {
	count := map[tile]int64{}
	for tau := r.tauLo; tau <= r.tauHi; tau++ {
		for s := r.sLo; s <= r.sHi; s++ {
			if !r.in(tau, s) {
				continue
			}
			if t, ok := p.owner(tau, s); ok {
				count[t]++
			}
		}
	}
	tiles := make([]tile, 0, len(count))
	for t := range count {
		tiles = append(tiles, t)
	}
	sortTiles(tiles)
	for _, t := range tiles {
		if n := len(ls); n == 0 || ls[n-1].T != t.T || ls[n-1].Phase != t.Phase {
			ls = append(ls, launch{t.T, t.Phase, n + 1})
		}
		ss = append(ss, share{t, count[t], count[t] == p.points(t), len(ls)})
	}
	return ss, ls
}
