package poly

import "slices"

// A merger merges rows that differ in the constant only. It keeps its memory from one use to the next.
type merger struct {
	all    []row
	hashes []uint64
}

// rows returns rows without those that another row, or one of fixed, implies and that differs from it in the
// constant only. It reports whether it found an equality, and false if two rows exclude each other.
func (m *merger) rows(fixed, rows []row) (kept []row, found, ok bool) {
	n := len(fixed) + len(rows)
	m.all, m.hashes = slices.Grow(m.all[:0], n), slices.Grow(m.hashes[:0], n)
	for _, r := range fixed {
		m.all, m.hashes = append(m.all, r), append(m.hashes, r.c.hash())
	}
	for _, r := range rows {
		equality, ok := m.add(r, len(fixed))
		if !ok {
			return nil, false, false
		}
		found = found || equality
	}
	return append(rows[:0], m.all[len(fixed):]...), found, true
}

// add merges r with the rows before it, the first of which are fixed.
func (m *merger) add(r row, fixed int) (equality, ok bool) {
	h := r.c.hash()
	for j := 0; j < len(m.all); j++ {
		if m.hashes[j] != h {
			continue
		}
		switch merge(&m.all[j], r, j < fixed) {
		case conflict:
			return false, false
		case covered:
			return equality, true
		case becameEqual:
			equality = true
			if j >= fixed {
				return true, true
			}
			r.eq = true
		case replaced:
			m.all = slices.Delete(m.all, j, j+1)
			m.hashes = slices.Delete(m.hashes, j, j+1)
			j--
		}
	}
	m.all, m.hashes = append(m.all, r), append(m.hashes, h)
	return equality, true
}

// A meeting is the outcome of merge.
type meeting uint8

const (
	unrelated   meeting = iota
	covered             // the old row implies the new one
	replaced            // the new row implies the old one, which is to be dropped
	becameEqual         // both together are the equality that the old one became
	conflict
)

// merge compares a row with one before it. An implied row (fixed) is not changed, nor replaced.
func merge(old *row, r row, fixed bool) meeting {
	dir := parallel(old.c, r.c)
	if dir == 0 {
		return unrelated
	}
	// In terms of x = r.c without its constant: r says x >= -k, and old says x >= -o, or x <= o if they are opposite.
	k, o := r.c[0], old.c[0]
	if dir < 0 {
		o = o.Neg()
	}
	switch {
	case old.eq && r.eq: // x = -o, x = -k
		if !o.Equal(k) {
			return conflict
		}
		return covered
	case old.eq: // x = -o, x >= -k
		if k.Cmp(o) < 0 {
			return conflict
		}
		return covered
	case r.eq: // x = -k, and x >= -o or x <= -o
		if c := k.Cmp(o); dir > 0 && c > 0 || dir < 0 && c < 0 {
			return conflict
		}
		return unlessFixed(replaced, fixed)
	case dir > 0:
		if k.Cmp(o) >= 0 {
			return covered
		}
		return unlessFixed(replaced, fixed)
	}
	switch c := k.Cmp(o); { // -k <= x <= -o
	case c < 0:
		return conflict
	case c > 0:
		return unrelated
	}
	if !fixed {
		old.eq = true
	}
	return becameEqual
}

func unlessFixed(m meeting, fixed bool) meeting {
	if fixed {
		return unrelated
	}
	return m
}

// parallel returns 1 if v and w differ in the constant only, -1 if v and -w do, and otherwise 0.
func parallel(v, w vec) int {
	dir := 0
	for i := 1; i < len(v); i++ {
		x, y := v[i], w[i]
		if dir == 0 && !x.isZero() {
			dir = x.Sign() * y.Sign()
			if dir == 0 {
				return 0
			}
		}
		if dir < 0 {
			y = y.Neg()
		}
		if !x.Equal(y) {
			return 0
		}
	}
	return dir
}
