package hexcc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file keeps wishes about kernels, or says why one cannot be kept.

// unkept is the error of a wish that cannot be kept.
func (u *unit) unkept(wish, why, help string) error {
	return diag.List{{Code: "HX303", At: u.Scop.Start(), Msg: fmt.Sprintf("%s cannot be kept: %s", wish, why), Help: help}}
}

// blockFits returns an error if a block is asked for that the device does not have.
func (u *unit) blockFits() error {
	n, most := u.opts.Block[0]*u.opts.Block[1]*u.opts.Block[2], u.device().ThreadsPerBlock
	if n <= most || u.opts.Target.isCPU() {
		return nil
	}
	return diag.List{{Code: "HX404", At: u.Scop.Start(), Msg: fmt.Sprintf("%s has %d threads, and a block of %s at most %d", u.opts.block(), n, u.device().Name, most),
		Help: "ask for fewer threads: each then runs more points"}}
}

// checkWishes returns an error if wishes are about what the kernels of the strategy do not have.
func (u *unit) checkWishes() error {
	w := u.opts.Wishes
	if u.opts.Target.isCPU() {
		return nil // they are about kernels
	}
	if w.Registers > 0 && u.opts.Target.isOpenCL() {
		return u.unkept(fmt.Sprintf("registers(%d)", w.Registers), "OpenCL C has no word for it", "write --target=cuda or --target=ptx")
	}
	if w.Block != [3]int{} && w.Elements != [2]int{} {
		return u.unkept(w.block(), "elements follow from the threads of a block, and it has both", "leave one of block and elements out")
	}
	var kernels, help string
	switch {
	case u.streams():
		kernels, help = "rows that stream through registers have warps and buffers of their own (--pipeline)", "leave it out, or --kernel=streaming"
	case u.Strategy == Wavefront:
		kernels, help = "parallelograms run wave by wave, which deals points to threads", "leave it out, or take another strategy"
	default:
		return u.checkPlaces()
	}
	switch {
	case w.Prefetch != nil && u.streams() && (*w.Prefetch < 1 || *w.Prefetch > stream.MostPeriodsAhead):
		return u.unkept(w.prefetch(), fmt.Sprintf("rows that stream through registers are loaded 1 to %d periods before they are used", stream.MostPeriodsAhead), fmt.Sprintf("ask for prefetch(%d), or leave it out", stream.PeriodsAhead))
	case u.streams() && u.opts.Memory != lower.Moved:
		return u.unkept(fmt.Sprintf("memory(%v)", u.opts.Memory), kernels, help)
	case u.streams() && u.opts.Unroll > 0:
		return u.unkept(fmt.Sprintf("unroll(%d)", u.opts.Unroll), kernels, help)
	case u.streams() && len(u.opts.Leave) > 0:
		return u.unkept(fmt.Sprintf("leave(%s)", strings.Join(u.opts.Leave, ",")), kernels, help)
	case w.Block != [3]int{}:
		return u.unkept(w.block(), kernels, help)
	case w.Elements != [2]int{}:
		return u.unkept(w.elements(), kernels, help)
	case w.Occupancy > 0:
		return u.unkept(w.occupancy(), kernels, help)
	case w.Place != nil:
		return u.unkept(w.place(w.placed()[0]), kernels, help)
	}
	return nil
}

// checkPlaces returns an error if an array of the region cannot lie where it is asked to, whatever the tiles.
func (u *unit) checkPlaces() error {
	for _, name := range u.opts.placed() {
		wish, place := u.opts.place(name), u.opts.Place[name]
		coefficient := slices.ContainsFunc(u.Scop.CoefficientArrays(), func(a *scop.Array) bool { return a.Name == name })
		if coefficient != (place == InConstant) {
			if coefficient {
				return u.unkept(wish, "its elements are parameters of the kernels", fmt.Sprintf("ask for place(%s:constant), or leave it out", name))
			}
			if u.has(name) {
				return u.unkept(wish, "only a few elements that are read by numbers, such as w[2], and never written are parameters of kernels", fmt.Sprintf("ask for place(%s:global), or leave it out", name))
			}
		}
		at := slices.IndexFunc(u.Scop.Arrays, func(a *scop.Array) bool { return a.Name == name })
		if at < 0 {
			continue // of another region
		}
		array := u.Scop.Arrays[at]
		switch {
		case place == InTexture && !array.Const:
			return u.unkept(wish, "the region writes it", fmt.Sprintf("ask for place(%s:global), or leave it out", name))
		case place == InShared && (u.opts.Memory == lower.Global || u.Strategy.scheme().global):
			return u.unkept(wish, "these kernels use no shared memory", "leave --memory=global and --strategy=untiled out")
		case place == InRegisters:
			if a, b := u.neighbours(array); a != nil {
				return u.unkept(wish, fmt.Sprintf("what a thread reads of it others read, too: %s and %s are of different points", a.Text, b.Text), fmt.Sprintf("ask for place(%s:shared), or leave it out", name))
			}
		}
	}
	return nil
}

// has reports whether the region has an array of that name.
func (u *unit) has(name string) bool {
	named := func(a *scop.Array) bool { return a.Name == name }
	return slices.ContainsFunc(u.Scop.Arrays, named) || slices.ContainsFunc(u.Scop.CoefficientArrays(), named)
}

// needsTiles reports whether way is that of plain loops, and something is asked for that only tiles in shared memory have.
func (u *unit) needsTiles(way *model.Expected) bool {
	return way == u.Outlook.Untiled && (u.asked().Stage != nil || u.opts.Occupancy > 0)
}

// neighbours returns two accesses to an array by which two points of a step have an element in common, or whose distance is no number; nil if there are none.
func (u *unit) neighbours(array *scop.Array) (a, b *scop.Access) {
	var first *scop.Access
	var at schedule.Offset
	for _, st := range u.Scop.Stmts {
		for _, x := range st.Accesses {
			if x.Array != array {
				continue
			}
			o, ok := u.Space.Offset(st, x)
			switch {
			case !ok || slices.Contains(o.Follows, false):
				return x, x
			case first == nil:
				first, at = x, o
			case !slices.Equal(at.At, o.At):
				return first, x
			}
		}
	}
	return nil, nil
}

// demoted returns how kernels are made: with as many arrays more in global memory as the occupancy that is asked for takes.
func (u *unit) demoted(o lower.Options, d machine.Device) lower.Options {
	if u.opts.Occupancy > 0 && o.Strategy != lower.Global {
		a := u.chosen()
		a.Leave = o.Leave
		o.Leave = model.Demote(u.Schedule, d, a).Leave
	}
	return o
}

// keepPrefetch checks that what streams is loaded as far ahead as is asked for, and says how. Tiles that do not stream load all they need before their first step: no tile begins with the
// loads of the next one.
func (u *unit) keepPrefetch() (string, error) {
	wish, n := u.opts.prefetch(), *u.opts.Prefetch
	switch {
	case u.shape() != nil:
		return fmt.Sprintf("%s: rows are loaded %d periods before they are used", wish, n), nil
	case u.Schedule.Stream() == nil && n > 0:
		return "", u.unkept(wish, "tiles that do not stream load all they need before their first step", "ask for planes, as with --stream=s0, or for rows that stream, --kernel=streaming; or ask for prefetch(0)")
	case u.Schedule.Stream() == nil:
		return wish + ": tiles load all they need before their first step", nil
	case n == 0:
		return wish + ": a plane is loaded at the position that uses it first", nil
	}
	if !slices.ContainsFunc(u.GPU.Kernels, func(k *gpu.Kernel) bool { return len(k.Shared) > 0 }) {
		return "", u.unkept(wish, "no array lies in shared memory", "leave it out")
	}
	return fmt.Sprintf("%s: a plane is loaded %d positions before it is used", wish, n), nil
}

// keep checks that the kernels are what is asked for, and notes how each wish is kept.
func (u *unit) keep(d machine.Device) error {
	w := u.opts.Wishes
	u.Kept = nil
	for _, name := range w.placed() {
		wish, place := w.place(name), w.Place[name]
		if !u.has(name) {
			continue
		}
		if place != InShared {
			u.Kept = append(u.Kept, fmt.Sprintf("%s: %s", wish, kept[place]))
			continue
		}
		bytes := int64(0)
		for _, k := range u.GPU.Kernels {
			for _, b := range k.Shared {
				if b.Array.Name == name {
					bytes = max(bytes, b.Bytes())
				}
			}
		}
		why := "no tile uses it"
		for _, r := range u.GPU.Remarks {
			if said, ok := strings.CutPrefix(r, name+" stays in global memory: "); ok {
				bytes, why = 0, said
			}
		}
		if bytes == 0 {
			return u.unkept(wish, why, "leave it out")
		}
		u.Kept = append(u.Kept, fmt.Sprintf("%s: %d bytes of a block's shared memory", wish, bytes))
	}
	if w.Block != [3]int{} {
		u.Kept = append(u.Kept, fmt.Sprintf("%s: %d threads", w.block(), w.Block[0]*w.Block[1]*w.Block[2]))
	}
	if w.Elements != [2]int{} {
		u.Kept = append(u.Kept, fmt.Sprintf("%s: blocks of %s threads", w.elements(), u.threads()))
	}
	if w.Registers > 0 {
		u.Kept = append(u.Kept, fmt.Sprintf("registers(%d): the compiler is told", w.Registers))
	}
	if w.Prefetch != nil {
		how, err := u.keepPrefetch()
		if err != nil {
			return err
		}
		u.Kept = append(u.Kept, how)
	}
	if w.Occupancy > 0 {
		for _, k := range u.GPU.Kernels {
			o := k.Occupancy(d, k.Registers)
			if a := u.asked(); !a.Keeps(d, o) {
				return a.TooFew(u.Space, d, o)
			}
		}
		u.Kept = append(u.Kept, fmt.Sprintf("%s: %s", w.occupancy(), u.busy(d)))
	}
	return nil
}

// kept says how a place is kept.
var kept = map[Place]string{
	InRegisters: "a thread loads the elements of its own points, and nobody else needs them",
	InGlobal:    "no part of it is in shared memory",
	InConstant:  "its elements are parameters of the kernels, which GPUs have in constant memory",
	InTexture:   "read where it is, as what nothing writes",
}

// threads returns the shapes of blocks, each once.
func (u *unit) threads() string {
	var all []string
	for _, k := range u.GPU.Kernels {
		if s := fmt.Sprintf("%d x %d", k.Threads[0], max(1, k.Threads[1])); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return strings.Join(all, " and ")
}

// busy says how many blocks a multiprocessor holds.
func (u *unit) busy(d machine.Device) string {
	var all []string
	for _, k := range u.GPU.Kernels {
		o := k.Occupancy(d, k.Registers)
		if s := fmt.Sprintf("%d of %d warps in %d blocks", o.Warps, d.WarpsPerSM(), o.Blocks); !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return strings.Join(all, "; ")
}

// bounded returns p, whose kernels have no more registers of a thread than is asked for.
func (w Wishes) bounded(p *gpu.Program) *gpu.Program {
	for _, k := range p.Kernels {
		k.MostRegisters = w.Registers
	}
	return p
}
