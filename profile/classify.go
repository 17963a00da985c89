package profile

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// This file says what bounds a kernel, as Rawat et al., "On Optimizing Complex Stencils on GPUs" (IPDPS 2019, section IV), do: what is in use
// for most of what it can do bounds the kernel, and where nothing is, waiting does. They compare operations by byte with those that the device
// does in the time of a byte; a share of the peak says the same of each resource by itself.

// A Resource is what a device has of a kind, and can do so much of in a second.
type Resource string

// The resources.
const (
	DeviceMemory   Resource = "device memory"
	L2             Resource = "L2"
	L1             Resource = "L1" // the data that it moves, those of shared memory with them
	SharedMemory   Resource = "shared memory"
	FP32           Resource = "fp32"
	FP64           Resource = "fp64"
	Integer        Resource = "integer"
	Special        Resource = "special functions"
	Issue          Resource = "issue"
	Multiprocessor Resource = "multiprocessor" // its busiest part, whichever that is
)

// A Class is what bounds a kernel.
type Class string

// The classes. There is one for each resource but L1 and Multiprocessor of which that is all that is known, too.
const (
	BoundMemory  Class = "device memory"
	BoundL2      Class = "L2"
	BoundL1      Class = "L1"
	BoundShared  Class = "shared memory"
	BoundUnits   Class = "arithmetic"
	BoundIssue   Class = "issue"
	BoundCompute Class = "multiprocessor"
	BoundLatency Class = "latency"
	BoundIdle    Class = "idle multiprocessors"
	BoundFetch   Class = "instruction cache"
	BoundSpills  Class = "spilled registers"
	// What does not bound by itself.
	HasConflicts Class = "bank conflicts"
	HasFewWarps  Class = "few warps"
	HasGaps      Class = "short launches"
	Unknown      Class = "not known"
)

var classOf = map[Resource]Class{
	DeviceMemory: BoundMemory, L2: BoundL2, L1: BoundL1, SharedMemory: BoundShared, FP32: BoundUnits, FP64: BoundUnits, Integer: BoundUnits, Special: BoundUnits,
	Issue: BoundIssue, Multiprocessor: BoundCompute,
}

// From which share on something is found. docs/profile.md has them.
const (
	BusyShare     = 0.60 // of what a resource can do
	IdleShare     = 0.30 // of the time of multiprocessors without a warp
	SpillShare    = 0.02 // of instructions, those of local memory; they bound
	SpillBound    = 0.10 // from here on
	ConflictShare = 0.15 // of passes over banks, those beyond the least
	FetchShare    = 0.20 // of the time of warps, that in which they wait for instructions
	WaitShare     = 0.15 // of the time of warps, for a reason to be told
	FewWarps      = 0.25 // of the warps that a multiprocessor holds
	GapShare      = 0.20 // of the time, that between launches
)

// Evidence is what is known of a kernel.
type Evidence struct {
	// Counted: shares are of the time that the model expects, of what is counted; else all is measured.
	Counted   bool
	Untimed   bool // likewise, but the model has no time: they are of that of the busiest
	Shares    map[Resource]float64
	Idle      Known // share of the time of multiprocessors without a warp
	Spills    Known // share of instructions that access local memory
	Spilled   int   // registers of a thread for which there is no room, by estimate or, if Compiled, as the compiler says
	Compiled  bool
	Conflicts Known // share of passes over the banks of shared memory
	Warps     Known // share of the warps that a multiprocessor holds, that run at once
	Gaps      Known // share of the time that lies between launches, where each takes as long as is assumed
	Stalls    map[string]float64
}

// Known is a number that may not be known.
type Known struct {
	Value float64
	Is    bool
}

func known(v float64, is bool) Known { return Known{v, is} }

// A Finding is something that bounds a kernel, or slows it down.
type Finding struct {
	Class    Class    `json:"class"`
	Resource Resource `json:"resource"` // that is busy; "" where none is
	Reason   string   `json:"reason"`   // what warps wait for, by ncu's name; "" if that is not it
	Value    float64  `json:"value"`    // the share that was found
	From     float64  `json:"from"`     // which share on it is one
	Text     string   `json:"text"`
}

// Classify returns what bounds a kernel, and then what else was found.
func (e *Evidence) Classify() []Finding {
	var all []Finding
	busy := e.busy()
	spills, idle := e.spills(), e.idle()
	switch {
	case len(spills) > 0 && e.Spills.Is && e.Spills.Value >= SpillBound:
		all = slices.Concat(spills, busy, idle)
	case len(busy) > 0:
		all = slices.Concat(busy, idle, spills)
	case len(idle) > 0:
		all = slices.Concat(idle, e.waiting(), spills)
	case !e.told():
		all = append([]Finding{{Class: Unknown, Text: "what bounds it is not known: the shares of memories and of issue, or of arithmetic, are not there"}}, spills...)
	default:
		all = slices.Concat(e.waiting(), spills)
	}
	return append(all, e.besides()...)
}

// told reports whether it would be seen if a memory, or the work of multiprocessors, bound the kernel.
func (e *Evidence) told() bool {
	has := func(any ...Resource) bool {
		return slices.ContainsFunc(any, func(r Resource) bool { _, ok := e.Shares[r]; return ok })
	}
	return has(DeviceMemory, L2) && has(Issue, Multiprocessor)
}

// busy returns the resources that are in use for most of what they can do, the busiest first. L1 and Multiprocessor only count where none of their parts does.
func (e *Evidence) busy() (all []Finding) {
	over := func(r Resource) bool { return e.Shares[r] >= BusyShare }
	for _, r := range slices.SortedFunc(maps.Keys(e.Shares), func(a, b Resource) int {
		return cmp.Or(cmp.Compare(e.Shares[b], e.Shares[a]), cmp.Compare(a, b))
	}) {
		part := r == L1 && over(SharedMemory) || r == Multiprocessor && (over(Issue) || over(FP32) || over(FP64) || over(Integer) || over(Special) || over(SharedMemory) || over(L1))
		if over(r) && !part {
			all = append(all, Finding{classOf[r], r, "", e.Shares[r], BusyShare, fmt.Sprintf("%s: %s of what it can do%s", r, inPercent(e.Shares[r]), e.by())})
		}
	}
	return all
}

// by says of which time shares are, where that is not measured.
func (e *Evidence) by() string {
	switch {
	case e.Untimed:
		return ", in the time of what takes the longest"
	case e.Counted:
		return ", in the time that the model expects"
	}
	return ""
}

func (e *Evidence) idle() []Finding {
	if !e.Idle.Is || e.Idle.Value < IdleShare {
		return nil
	}
	return []Finding{{BoundIdle, "", "", e.Idle.Value, IdleShare, fmt.Sprintf("multiprocessors have no warp for %s of the time%s: too few blocks, or too uneven ones", inPercent(e.Idle.Value), e.by())}}
}

func (e *Evidence) spills() []Finding {
	switch {
	case e.Spilled > 0 && e.Compiled:
		return []Finding{{BoundSpills, "", "", float64(e.Spilled), 1, fmt.Sprintf("registers are spilled: a thread stores %d for want of room", e.Spilled)}}
	case e.Spilled > 0:
		return []Finding{{BoundSpills, "", "", float64(e.Spilled), 1, fmt.Sprintf("registers are spilled, by estimate: a thread has room for %d fewer than it needs", e.Spilled)}}
	case e.Spills.Is && e.Spills.Value >= SpillShare:
		return []Finding{{BoundSpills, "", "", e.Spills.Value, SpillShare, fmt.Sprintf("registers are spilled: %s of the instructions access local memory", inPercent(e.Spills.Value))}}
	}
	return nil
}

// waiting says that nothing is busy, and what warps wait for the most.
func (e *Evidence) waiting() (all []Finding) {
	reasons := e.Reasons()
	if len(reasons) == 0 {
		text := "nothing is busy: warps wait, and the file does not say for what"
		if e.Counted {
			text = "nothing is busy by the model: warps wait for memory and barriers"
		}
		return []Finding{{BoundLatency, "", "", e.most(), BusyShare, text}}
	}
	for i, r := range reasons {
		share := e.Stalls[r]
		if i > 0 && (i > 2 || share < WaitShare) {
			break
		}
		class := BoundLatency
		if isFetch(r) && share >= FetchShare {
			class = BoundFetch
		}
		all = append(all, Finding{class, "", r, share, WaitShare, fmt.Sprintf("warps wait %s of their time for %s (%s)", inPercent(share), waitsFor(r), r)})
	}
	return all
}

// most returns the largest share of a resource.
func (e *Evidence) most() (n float64) {
	for _, v := range e.Shares {
		n = max(n, v)
	}
	return n
}

// besides returns what slows a kernel down, whatever bounds it.
func (e *Evidence) besides() (all []Finding) {
	if e.Gaps.Is && e.Gaps.Value >= GapShare {
		all = append(all, Finding{HasGaps, "", "", e.Gaps.Value, GapShare,
			fmt.Sprintf("short launches: about %s of the time lies between them, if a launch begins 3 us after the one before", inPercent(e.Gaps.Value))})
	}
	if e.Conflicts.Is && e.Conflicts.Value >= ConflictShare {
		all = append(all, Finding{HasConflicts, "", "", e.Conflicts.Value, ConflictShare,
			fmt.Sprintf("bank conflicts: %s of the passes over shared memory", inPercent(e.Conflicts.Value))})
	}
	if e.Warps.Is && e.Warps.Value < FewWarps {
		all = append(all, Finding{HasFewWarps, "", "", e.Warps.Value, FewWarps,
			fmt.Sprintf("few warps: %s of those that a multiprocessor holds", inPercent(e.Warps.Value))})
	}
	return all
}

// Reasons returns what warps wait for, the longest first. That they were selected, or others were, is no waiting.
func (e *Evidence) Reasons() []string {
	return slices.DeleteFunc(slices.SortedFunc(maps.Keys(e.Stalls), func(a, b string) int {
		return cmp.Or(cmp.Compare(e.Stalls[b], e.Stalls[a]), cmp.Compare(a, b))
	}), func(r string) bool { return r == "selected" || r == "not_selected" })
}

// stallWords say what warps wait for, by the names that ncu has.
var stallWords = map[string]string{
	"long_scoreboard":  "values from global or local memory",
	"short_scoreboard": "values from shared memory, or of special functions",
	"barrier":          "the other warps of the block, at barriers",
	"mio_throttle":     "room in the queue to shared memory and special functions",
	"lg_throttle":      "room in the queue to global and local memory",
	"tex_throttle":     "room in the queue to L1",
	"math_pipe":        "a unit of arithmetic that is taken",
	"wait":             "the instruction before, so many clocks as it always takes",
	"no_instruction":   "instructions that are not in the cache",
	"branch_resolving": "branches",
	"dispatch_stall":   "the dispatcher",
	"drain":            "stores, at the end of the kernel",
	"imc_miss":         "constants that are not in the cache",
	"membar":           "fences, until what was written is seen by others",
	"sleeping":         "the time that they sleep, as chains of tiles do that wait for each other",
	"gmma":             "matrix units",
	"misc":             "other things",
}

func plainReason(r string) string {
	switch r {
	case "math_pipe_throttle":
		return "math_pipe"
	case "no_instructions":
		return "no_instruction"
	}
	return r
}

func waitsFor(r string) string {
	if words, ok := stallWords[plainReason(r)]; ok {
		return words
	}
	return "what ncu calls " + r
}

// isFetch reports whether a reason is that instructions are not in the cache.
func isFetch(r string) bool { return plainReason(r) == "no_instruction" }

func inPercent(share float64) string {
	if share < 0.0995 {
		return fmt.Sprintf("%.1f %%", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
