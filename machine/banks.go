package machine

import "slices"

// This file counts the bank conflicts of a request to shared memory.

// What shared memory serves at a time: a word of each bank. Lanes that want the
// same word share it.
const (
	WarpLanes = 32
	Banks     = 32
	BankBytes = 4
)

// Wavefronts returns how many passes over the banks a request of a warp takes
// for elements of size bytes at the given byte addresses by lane, -1 for
// those that take no part, and the least that it takes if no two lanes
// want different words of one bank. What is more than one word wide is served to
// as many lanes at once as the banks have room for: 8 bytes to half a warp.
func Wavefronts(at *[WarpLanes]int64, size int64) (passes, least int64) {
	words := max(1, size/BankBytes)
	lanes := WarpLanes / words
	var wanted [WarpLanes]int64
	for first := int64(0); first < WarpLanes; first += lanes {
		n := 0
		for _, x := range at[first : first+lanes] {
			for k := range words {
				if x >= 0 {
					wanted[n] = x/BankBytes + k
					n++
				}
			}
		}
		if n > 0 {
			passes += mostInBank(wanted[:n])
			least++
		}
	}
	return passes, least
}

// mostInBank returns the most different words that lie in one bank. It sorts words.
func mostInBank(words []int64) (most int64) {
	slices.Sort(words)
	var in [Banks]int64
	for _, w := range slices.Compact(words) {
		in[w%Banks]++
		most = max(most, in[w%Banks])
	}
	return most
}
