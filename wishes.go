package hexcc

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
)

// This file is about what users ask of the kernels of GPUs, by flags and by clauses of #pragma hexcc of the same names.

// Wishes are what is asked of kernels. The zero Wishes ask for nothing.
type Wishes struct {
	Place     map[string]Place // where arrays lie, by name
	Block     [3]int           // threads of a block along x, y and z; zeros: as the tile sizes say
	Elements  [2]int           // points that a thread runs along x and y in a step; 0: what Block leaves
	Registers int              // of a thread, at most; 0: as many as the compiler takes
	Occupancy float64          // which part of the warps that a multiprocessor holds are to run at once; 0: any
	Prefetch  *int64           // how many planes, or periods of rows, before its use what streams is loaded; nil: as many as the structure has by itself
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

// mostRegisters is how many registers of a thread may be asked for; model.LeastRegisters the least.
const mostRegisters = 255

// mostThreads bounds the numbers of block and elements: no GPU has blocks of more threads.
const mostThreads = 1024

// mostPrefetch bounds how far ahead loads may be asked to begin.
const mostPrefetch = 8

// Set sets the wish of that name: place, block, elements, registers, occupancy or prefetch. The error says what is wrong with the value.
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
		if w.Registers, err = strconv.Atoi(value); err != nil || w.Registers < model.LeastRegisters || w.Registers > mostRegisters {
			err = fmt.Errorf("'%s' is no number of registers from %d to %d", value, model.LeastRegisters, mostRegisters)
		}
	case "occupancy":
		if w.Occupancy, err = strconv.ParseFloat(value, 64); err != nil || !(w.Occupancy > 0 && w.Occupancy <= 1) {
			err = fmt.Errorf("'%s' is no part of the warps of a multiprocessor, above 0 and up to 1, such as 0.5", value)
		}
	case "prefetch":
		n, no := strconv.ParseInt(value, 10, 64)
		if w.Prefetch = &n; no != nil || n < 0 || n > mostPrefetch {
			err = fmt.Errorf("'%s' is no number of planes or periods from 0 to %d", value, mostPrefetch)
		}
	default:
		panic("hexcc: no wish " + name)
	}
	return err
}

// WishNames are the names that Set knows.
func WishNames() []string {
	return []string{"place", "block", "elements", "registers", "occupancy", "prefetch"}
}

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
	return w.Place != nil || w.Block != [3]int{} || w.Elements != [2]int{} || w.Occupancy > 0 || w.Prefetch != nil
}

// asked returns what the caller asks of kernels in a form that choices keep.
func (u *unit) asked() model.Asked {
	a := model.Asked{Leave: lower.Leave{}, Block: u.opts.Block, Points: [3]int{u.opts.Elements[0], u.opts.Elements[1]}, Occupancy: u.opts.Occupancy, Prefetch: u.opts.Prefetch}
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

// clauses returns the wishes, each in the form of a clause.
func (w Wishes) clauses() (all []string) {
	if w.Place != nil {
		var items []string
		for _, name := range w.placed() {
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
	if w.Prefetch != nil {
		all = append(all, w.prefetch())
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

func (w Wishes) prefetch() string { return fmt.Sprintf("prefetch(%d)", *w.Prefetch) }

func (w Wishes) occupancy() string { return fmt.Sprintf("occupancy(%g)", w.Occupancy) }

// placed returns the names of the arrays that have a place, in order.
func (w Wishes) placed() []string { return slices.Sorted(maps.Keys(w.Place)) }

func (w Wishes) place(name string) string { return fmt.Sprintf("place(%s:%s)", name, w.Place[name]) }
