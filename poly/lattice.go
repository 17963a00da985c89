package poly

// This file finds integer points of polytopes that are long and thin, in which branching at one unknown after the other gets
// nowhere. In coordinates in which the polytope is about as wide in all directions as it can be, it is thin in one of
// them if it has no integer points, or few (Lenstra 1983): there are few values to try.
//
// Such coordinates are those of a reduced basis (Lenstra, Lenstra and Lovász 1982) of the integer points, in which lengths are
// measured by what the rows say of a difference of two points, as a part of what they can at most say inside the polytope.

// maxNodes bounds the values that are tried, after which the search is undecided.
const maxNodes = 3000

// scaleBits is the number of bits that lengths are measured with.
const scaleBits = 24

// A rangedRow is a row without its constant, and how far its values go inside a polytope.
type rangedRow struct {
	row   vec
	width Int
}

// reduced returns coordinates like b, of which the first ones, those that rows bound, are those of a reduced basis. The one
// along which the polytope is thinnest comes first.
func (b basis) reduced(rows []rangedRow, m *meter) basis {
	n := b.rank
	widest := one
	for _, r := range rows {
		if r.width.Cmp(widest) > 0 {
			widest = r.width
		}
	}
	scale := NewInt(1 << scaleBits).Mul(widest)
	vectors, units := make([]vec, n), make([]vec, n)
	for i := range vectors {
		vectors[i], units[i] = newVec(len(rows)+n), newVec(n)
		vectors[i][len(rows)+i], units[i][i] = one, one // so that they are independent
	}
	for j, r := range rows {
		v, k := b.mapped(r.row), scale.FloorDiv(r.width.Add(one))
		for i := range vectors {
			vectors[i][j] = v[1+i].Mul(k)
		}
	}
	reduceBasis(vectors, units, m)
	changed := basis{image: make([]vec, len(b.image)), rank: n}
	for i, image := range b.image {
		changed.image[i] = image.clone()
		for j, u := range units { // y = sum(z[n-1-j] * u[j])
			var k Int
			for c, x := range u {
				k = k.Add(x.Mul(image[1+c]))
			}
			changed.image[i][n-j] = k
		}
	}
	return changed
}

// A gram has the integers that the Gram-Schmidt coefficients of vectors are quotients of: mu[i][j] = lambda[i][j] / d[j+1].
type gram struct {
	vectors, units []vec
	d              []Int // d[i] is the Gramian of the first i vectors
	lambda         []vec
}

// reduceBasis makes a reduced basis of the lattice of vectors, which are independent, by integers alone (Cohen 1993,
// algorithm 2.6.7), and does the same to units.
func reduceBasis(vectors, units []vec, m *meter) {
	n := len(vectors)
	g := gram{vectors, units, make([]Int, n+1), make([]vec, n)}
	g.d[0] = one
	known := 0
	for k := 0; k < n; {
		if k >= known {
			g.orthogonalize(k)
			known = k + 1
		}
		if k == 0 {
			k++
			continue
		}
		m.spend(n * vectors[k].steps())
		g.reduce(k, k-1)
		low := g.lambda[k][k-1]
		short := g.d[k].Mul(g.d[k]).Mul(NewInt(3)).Sub(low.Mul(low).Mul(NewInt(4)))
		if g.d[k+1].Mul(g.d[k-1]).Mul(NewInt(4)).Cmp(short) < 0 {
			g.swap(k, known)
			k = max(1, k-1)
			continue
		}
		for l := k - 2; l >= 0; l-- {
			g.reduce(k, l)
		}
		k++
	}
}

// orthogonalize finds the coefficients of vector k by those before it.
func (g *gram) orthogonalize(k int) {
	g.lambda[k] = newVec(len(g.vectors))
	for j := range k + 1 {
		var u Int
		for i, x := range g.vectors[k] {
			u = u.Add(x.Mul(g.vectors[j][i]))
		}
		for i := range j {
			u = g.d[i+1].Mul(u).Sub(g.lambda[k][i].Mul(g.lambda[j][i])).quo(g.d[i])
		}
		if j < k {
			g.lambda[k][j] = u
		} else {
			g.d[k+1] = u
		}
	}
}

// reduce subtracts a multiple of vector l from vector k.
func (g *gram) reduce(k, l int) {
	q := g.lambda[k][l].nearest(g.d[l+1]).Neg()
	if q.isZero() {
		return
	}
	g.vectors[k].addMul(q, g.vectors[l])
	g.units[k].addMul(q, g.units[l])
	g.lambda[k][l] = g.lambda[k][l].Add(q.Mul(g.d[l+1]))
	for i := range l {
		g.lambda[k][i] = g.lambda[k][i].Add(q.Mul(g.lambda[l][i]))
	}
}

// swap exchanges the vectors k and k-1, of which the first known ones have coefficients.
func (g *gram) swap(k, known int) {
	g.vectors[k], g.vectors[k-1] = g.vectors[k-1], g.vectors[k]
	g.units[k], g.units[k-1] = g.units[k-1], g.units[k]
	for j := range k - 1 {
		g.lambda[k][j], g.lambda[k-1][j] = g.lambda[k-1][j], g.lambda[k][j]
	}
	low := g.lambda[k][k-1]
	b := g.d[k-1].Mul(g.d[k+1]).Add(low.Mul(low)).quo(g.d[k])
	for i := k + 1; i < known; i++ {
		x := g.lambda[i][k]
		g.lambda[i][k] = g.d[k+1].Mul(g.lambda[i][k-1]).Sub(low.Mul(x)).quo(g.d[k])
		g.lambda[i][k-1] = b.Mul(x).Add(low.Mul(g.lambda[i][k])).quo(g.d[k+1])
	}
	g.d[k] = b
}

// enumerate looks for a sample where the unknowns from i to n are integers by trying their values, those in the middle first.
// With yes the sample is one.
func (t *tableau) enumerate(i, n int, budget *int) verdict {
	if t.fractional(n) < 0 {
		return yes
	}
	up := unitVec(1+len(t.cols), 1+i)
	p, q, _ := t.maximize(up)
	high := p.FloorDiv(q)
	p, q, _ = t.maximize(up.negated())
	low := p.FloorDiv(q).Neg()
	middle := low.Add(high).FloorDiv(NewInt(2))
	for far := (Int{}); middle.Sub(far).Cmp(low) >= 0 || middle.Add(far).Cmp(high) <= 0; far = far.Add(one) {
		for _, v := range [...]Int{middle.Sub(far), middle.Add(far)} {
			if v.Cmp(low) < 0 || v.Cmp(high) > 0 || far.isZero() && !v.Equal(middle) {
				continue
			}
			if *budget--; *budget < 0 {
				return undecided
			}
			branches.Add(1)
			mark := t.mark()
			exactly := up.negated()
			exactly[0] = v
			if t.addAll([]row{{true, exactly}}) {
				if v := t.enumerate(i+1, n, budget); v != no {
					return v
				}
			}
			t.rollback(mark)
			if far.isZero() {
				break
			}
		}
	}
	return no
}
