package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
)

// This file says how often memory is collected. A small translation ends before it pays to collect often; one of
// hundreds of regions keeps their text, and inspect and report all that was made: they would take several times as much as that.
//
// Memory that a program has never used costs as much, page by page of 4 kB, as to collect what lies in pages that it has used. In pages of
// 2 MB it is a tenth of that: where the system lends them, memory grows by spare before it is collected first.

const (
	least    = 50   // percent by which memory grows between collections, at least,
	most     = 400  // at most,
	mostHuge = 3000 // and at most in huge pages: of the 4 MB that Go counts at least, 120 MB
	spare    = 256 << 20
	little   = 10 // percent that are too few to change
)

// growth returns the percentage, no more than most, by which memory may grow after a collection that has left so many bytes.
func growth(live uint64, most int) int {
	return int(min(max(100*spare/max(live, 1)+25, least), uint64(most)))
}

// collect sets how often memory is collected, now and after each collection.
func collect() {
	most := most
	if reserveHuge(spare) {
		most = mostHuge
	}
	var at atomic.Int64
	var set func(int)
	set = func(int) {
		sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
		metrics.Read(sample)
		if p := int64(growth(sample[0].Value.Uint64(), most)); p-at.Load() > little || at.Load()-p > little {
			debug.SetGCPercent(int(p))
			at.Store(p)
		}
		runtime.AddCleanup(new([64]byte), set, 0) // once the next collection has found that nothing refers to it
	}
	set(0)
}
