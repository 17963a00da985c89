package emulate

// This file runs asynchronous copies to shared memory. Of each it is drawn by lot whether it is made when it begins, whether it reads then and writes when its
// thread waits for it, or whether it does both then. Who uses the element before finds what was there.

// underwayCopy returns an asynchronous copy at a point of t; now makes one that does not wait.
func (f *function) underwayCopy(t *threads, now func(), load func() uint64, store func(uint64)) func() {
	m := f.machine
	return func() {
		how := m.rng.IntN(3)
		if how == 0 || m.profile != nil { // what is counted is what a tile begins
			now()
			return
		}
		thread, point, value := t.thread, t.point, uint64(0)
		if how == 1 {
			value = load()
		}
		m.underway = append(m.underway, func() {
			t.unpack(point)
			t.startNode(t)
			t.thread, t.point = thread, point
			if how == 2 {
				value = load()
			}
			store(value)
		})
	}
}

// arrive makes the copies that are underway, in any order.
func (f *function) arrive() {
	m := f.machine
	all := m.underway
	m.underway = nil
	m.rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	for _, copied := range all {
		copied()
	}
}
