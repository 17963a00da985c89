package emulate

// This file runs asynchronous copies to shared memory. Of each it is drawn by lot whether it is made when it begins, whether it reads then and writes when its
// thread waits for it, or whether it does both then. Who uses the element before finds what was there.

// An underwayCopy is a copy that has begun and not arrived.
type underwayCopy struct {
	*asyncCopy
	thread  uint16
	point   uint64
	value   uint64 // that it has read
	hasRead bool
}

// An asyncCopy is how one asynchronous copy of a node is made, at a point of t.
type asyncCopy struct {
	t     *threads
	load  func() uint64
	store func(uint64)
}

// asynchronous returns an asynchronous copy at a point of t; now makes one that does not wait.
func (f *function) asynchronous(t *threads, now func(), load func() uint64, store func(uint64)) func() {
	m, c := f.machine, &asyncCopy{t, load, store}
	return func() {
		how := m.rng.IntN(3)
		if how == 0 || m.profile != nil { // what is counted is what a tile begins
			now()
			return
		}
		u := underwayCopy{asyncCopy: c, thread: t.thread, point: t.point, hasRead: how == 1}
		if u.hasRead {
			u.value = load()
		}
		m.underway = append(m.underway, u)
	}
}

// arrive makes the copies that are underway, in any order: those of a node as one execution of it.
func (f *function) arrive() {
	m := f.machine
	all := m.underway
	for _, u := range all {
		if u.t.arrival == 0 {
			u.t.startNode(u.t)
			u.t.arrival = m.node
		}
	}
	last := m.node
	m.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, u := range all {
		u.t.unpack(u.point)
		m.node, m.thread, m.point = u.t.arrival, u.thread, u.point
		if !u.hasRead {
			u.value = u.load()
		}
		u.store(u.value)
	}
	m.node = last
	for _, u := range all {
		u.t.arrival = 0
	}
	m.underway = all[:0]
}
