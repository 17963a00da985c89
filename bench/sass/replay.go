package main

import (
	"math/rand/v2"
	"regexp"
	"strconv"

	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
)

// This file replays what warps run on one multiprocessor, clock by clock: schedulers that issue one instruction a clock, pipes that
// are busy, scoreboards, barriers, one unit for memory, and a fair share of the bandwidth of memory.

// In clocks, of the order that published microbenchmarks find from Volta to Hopper; results hardly change within a fifth of them.
const (
	sharedLatency  = 23       // from a load of shared memory to its value
	memoryLatency  = 550      // of memory behind the chip
	localLatency   = 33       // of a register that was spilled, in the first cache
	specialLatency = 18       // of the unit for square roots and the like, and of what else takes no fixed time
	barrierLatency = 20       // until the warps of a block go on
	loneIssue      = 2        // between instructions of one warp
	loneMemory     = 4        // between those of one warp that access memory
	memoryQueue    = 12       // accesses that the unit for memory holds, in clocks
	portBytes      = 64       // a clock, between one multiprocessor and the memory behind it
	leftBytes      = 28 << 10 // what shared memory leaves of the first cache at least
)

// A pipe of a scheduler.
type pipe int

const (
	fp32 pipe = iota
	fp64
	integer
	special
	memory
	control
	pipes
)

// pipeOf returns the pipe that an instruction takes.
func pipeOf(in *sass.Instruction) pipe {
	switch in.Class() {
	case sass.FP32:
		return fp32
	case sass.FP64:
		return fp64
	case sass.Special:
		return special
	case sass.SharedLoads, sass.SharedStores, sass.Shuffles, sass.GlobalLoads, sass.GlobalCopies, sass.GlobalStores, sass.Atomics, sass.Spills:
		return memory
	case sass.Barriers, sass.Control:
		return control
	}
	return integer
}

// busy returns for how many clocks a warp's instruction takes a pipe of a scheduler.
func busy(p pipe, d machine.Device) int {
	each := func(lanes int) int { return max(1, (d.Warp*d.Partitions+lanes-1)/max(1, lanes)) }
	switch p {
	case fp32:
		return each(d.FP32)
	case fp64:
		return each(d.FP64)
	case integer:
		return 2
	case special:
		return 8
	}
	return 1
}

// A warp of a block.
type warp struct {
	steps      []step
	block, at  int
	tiles      int // that it has done
	next       int // the clock from which it may issue
	memoryNext int // and an access to memory
	issued     int // the clock at which it issued last
	boards     [6]int
	missed     float64 // of a load: whole ones have gone to memory
	copies     int     // when all copies to shared memory have arrived that it has begun and not waited for,
	groups     []int   // and when those have up to the end of each group, the oldest first
	waiting    bool    // at a barrier
}

// ready reports whether the scoreboards that the next instruction waits for are free.
func (w *warp) ready(now int) bool {
	if w.waiting || w.next > now {
		return false
	}
	for i, until := range w.boards {
		if w.steps[w.at].Wait>>i&1 != 0 && until > now {
			return false
		}
	}
	return true
}

// A multiprocessor runs blocks.
type multiprocessor struct {
	device     machine.Device
	blocks     int
	perLane    float64 // bytes that a lane's access moves to or from memory
	portLane   float64 // and through the connection to what is behind the multiprocessor
	missing    float64 // share of loads that the first cache does not have
	local      bool    // what all threads spill stays in the first cache
	common     *common
	warps      []*warp
	pipes      [][pipes]int // by scheduler, the clock from which each is free
	last       []*warp      // by scheduler, that which issued last
	unit       int          // the clock from which the unit for memory is free
	port       float64      // and its connection to the memory behind
	doneTiles  []int        // by block
	fromFirst  int          // the clock at which each block had done warmUp tiles
	firstBegin int          // the clock at which the first block had,
	firstEnd   int          // and measured more
	tilesFirst int
	// What each tile has taken, once that is counted, and of how many.
	each, measuredTiles float64
	spent               map[int]float64 // by line of the text, the clocks from what a warp issued before to what it issues of the line, once clocks count
}

// What several multiprocessors have in common: memory behind the chip.
type common struct {
	share float64 // bytes a clock, of all of them
	free  float64 // the clock from which it is free
}

// Tiles that each block runs before the clocks count, and after that.
const warmUp, measured = 2, 4

// As many blocks at least are replayed, on as many multiprocessors as hold them: while some compute, others have their part of the bandwidth of
// memory, too. They start anywhere in about the time of a tile, so many clocks for each instruction of a warp: blocks that start at once ask for
// memory at once, as those of a whole device do not.
const together, apart = 24, 4

// residents are the blocks on a multiprocessor.
type residents struct {
	blocks int
	bytes  int64 // of memory behind the chip, of a tile
	shared int64 // bytes of shared memory, of a block
	port   int64 // bytes between the multiprocessor and what is behind it, of a tile, where its first cache keeps what is loaded again; 0: as many as bytes, and no load is there
}

// replay returns the clocks in which a multiprocessor with so many blocks runs a tile of each.
func replay(trace [][]step, r residents, d machine.Device) float64 {
	clocks, _ := replayByLine(trace, r, d)
	return clocks
}

// replayByLine is replay, and how many of the clocks a warp spends on each line, on average.
func replayByLine(trace [][]step, r residents, d machine.Device) (clocks float64, byLine map[int]float64) {
	byLine = map[int]float64{}
	ms := replayBlocks(trace, trace, r, d)
	for _, m := range ms {
		clocks += m.each / float64(len(ms))
		for line, spent := range m.spent {
			byLine[line] += spent / m.measuredTiles / float64(len(m.warps)*len(ms))
		}
	}
	return clocks, byLine
}

// replayBeside returns the clocks in which a block runs what differs from what the others on its multiprocessor run.
func replayBeside(other, trace [][]step, r residents, d machine.Device) (clocks float64) {
	ms := replayBlocks(other, trace, r, d)
	for _, m := range ms {
		clocks += float64(m.firstEnd-m.firstBegin) / measured / float64(len(ms))
	}
	return clocks
}

// replayBlocks runs tiles on multiprocessors: the first block of each runs one trace, all others another one, which has so many bytes of memory.
func replayBlocks(first, trace [][]step, here residents, d machine.Device) (ms []*multiprocessor) {
	longest := 0
	for _, steps := range trace {
		longest = max(longest, len(steps))
	}
	t := trafficOf(trace, here)
	blocks := here.blocks
	several := (together + blocks - 1) / blocks
	all := &common{share: float64(several) * float64(d.GBs) * 1e9 / d.Hertz() / float64(d.SMs)}
	r := rand.New(rand.NewPCG(1, 2))
	for range several {
		m := &multiprocessor{
			device: d, blocks: blocks, common: all,
			pipes: make([][pipes]int, d.Partitions), last: make([]*warp, d.Partitions), doneTiles: make([]int, blocks),
			spent: map[int]float64{}, local: spilled(first)+int64(blocks-1)*spilled(trace) <= firstCache(d, int64(blocks)*here.shared),
		}
		m.perLane, m.portLane, m.missing = t.memory, t.port, t.missing
		for b := range blocks {
			start, of := r.IntN(max(1, apart*longest)), trace
			if b == 0 {
				of = first
			}
			for _, steps := range of {
				if len(steps) > 0 {
					m.warps = append(m.warps, &warp{steps: steps, block: b, next: start})
				}
			}
		}
		ms = append(ms, m)
	}
	left := len(ms)
	for now := 0; left > 0; now++ {
		offset := r.IntN(len(ms))
		for i := range ms {
			if m := ms[(offset+i)%len(ms)]; m.clock(now, r.IntN(d.Partitions)) {
				left--
			}
		}
	}
	return ms
}

// carveOuts are how much of the memory of a multiprocessor may be shared memory, in KiB; the rest is its first cache.
var carveOuts = []int64{0, 8, 16, 32, 64, 100, 132, 164, 196}

// firstCache returns the bytes of the first cache beside so many of shared memory.
func firstCache(d machine.Device, shared int64) int64 {
	all := int64(d.SharedPerSM)
	for _, n := range carveOuts {
		if n<<10 >= shared && n<<10 < all {
			return all + leftBytes - n<<10
		}
	}
	return leftBytes
}

// spilled returns the bytes that the warps of a block spill.
func spilled(trace [][]step) (bytes int64) {
	for _, steps := range trace {
		places := map[string]int64{}
		for _, s := range steps {
			if s.Is("LDL", "STL") {
				places[localPlace.FindString(s.Args)] = s.Bytes()
			}
		}
		for _, n := range places {
			bytes += n * gpu.WarpLanes
		}
	}
	return bytes
}

// localPlace is where a register is spilled to.
var localPlace = regexp.MustCompile(`\[[^]]*\]`)

// clock runs a clock, in which one scheduler comes first: it reports whether clocks have been counted with that.
func (m *multiprocessor) clock(now, first int) (counted bool) {
	for s := range m.device.Partitions {
		m.issue((first+s)%m.device.Partitions, now)
	}
	if m.firstBegin == 0 && m.doneTiles[0] == warmUp {
		m.firstBegin = now
	}
	if m.firstEnd == 0 && m.doneTiles[0] == warmUp+measured {
		m.firstEnd = now
	}
	least, all := m.doneTiles[0], 0
	for _, n := range m.doneTiles {
		least, all = min(least, n), all+n
	}
	if least >= warmUp && m.fromFirst == 0 {
		m.fromFirst, m.tilesFirst = now, all
	}
	if m.each > 0 || least < warmUp+measured {
		return false // or it goes on, for the others have it beside them
	}
	m.measuredTiles = float64(all-m.tilesFirst) / float64(m.blocks)
	m.each = float64(now-m.fromFirst) / m.measuredTiles
	return true
}

// issue lets scheduler s issue: of warps that have done the fewest tiles that which did last, or the oldest that can.
func (m *multiprocessor) issue(s, now int) {
	least, most := m.warps[0].tiles, 0
	for _, w := range m.warps {
		least, most = min(least, w.tiles), max(most, w.tiles)
	}
	for tiles := least; tiles <= most; tiles++ {
		if w := m.last[s]; w != nil && w.tiles == tiles && m.try(w, s, now) {
			return
		}
		for i := s; i < len(m.warps); i += m.device.Partitions {
			if w := m.warps[i]; w.tiles == tiles && w != m.last[s] && m.try(w, s, now) {
				m.last[s] = w
				return
			}
		}
	}
}

// try issues the next instruction of w if nothing holds it up.
func (m *multiprocessor) try(w *warp, s, now int) bool {
	if !w.ready(now) {
		return false
	}
	in := w.steps[w.at]
	p := pipeOf(in.Instruction)
	if m.pipes[s][p] > now || p == memory && (w.memoryNext > now || m.unit > now+memoryQueue) {
		return false
	}
	if m.fromFirst > 0 && m.each == 0 {
		m.spent[in.Line] += float64(now - w.issued)
	}
	w.issued = now
	m.pipes[s][p] = now + busy(p, m.device)
	w.next = now + max(loneIssue, in.Stall)
	done, read := now+specialLatency, now+specialLatency
	if p == memory {
		w.memoryNext = now + loneMemory
		done, read = m.access(w, in, now)
	}
	if in.Write != sass.NoScoreboard {
		w.boards[in.Write] = max(w.boards[in.Write], done)
	}
	if in.Read != sass.NoScoreboard {
		w.boards[in.Read] = max(w.boards[in.Read], read)
	}
	w.at++
	switch {
	case in.Is("LDGSTS"):
		w.copies = max(w.copies, done)
	case in.Is("LDGDEPBAR"):
		w.groups = append(w.groups, w.copies)
	case in.Is("DEPBAR"):
		w.next = max(w.next, w.arrived(in.Instruction))
	case in.Is("BAR"):
		w.waiting = true
		m.release(w.block, now)
	}
	if w.at == len(w.steps) {
		w.at = 0
		w.tiles++
		m.finish(w.block)
	}
	return true
}

// leftGroups is the operand of DEPBAR that says how many groups of copies may be on their way.
var leftGroups = regexp.MustCompile(`SB\d+, 0x([0-9a-f]+)`)

// arrived returns when no more groups of copies of w are on their way than a DEPBAR allows. It forgets the others.
func (w *warp) arrived(in *sass.Instruction) (last int) {
	left := 0
	if m := leftGroups.FindStringSubmatch(in.Args); m != nil {
		n, _ := strconv.ParseInt(m[1], 16, 32)
		left = int(n)
	}
	if n := len(w.groups) - left; n > 0 {
		last, w.groups = w.groups[n-1], w.groups[n:]
	}
	return last
}

// access returns when an access to memory is done, and when it has read its operands.
func (m *multiprocessor) access(w *warp, in step, now int) (done, read int) {
	if in.lanes == 0 {
		return now + 1, now + 1
	}
	start := max(now, m.unit)
	m.unit = start + int(max(1, in.Bytes()/4)) // wavefronts of 32 lanes with 4 bytes
	if in.Is("LDS", "STS", "SHFL", "ATOMS") {
		return m.unit - 1 + sharedLatency, m.unit
	}
	if m.local && in.Is("LDL", "STL") {
		return m.unit - 1 + localLatency, m.unit
	}
	if m.missing < 1 && in.Is("LDG", "LD") {
		if w.missed += m.missing; w.missed < 1 {
			return m.unit - 1 + localLatency, m.unit
		}
		w.missed--
	}
	bytes := float64(in.lanes) * m.perLane
	m.port = max(m.port, float64(start)) + float64(in.lanes)*m.portLane/portBytes
	m.common.free = max(m.common.free, float64(start)) + bytes/m.common.share
	return int(max(m.common.free, m.port)) + memoryLatency, m.unit
}

// barrierLine stands for all lines with barriers, at which warps wait for others.
const barrierLine = -1

// release lets the warps of a block go on if all of them wait.
func (m *multiprocessor) release(block, now int) {
	for _, w := range m.warps {
		if w.block == block && !w.waiting {
			return
		}
	}
	for _, w := range m.warps {
		if w.block == block {
			if m.fromFirst > 0 && m.each == 0 {
				m.spent[barrierLine] += float64(now - w.issued)
			}
			w.waiting, w.next, w.issued = false, max(w.next, now+barrierLatency), now
		}
	}
}

// finish counts a tile of a block if all of its warps have done it.
func (m *multiprocessor) finish(block int) {
	least := -1
	for _, w := range m.warps {
		if w.block == block && (least < 0 || w.tiles < least) {
			least = w.tiles
		}
	}
	m.doneTiles[block] = least
}
