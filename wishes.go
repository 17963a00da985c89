package hexcc

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// This file is about what users ask of the kernels of GPUs, by flags and by clauses of #pragma hexcc of the same names. What cannot be kept is an error.

// Wishes are what is asked of kernels. The zero Wishes ask for nothing.
type Wishes struct {
	Place     map[string]Place // where arrays lie, by name
	Block     [3]int           // threads of a block along x, y and z; zeros: as the tile sizes say
	Elements  [2]int           // points that a thread runs along x and y in a step; 0: what Block leaves
	Registers int              // of a thread, at most; 0: as many as the compiler takes
	Occupancy float64          // which part of the warps that a multiprocessor holds are to run at once; 0: any
}

// A Place is where kernels have the elements of an array that they use.
type Place string

// The places.
const (
	InShared    Place = "shared"    // staged in shared memory, gain or not
	InRegisters Place = "registers" // loaded by the thread that uses them, which no other thread of a step does
	InGlobal    Place = "global"    // where they are
	InConstant  Place = "constant"  // parameters of kernels, which GPUs have in constant memory: coefficients that all threads read
	InTexture   Place = "texture"   // where they are, read through the cache of textures: nothing writes them
)

var places = []Place{InShared, InRegisters, InGlobal, InConstant, InTexture}

// The least and the most registers of a thread that may be asked for.
const leastRegisters, mostRegisters = 16, 255

// mostThreads bounds the numbers of block and elements: no GPU has blocks of more threads.
const mostThreads = 1024

// Set sets the wish of that name: place, block, elements, registers or occupancy. The error says what is wrong with the value.
func (w *Wishes) Set(name, value string) (err error) {
	switch name {
	case "place":
		w.Place, err = parsePlaces(value)
	case "block":
		w.Block = [3]int{1, 1, 1}
		err = parseNumbers(value, w.Block[:])
		switch n := w.Block[0] * w.Block[1] * w.Block[2]; {
		case err != nil:
		case w.Block[2] > 1:
			err = fmt.Errorf("the points of a tile are dealt to threads along x and y: the third number is 1")
		case n > mostThreads:
			err = fmt.Errorf("these are %d threads, and a block has at most %d", n, mostThreads)
		}
	case "elements":
		err = parseNumbers(value, w.Elements[:])
	case "registers":
		if w.Registers, err = strconv.Atoi(value); err != nil || w.Registers < leastRegisters || w.Registers > mostRegisters {
			err = fmt.Errorf("'%s' is no number of registers from %d to %d", value, leastRegisters, mostRegisters)
		}
	case "occupancy":
		if w.Occupancy, err = strconv.ParseFloat(value, 64); err != nil || !(w.Occupancy > 0 && w.Occupancy <= 1) {
			err = fmt.Errorf("'%s' is no part of the warps of a multiprocessor, above 0 and up to 1, such as 0.5", value)
		}
	default:
		panic("hexcc: no wish " + name)
	}
	return err
}

// WishNames are the names that Set knows.
func WishNames() []string { return []string{"place", "block", "elements", "registers", "occupancy"} }

// parsePlaces reads u:shared,v,w:global, where v goes where w does.
func parsePlaces(text string) (map[string]Place, error) {
	found := map[string]Place{}
	var names []string
	for _, item := range strings.Split(strings.ReplaceAll(text, " ", ""), ",") {
		name, place, said := strings.Cut(item, ":")
		if _, twice := found[name]; name == "" || twice || slices.Contains(names, name) {
			return nil, fmt.Errorf("'%s' is no list of arrays and places, each array once, such as u:shared,v,w:global", text)
		}
		if names = append(names, name); !said {
			continue
		}
		if !slices.Contains(places, Place(place)) {
			return nil, fmt.Errorf("'%s' is no place: there are shared, registers, global, constant and texture", place)
		}
		for _, n := range names {
			found[n] = Place(place)
		}
		names = nil
	}
	if names != nil {
		return nil, fmt.Errorf("where '%s' is to lie is not said: %s:shared, for one", names[0], names[0])
	}
	return found, nil
}

// parseNumbers reads as many numbers as there are, or fewer, with commas between them; those that are not there stay.
func parseNumbers(text string, into []int) error {
	items := strings.Split(text, ",")
	if len(items) > len(into) {
		return fmt.Errorf("'%s' are more than %d numbers", text, len(into))
	}
	for i, item := range items {
		n, err := strconv.Atoi(strings.TrimSpace(item))
		if err != nil || n < 1 || n > mostThreads {
			return fmt.Errorf("'%s' is no number from 1 to %d", strings.TrimSpace(item), mostThreads)
		}
		into[i] = n
	}
	return nil
}

// any reports whether w asks for more than what the compiler is told of registers.
func (w Wishes) any() bool {
	return w.Place != nil || w.Block != [3]int{} || w.Elements != [2]int{} || w.Occupancy > 0
}

// asked returns what the caller asks of kernels in a form that choices keep.
func (u *unit) asked() model.Asked {
	a := model.Asked{Leave: lower.Leave{}, Block: u.opts.Block, Points: [3]int{u.opts.Elements[0], u.opts.Elements[1]}, Occupancy: u.opts.Occupancy}
	for _, name := range u.opts.Leave {
		a.Leave[name] = askedFor
	}
	for name, place := range u.opts.Place {
		if place == InShared {
			if a.Stage == nil {
				a.Stage = map[string]bool{}
			}
			a.Stage[name] = true
		} else {
			a.Leave[name] = askedFor
		}
	}
	return a
}

const askedFor = "that is asked for"

// chosen returns what is asked, with the arrays that stay in global memory since the choice of sizes says so.
func (u *unit) chosen() model.Asked {
	a := u.asked()
	if u.Choice != nil && u.Choice.Left != nil {
		a.Leave = u.Choice.Left
	}
	return a
}

// within returns d with no more registers of a thread than is asked for, or than leave room for as many warps.
func (w Wishes) within(d machine.Device) machine.Device {
	if w.Registers > 0 {
		d.RegistersPerThread = min(d.RegistersPerThread, w.Registers)
	}
	return model.Asked{Occupancy: w.Occupancy}.Within(d)
}

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
		return u.unkept(w.places()[0], kernels, help)
	}
	return nil
}

// clauses returns the wishes, each in the form of a clause.
func (w Wishes) clauses() (all []string) {
	if w.Place != nil {
		var items []string
		for _, name := range slices.Sorted(maps.Keys(w.Place)) {
			items = append(items, fmt.Sprintf("%s:%s", name, w.Place[name]))
		}
		all = append(all, fmt.Sprintf("place(%s)", strings.Join(items, ",")))
	}
	if w.Block != [3]int{} {
		all = append(all, w.block())
	}
	if w.Elements != [2]int{} {
		all = append(all, w.elements())
	}
	if w.Registers > 0 {
		all = append(all, fmt.Sprintf("registers(%d)", w.Registers))
	}
	if w.Occupancy > 0 {
		all = append(all, w.occupancy())
	}
	return all
}

func (w Wishes) block() string { return fmt.Sprintf("block(%d,%d)", w.Block[0], w.Block[1]) }

func (w Wishes) elements() string {
	if w.Elements[1] == 0 {
		return fmt.Sprintf("elements(%d)", w.Elements[0])
	}
	return fmt.Sprintf("elements(%d,%d)", w.Elements[0], w.Elements[1])
}

func (w Wishes) occupancy() string { return fmt.Sprintf("occupancy(%g)", w.Occupancy) }

func (w Wishes) places() (all []string) {
	for _, name := range slices.Sorted(maps.Keys(w.Place)) {
		all = append(all, fmt.Sprintf("place(%s:%s)", name, w.Place[name]))
	}
	return all
}

// checkPlaces returns an error if an array of the region cannot lie where it is asked to, whatever the tiles.
func (u *unit) checkPlaces() error {
	for _, name := range slices.Sorted(maps.Keys(u.opts.Place)) {
		place := u.opts.Place[name]
		wish := fmt.Sprintf("place(%s:%s)", name, place)
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

// keep checks that the kernels are what is asked for, and notes how each wish is kept.
func (u *unit) keep(d machine.Device) error {
	w := u.opts.Wishes
	u.Kept = nil
	for _, wish := range w.places() {
		name, place, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(wish, "place("), ")"), ":")
		if !u.has(name) {
			continue
		}
		if Place(place) != InShared {
			u.Kept = append(u.Kept, fmt.Sprintf("%s: %s", wish, kept[Place(place)]))
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
	if w.Occupancy > 0 {
		for _, k := range u.GPU.Kernels {
			o := d.Occupancy(k.Threads[0]*k.Threads[1]*k.Threads[2], k.Registers, k.SharedBytes())
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
		o := d.Occupancy(k.Threads[0]*k.Threads[1]*k.Threads[2], k.Registers, k.SharedBytes())
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
