package main

// This file spreads the bytes that a tile moves over its accesses to memory.

// A traffic is what an access moves, by lane, and which loads do not leave the multiprocessor.
type traffic struct {
	memory, port float64 // bytes
	missing      float64 // share of the loads that the first cache does not have
}

// trafficOf returns that of a trace. Each access moves as much as any other; of loads that the first cache shortens, every so many one moves all.
func trafficOf(trace [][]step, r residents) (t traffic) {
	loads, others, loaded, stored := 0, 0, 0.0, 0.0
	for _, steps := range trace {
		for _, s := range steps {
			switch {
			case s.Is("LDG", "LD"):
				loads += s.lanes
				loaded += float64(int64(s.lanes) * s.Bytes())
			case s.Is("STG", "LDGSTS", "ST"):
				others += s.lanes
				stored += float64(int64(s.lanes) * s.Bytes())
			}
		}
	}
	t.missing = 1
	port := r.bytes
	if r.port > 0 {
		port = r.port
		if loaded > 0 {
			t.missing = min(1, max(0, float64(r.port)-stored)/loaded)
		}
	}
	if lanes := t.missing*float64(loads) + float64(others); lanes > 0 {
		t.memory, t.port = float64(r.bytes)/lanes, float64(port)/lanes
	}
	return t
}
