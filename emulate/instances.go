package emulate

import (
	"math/bits"

	"github.com/hexcc/hexcc/scop"
)

// A domain remembers which instances of a statement ran.
type domain struct {
	stmt     *scop.Stmt
	nest     scop.Nest
	expected int64
	lo       []int64 // a box that holds the instances
	size     []int64
	isBox    bool     // every point of the box is an instance
	ran      []uint64 // one bit for each point of the box
	by       []uint32 // where blocks may run what others run, too: the last that did, by point, from 1 on; else nil
}

func newDomain(s *scop.Stmt, params []int64) *domain {
	d := &domain{stmt: s, nest: scop.NewNest(s, params)}
	d.expected = d.nest.Count()
	lo, hi, ok := d.nest.Box()
	if !ok {
		return d
	}
	d.lo = lo
	for i := range lo {
		d.size = append(d.size, hi[i]-lo[i]+1)
	}
	volume := boxVolume(d.nest)
	d.isBox = volume == d.expected
	d.ran = make([]uint64, (volume+63)/64)
	return d
}

func boxVolume(n scop.Nest) int64 {
	lo, hi, ok := n.Box()
	if !ok {
		return 0
	}
	volume := int64(1)
	for i := range lo {
		if volume *= hi[i] - lo[i] + 1; volume > maxInstances {
			break
		}
	}
	return volume
}

// run notes that an instance runs. It returns what is wrong with that, or "".
func (d *domain) run(iters []int64) (Kind, bool) {
	if d.lo == nil {
		return NotInstance, false
	}
	at := int64(0)
	for i, v := range iters {
		v -= d.lo[i]
		if uint64(v) >= uint64(d.size[i]) {
			return NotInstance, false
		}
		at = at*d.size[i] + v
	}
	if !d.isBox && !d.nest.Contains(iters) {
		return NotInstance, false
	}
	word, bit := &d.ran[at/64], uint64(1)<<(at%64)
	if *word&bit != 0 {
		return Duplicate, false
	}
	*word |= bit
	return 0, true
}

// runBy is run where blocks run instances that others run, too, by such a block. again: another one has run it.
func (d *domain) runBy(iters []int64, block uint32) (kind Kind, again, ok bool) {
	if kind, ok = d.run(iters); ok || kind != Duplicate {
		if ok {
			d.by[d.number(iters)] = block
		}
		return kind, false, ok
	}
	by := &d.by[d.number(iters)]
	again = *by != block
	*by = block
	return kind, again, again
}

// note notes that an instance of d runs, by a block, or a tile of a CPU, of that number. It returns what is wrong with that, or "".
func (m *watcher) note(d *domain, iters []int64, by uint32) (kind Kind, ok bool) {
	if d.by == nil {
		return d.run(iters)
	}
	kind, again, ok := d.runBy(iters, by)
	if again {
		m.report.Again++
	}
	return kind, ok
}

// number returns the number of an instance in the box.
func (d *domain) number(iters []int64) (at int64) {
	for i, v := range iters {
		at = at*d.size[i] + v - d.lo[i]
	}
	return at
}

// at is the inverse of number.
func (d *domain) at(number int64) []int64 {
	iters := make([]int64, len(d.size))
	for i := len(iters) - 1; i >= 0; i-- {
		iters[i], number = d.lo[i]+number%d.size[i], number/d.size[i]
	}
	return iters
}

// count returns the number of instances that ran.
func (d *domain) count() (n int64) {
	for _, w := range d.ran {
		n += int64(bits.OnesCount64(w))
	}
	return n
}

// missing compares the instances that ran with the domains.
func (m *watcher) missing(p *scop.Program, domains map[*scop.Stmt]*domain) {
	for _, s := range p.Stmts {
		d := domains[s]
		once := d.count()
		m.report.Once += once
		if once == d.expected {
			continue
		}
		for iters := range d.nest.All {
			if at := d.number(iters); d.ran[at/64]>>(at%64)&1 == 0 {
				m.neverRun(s, iters)
			}
		}
	}
	m.report.Missing = m.report.Counts[Missing]
	m.report.Duplicated = m.report.Counts[Duplicate]
	m.report.Outside = m.report.Counts[NotInstance]
}

func (m *watcher) neverRun(s *scop.Stmt, iters []int64) {
	if m.wanted(Missing) {
		m.found(Finding{Kind: Missing, Msg: s.Instance(iters)})
	} else {
		m.report.Counts[Missing]++
	}
}
