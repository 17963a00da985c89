package advice

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/profile"
	"github.com/hexcc/hexcc/schedule"
)

// This file knows what may help against what bounds a kernel, as Rawat et al. (IPDPS 2019, section IV-A) have it, in hexcc's clauses. A rule names them whether or
// not the region can have them: the compiler says that.

// A suggestion is settings to try, and why.
type suggestion struct {
	settings []Setting
	why      string
}

// A subject is the region that suggestions are for.
type subject struct {
	*hexcc.Region
	options hexcc.Options
	several bool              // regions are in the file
	counted []profile.Counted // one of each kernel
	list    []suggestion
}

// add adds a suggestion, unless it is there.
func (s *subject) add(why string, settings ...Setting) {
	if len(settings) == 0 || slices.ContainsFunc(s.list, func(x suggestion) bool { return slices.Equal(x.settings, settings) }) {
		return
	}
	s.list = append(s.list, suggestion{settings, why})
}

// suggest adds what may help against f.
func (s *subject) suggest(f profile.Finding) {
	switch f.Class {
	case profile.BoundMemory, profile.BoundL2:
		s.fewerBytes()
	case profile.BoundL1:
		s.stage("from shared memory an element is loaded once for all threads of a block")
		s.fewerBytes()
	case profile.BoundShared, profile.HasConflicts:
		s.lessShared()
	case profile.BoundUnits:
		s.fewerOperations()
	case profile.BoundIssue, profile.BoundCompute:
		s.fewerInstructions()
	case profile.BoundIdle:
		s.moreBlocks()
	case profile.BoundFetch:
		s.shorterCode()
	case profile.BoundSpills:
		s.fewerRegisters()
	case profile.HasGaps:
		s.fewerLaunches()
	case profile.HasFewWarps:
		s.moreWarps()
	case profile.BoundLatency:
		s.lessWaiting(f.Reason)
	}
}

// tiles reports whether kernels run tiles of space and time from shared memory.
func (s *subject) tiles() bool { return s.Strategy == hexcc.Hybrid && s.Streams == nil }

// sized returns the settings that ask for tiles of other sizes.
func (s *subject) sized(change func(x *schedule.Sizes)) []Setting {
	x := schedule.Sizes{H: s.Sizes.H, W: slices.Clone(s.Sizes.W), Stream: s.Sizes.Stream}
	if change(&x); x.String() == s.Sizes.String() || len(x.W) == 0 || slices.Min(x.W) < 0 {
		return nil
	}
	all := []Setting{{"strategy", string(s.Strategy)}, {"tile", x.String()}}
	if s.Strategy == hexcc.Hybrid && s.CPU == nil {
		all = append(all, Setting{"kernel", string(hexcc.Tiles)})
	}
	return all
}

// taller doubles the steps of a tile, shorter halves them: h + 1 stays a multiple of the nests of an iteration.
func taller(x *schedule.Sizes)  { x.H = 2*x.H + 1 }
func shorter(x *schedule.Sizes) { x.H = (x.H - 1) / 2 }

// lastHalf halves the width along the stride-one dimension, firstHalf that along the first one.
func lastHalf(x *schedule.Sizes) {
	if last := len(x.W) - 1; last > 0 {
		x.W[last] /= 2
	}
}
func firstHalf(x *schedule.Sizes) { x.W[0] /= 2 }

// streamed returns the settings for a pipeline of another shape.
func (s *subject) streamed(change func(x *stream.Shape)) []Setting {
	x := s.Streams.Fit().Shape
	before := x.String()
	if change(&x); x.String() == before || x.Columns < 1 || x.Steps < 1 || x.Warps < 1 {
		return nil
	}
	return []Setting{{"kernel", string(hexcc.Streaming)}, {"pipeline", x.String()}}
}

// fewerBytes is for kernels that device memory or L2 bounds: an element that is loaded serves more updates.
func (s *subject) fewerBytes() {
	switch {
	case s.Streams != nil:
		s.add("taller tiles compute more steps of what they load once", s.streamed(func(x *stream.Shape) { x.Warps *= 2 })...)
		s.add("wider rows load less beside what they compute", s.streamed(func(x *stream.Shape) { x.Columns *= 2 })...)
	case s.tiles():
		s.add("taller tiles compute more steps of what they load once", s.sized(taller)...)
		s.add("wider tiles load less beside what they compute", s.sized(func(x *schedule.Sizes) { x.W[len(x.W)-1] *= 2 })...)
		s.add("rows that stream hold taller and wider tiles, in registers", Setting{"kernel", string(hexcc.Streaming)})
		s.stage("what is used again is loaded once")
	case s.Strategy == hexcc.Overlapped:
		s.add("taller boxes compute more steps of what they load once", s.sized(func(x *schedule.Sizes) { x.H = max(1, 2*x.H) })...)
		s.add("tiles of space and time load elements once for several time steps, and compute nothing twice", Setting{"strategy", string(hexcc.Hybrid)})
	case s.Strategy == hexcc.Wavefront:
		s.add("taller tiles compute more steps of what they load once", s.sized(taller)...)
		s.add("wider tiles load less beside what they compute", s.sized(func(x *schedule.Sizes) { x.W[0] *= 2 })...)
	default:
		s.add("tiles of space and time load elements once for several time steps", Setting{"strategy", string(hexcc.Hybrid)})
		s.add("boxes that overlap run all nests of an iteration on what they load once", Setting{"strategy", string(hexcc.Overlapped)})
	}
}

// stage asks for arrays in shared memory that lie in global memory.
func (s *subject) stage(why string) {
	var items []string
	for _, a := range s.Scop.Arrays {
		if !s.staged(a.Name) && len(a.Extents) > 0 {
			items = append(items, a.Name+":"+string(hexcc.InShared))
		}
	}
	if s.Streams == nil && len(items) > 0 {
		s.add(why, Setting{"place", strings.Join(items, ",")})
	}
}

// staged reports whether a kernel has parts of an array in shared memory.
func (s *subject) staged(array string) bool {
	return slices.ContainsFunc(s.GPU.Kernels, func(k *gpu.Kernel) bool {
		return slices.ContainsFunc(k.Shared, func(b *gpu.Buffer) bool { return b.Array.Name == array })
	})
}

// lessShared is for kernels that shared memory bounds: values stay in registers.
func (s *subject) lessShared() {
	if s.Streams != nil {
		s.add("lanes with more columns get fewer from the lanes beside", s.streamed(func(x *stream.Shape) { x.Columns *= 2 })...)
		s.add("warps with more steps hand fewer rows on", s.streamed(func(x *stream.Shape) { x.Steps *= 2 })...)
		return
	}
	if s.Strategy == hexcc.Hybrid {
		s.add("values of a time step stay in registers where rows stream", Setting{"kernel", string(hexcc.Streaming)})
	}
	for _, a := range s.Scop.Arrays {
		if a.Const && s.staged(a.Name) {
			s.add("what only one thread uses need not pass through shared memory", Setting{"place", a.Name + ":" + string(hexcc.InRegisters)})
		}
	}
	if s.tiles() && s.options.Memory == lower.Moved {
		s.add("what the tile before loaded is used where it lies, and not moved", Setting{"memory", lower.Static.String()})
	}
	s.elements("threads with more points load what these share once")
}

// elements asks for blocks of half as many threads along y, or else x, each of which then runs more points.
func (s *subject) elements(why string) {
	if x, y, ok := s.block(); ok && y > 1 {
		s.add(why, Setting{"block", fmt.Sprintf("%d,%d", x, y/2)})
	} else if half := (x/2 + gpu.WarpLanes - 1) / gpu.WarpLanes * gpu.WarpLanes; ok && half < x {
		s.add(why, Setting{"block", fmt.Sprintf("%d,%d", half, y)})
	}
}

// block returns the threads of a block along x and y; ok is false where no clause sets them.
func (s *subject) block() (x, y int, ok bool) {
	t := s.GPU.Kernels[0].Threads
	return t[0], t[1], s.Streams == nil && t[2] == 1 && s.Strategy != hexcc.Wavefront
}

// fewerOperations is for kernels that arithmetic bounds. Shared memory, and straight code, do not help those.
func (s *subject) fewerOperations() {
	if s.Strategy == hexcc.Overlapped {
		s.add("tiles of space and time compute nothing twice", Setting{"strategy", string(hexcc.Hybrid)})
	}
	if !s.options.FMA {
		s.add("a product and the sum that it feeds are one instruction; results then differ by rounding", Setting{Name: "fma"})
	}
}

// fewerInstructions is for kernels whose schedulers issue at most clocks.
func (s *subject) fewerInstructions() {
	if s.Streams == nil {
		s.elements("threads with more points share addresses, and what they load")
	}
	if s.tiles() {
		s.add("rows that stream load less, with constant addresses", Setting{"kernel", string(hexcc.Streaming)})
		s.add("shorter tiles fit into straight code, in which addresses are numbers", s.sized(shorter)...)
	}
	s.fewerOperations()
}

// moreBlocks is for kernels for which multiprocessors wait.
func (s *subject) moreBlocks() {
	if s.GPU.Chains == nil && s.Strategy == hexcc.Hybrid {
		s.add("tiles that start when their data is ready leave no gap between launches", Setting{"launch", string(hexcc.Ready)})
	}
	switch {
	case s.Streams != nil:
		s.add("shorter tiles are more chains, and start sooner", s.streamed(func(x *stream.Shape) { x.Warps /= 2 })...)
		s.add("narrower rows are more chains", s.streamed(func(x *stream.Shape) { x.Columns /= 2 })...)
		s.add("tiles in shared memory are smaller, and more at once", Setting{"kernel", string(hexcc.Tiles)})
	default:
		s.add("narrower tiles are more blocks", s.sized(firstHalf)...)
		s.add("narrower tiles are more blocks", s.sized(lastHalf)...)
		if s.tiles() {
			s.add("shorter tiles are narrower at their widest", s.sized(shorter)...)
		}
	}
}

// fewerLaunches is for launches that are short.
func (s *subject) fewerLaunches() {
	if s.Streams != nil || s.GPU.Chains != nil {
		return
	}
	if s.Strategy == hexcc.Wavefront {
		s.add("taller tiles are fewer launches", s.sized(taller)...)
		return
	}
	if s.Strategy == hexcc.Hybrid {
		s.add("tiles that start when their data is ready are one launch", Setting{"launch", string(hexcc.Ready)})
		s.add("taller tiles are fewer launches", s.sized(taller)...)
		return
	}
	s.add("tiles of space and time are fewer launches", Setting{"strategy", string(hexcc.Hybrid)})
}

// shorterCode is for kernels whose code does not fit into the cache of instructions.
func (s *subject) shorterCode() {
	if s.Streams != nil {
		s.add("stages of fewer steps are shorter", s.streamed(func(x *stream.Shape) { x.Steps /= 2 })...)
		s.add("fewer columns are fewer instructions", s.streamed(func(x *stream.Shape) { x.Columns /= 2 })...)
		s.add("tiles in shared memory have shorter code", Setting{"kernel", string(hexcc.Tiles)})
		return
	}
	s.add("a loop over rows is shorter than all of them spelled out", Setting{"unroll", "4"})
	if s.tiles() {
		s.add("shorter tiles are shorter code", s.sized(shorter)...)
	}
}

// fewerRegisters is for kernels that spill registers.
func (s *subject) fewerRegisters() {
	if s.Streams != nil {
		s.add("lanes with fewer columns hold fewer values", s.streamed(func(x *stream.Shape) { x.Columns /= 2 })...)
		s.add("warps with fewer steps hold fewer rows", s.streamed(func(x *stream.Shape) { x.Steps /= 2 })...)
		s.add("tiles in shared memory hold fewer values in registers", Setting{"kernel", string(hexcc.Tiles)})
		return
	}
	s.add("threads may have as many as there are, at the cost of blocks at once", Setting{"registers", "255"})
	if x, y, ok := s.block(); ok {
		s.add("threads with fewer points hold fewer values", Setting{"block", fmt.Sprintf("%d,%d", x, 2*y)})
	}
	s.add("a loop over a few rows holds fewer values than all of them spelled out", Setting{"unroll", "2"})
	s.add("narrower tiles have fewer points for a thread", s.sized(lastHalf)...)
}

// moreWarps is for multiprocessors with few warps.
func (s *subject) moreWarps() {
	if s.Streams != nil {
		s.add("narrower rows take fewer registers, so that more blocks run at once", s.streamed(func(x *stream.Shape) { x.Columns /= 2 })...)
		return
	}
	c := s.counted[0]
	most := float64(s.GPU.Device.WarpsPerSM())
	for _, part := range []string{"0.25", "0.5", "0.75"} {
		var f float64
		fmt.Sscan(part, &f)
		if float64(c.Warps)/most < f {
			s.add(fmt.Sprintf("more warps hide more waiting: %d of %.0f run at once, by the estimate", c.Warps, most), Setting{"occupancy", part})
			break
		}
	}
	if c.Limit == "registers" && c.Registers > 32 {
		s.add(fmt.Sprintf("registers bound the blocks at once; a thread has about %d", c.Registers), Setting{"registers", fmt.Sprint(c.Registers * 2 / 3 / 8 * 8)})
	}
	if c.Limit == "shared memory" {
		s.add("shared memory bounds the blocks at once, and narrower tiles take less", s.sized(lastHalf)...)
	}
}

// lessWaiting is for kernels whose warps wait for a reason, by ncu's name; "": it is not known.
func (s *subject) lessWaiting(reason string) {
	switch reason {
	case "barrier":
		if s.Streams != nil {
			s.add("fewer barriers", s.streamed(func(x *stream.Shape) { x.Period *= 2 })...)
			return
		}
		s.elements("fewer warps of a block wait for each other")
		s.moreWarps()
		if s.tiles() {
			s.add("rows that stream pass a barrier for several steps", Setting{"kernel", string(hexcc.Streaming)})
		}
	case "short_scoreboard", "mio_throttle":
		s.lessShared()
	case "lg_throttle", "tex_throttle":
		s.stage("a block then loads each element once")
		s.fewerBytes()
	case "math_pipe_throttle", "math_pipe", "wait", "dispatch_stall", "not_selected":
		s.elements("points of a thread are independent: one is computed while another one waits")
		s.fewerOperations()
	case "sleeping", "membar":
		if s.GPU.Chains != nil && s.Streams == nil {
			s.add("launches in turn need no waiting for each other", Setting{"launch", string(hexcc.Phases)})
		}
		s.moreBlocks()
	case "no_instruction", "no_instructions":
		s.shorterCode()
	default: // long_scoreboard, and where it is not known
		s.moreWarps()
		if s.tiles() {
			s.add("what the tile before loaded is used where it lies: fewer loads to wait for", Setting{"memory", lower.Static.String()})
			s.add("rows that stream begin copies some beats before they use them", Setting{"kernel", string(hexcc.Streaming)})
		}
		s.fewerBytes()
	}
}
