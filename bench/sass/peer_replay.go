package main

import (
	"fmt"
	"path/filepath"

	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/internal/sass"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// This file replays the loops of kernels that others wrote, and says what runs take of which they are the steady state.

// A peerReplay is what is found of a peer, compiled in one way.
type peerReplay struct {
	peer
	device    machine.Device
	use       nvcc.Usage
	trace     [][]step
	branches  int // in the loop
	blocks    int // on a multiprocessor
	seen      map[int]float64
	perUpdate float64 // instructions,
	operating float64 // and those that compute with floating-point numbers
}

const peerLegend = `Loops of kernels that others wrote, replayed as ptxas scheduled them with the blocks that a multiprocessor holds. instr and flops: instructions of a thread for each cell that it
computes, and those of floating-point numbers. computed: 10^9 cells a second; steady: those of them that no other block computes; then what is left of that in whole runs, where blocks start and end,
waves are not full and kernels are launched. Each block moves the rows that it reads from memory, with their halo, and stores those without: caches behind the multiprocessor are left out, as are
borders and bank conflicts. Not measured.
`

// replayPeers prints the lines of all kernels that a file describes, whose sources lie in a folder.
func replayPeers(path, folder, arch string, flags []string, compiler sass.Compiler, d machine.Device) error {
	all, err := readPeers(path)
	if err != nil {
		return err
	}
	fmt.Print(peerLegend)
	fmt.Printf("%s, %s: %d multiprocessors, %d MHz, %d GB/s\n", arch, d.Part, d.SMs, d.MHz, d.GBs)
	fmt.Printf("\n%-34s %-12s %4s %6s %6s %6s %6s %6s %6s %8s %8s %7s %8s\n", "kernel", "compiled", "regs", "spills", "blocks", "loop", "instr", "flops", "B/upd", "clocks", "computed", "useful", "steady")
	for _, p := range all {
		for _, contract := range []bool{false, true} {
			how := fmt.Sprintf("--fmad=%t", contract)
			x, err := p.compile(folder, append([]string{how}, flags...), compiler, d)
			if err != nil {
				fmt.Printf("%-34s %-12s %v\n", p.name, how, err)
				continue
			}
			x.print(how)
		}
	}
	return nil
}

// compile compiles a peer and finds what its warps run.
func (p peer) compile(folder string, flags []string, compiler sass.Compiler, d machine.Device) (x peerReplay, err error) {
	made, err := compiler.File(filepath.Join(folder, p.file), append(flags, p.flags...)...)
	if err != nil {
		return x, err
	}
	x = peerReplay{peer: p, device: d, seen: map[int]float64{}}
	if x.use, err = made.Kernel(p.kernel); err != nil {
		return x, err
	}
	code, err := sass.ParseSymbol(made.Listing, x.use.Kernel)
	if err != nil {
		return x, err
	}
	if err := x.walk(code); err != nil {
		return x, err
	}
	x.blocks = d.Occupancy(p.threads, x.use.Registers, p.shared+int64(x.use.Shared)).Blocks
	if x.blocks == 0 {
		return x, fmt.Errorf("a multiprocessor has no place for a block: %d registers of %d threads, %d bytes of shared memory", x.use.Registers, p.threads, p.shared+int64(x.use.Shared))
	}
	return x, nil
}

// walk finds what each warp of a block runs in the loop.
func (x *peerReplay) walk(code []sass.Instruction) error {
	loops := sass.Loops(code)
	if x.loop = max(1, x.loop); x.loop > len(loops) {
		return fmt.Errorf("there are %d loops that compute, not %d", len(loops), x.loop)
	}
	l := loops[x.loop-1]
	number := map[int]int{} // of each branch
	var text string
	for i, at := range l.Branches(code) {
		number[at] = i
		text += fmt.Sprintf(" %04x over %d", 16*at, code[at].To-at-1)
	}
	if x.branches = len(number); len(x.peer.branches) > 0 && len(x.peer.branches) != len(number) {
		return fmt.Errorf("branches says where warps go at %d, but the loop has %d:%s", len(x.peer.branches), len(number), text)
	}
	issued, operations := 0, 0
	for w := range (x.threads + x.device.Warp - 1) / x.device.Warp {
		all, err := l.Walk(code, func(branch int) bool {
			i, ok := number[branch]
			return ok && i < len(x.peer.branches) && x.peer.branches[i].taken(w)
		})
		if err != nil {
			return err
		}
		var steps []step
		for _, in := range all {
			steps = append(steps, step{in, x.device.Warp})
			if c := in.Class(); c == sass.FP32 || c == sass.FP64 {
				operations++
			}
		}
		issued += len(steps)
		x.trace = append(x.trace, steps)
	}
	updates := float64(x.rows * x.computed() * x.steps)
	x.perUpdate = float64(issued*x.device.Warp) / updates
	x.operating = float64(operations*x.device.Warp) / updates
	return nil
}

// clocks returns how long a loop takes on a multiprocessor with so many blocks.
func (x *peerReplay) clocks(blocks int) float64 {
	if x.seen[blocks] == 0 {
		x.seen[blocks] = replay(x.trace, residents{blocks, x.bytes(), x.shared + int64(x.use.Shared), 0}, x.device)
	}
	return x.seen[blocks]
}

// steady returns how many cells a second the device computes while all blocks are in the loop, and how many of those are computed by no other block.
func (x *peerReplay) steady() (computed, useful float64) {
	loops := float64(x.blocks*x.device.SMs) * x.device.Hertz() / x.clocks(x.blocks) * float64(x.rows*x.steps)
	return loops * float64(x.computed()), loops * float64(x.useful())
}

// whole returns how many seconds a run takes: all its launches, of waves of blocks; a block that a border cuts takes as long as others.
func (x *peerReplay) whole(r peerRun) float64 {
	across := int64(1)
	for i, n := range x.inner() {
		across *= over(r.grid[1+i], n)
	}
	place := int64(x.blocks * x.device.SMs)
	stream := x.stream
	if stream == 0 {
		stream = over(r.grid[0], max(1, place/across))
	}
	count := across * over(r.grid[0], stream)
	loops := float64(stream+x.lead) / float64(x.rows)
	seconds := func(blocks int) float64 { return loops * x.clocks(blocks) / x.device.Hertz() }
	launch := float64(count/place) * seconds(x.blocks)
	if rest := count % place; rest > 0 {
		launch += seconds(int(over(rest, int64(x.device.SMs))))
	}
	return float64(over(r.steps, x.steps)) * (launch + model.LaunchSeconds)
}

// over returns a / b, rounded up.
func over(a, b int64) int64 { return (a + b - 1) / b }

func (x *peerReplay) print(how string) {
	computed, useful := x.steady()
	bytes := float64(x.bytes()) / float64(x.rows*x.useful()*x.steps)
	fmt.Printf("%-34s %-12s %4d %6d %6d %6d %6.1f %6.2f %6.2f %8.0f %8.0f %7.2f %8.0f\n", x.name, how, x.use.Registers, x.use.Spilled, x.blocks, len(x.trace[0]), x.perUpdate, x.operating, bytes,
		x.clocks(x.blocks), computed/1e9, useful/computed, useful/1e9)
	for _, r := range x.runs {
		rate := r.points() / x.whole(r)
		fmt.Printf("    %-34v share %.2f %8.0f GSt/s\n", r, rate/useful, rate/1e9)
	}
}
