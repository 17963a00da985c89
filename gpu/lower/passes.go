package lower

import (
	"fmt"

	"github.com/hexcc/hexcc/astgen"
	"github.com/hexcc/hexcc/gpu"
)

// passes is how the loops of a launch become a kernel, in order. One goes in circles: (*) spills for as
// many blocks at once as shared memory has room for, then for one fewer, until that adds few enough reads.
var passes = []pass{
	// Decisions: each sets a field of the draft and reads those before it.
	{"loops", loops},     // launch           -> steps of tiles; loops over tiles; when the tile before or after a full one is full
	{"threads", threads}, // steps            -> threads of a block, rows of points of each thread
	{"unroll", unrolled}, // steps, threads   -> how much of a full tile is straight code
	{"stage", staging},   // all of these     -> arrays in shared memory: their buffers; what full tiles load, move and store
	{"fit", fit},         // threads, buffers -> an error where a block of the device has fewer

	// Kernels: the first makes one, and each of the others rewrites it. It is right after each of them.
	{"nodes", nodes},         // the draft     -> loops, copies, points dealt to threads, barriers
	{"promote", promote},     // full tile     -> values that a thread uses again in registers, however many
	{"spill", spill},         // registers     -> no more than a thread has (*)
	{"ahead", ahead},         // full tile     -> loads of a step ahead of its stores
	{"addresses", addresses}, // full tile     -> elements of global memory as offsets from base addresses
	{"tests", tests},         // full tile     -> tests for it outside of the loops that do not change them
	{"fetch", asynchronous},  // copies in     -> asynchronous ones, if the target has them, and waits for them
	{"resources", resources}, // registers     -> registers of a thread and blocks at once, by estimate
}

type pass struct {
	name string
	run  func(*draft) error
}

// A draft is a kernel in the making.
type draft struct {
	from   astgen.Launch
	launch launch // set by "loops", with frame
	frame  frame
	block  block       // by "threads"
	code   code        // by "unroll"
	plan   plan        // by "stage"
	kernel *gpu.Kernel // by "nodes"
	named  registers   // by "promote": those of the straight code of a full tile
	values int         // by "spill": the most 32-bit registers that hold values of a full tile at once
}

// A frame is what is around the tiles of a launch.
type frame struct {
	grid          []gpu.Axis   // over blocks
	loops         []astgen.For // of a block over its tiles, outermost first
	full, partial *astgen.Tile // full: nil if there are none
	cond          astgen.Cond  // where a tile is full
	streamed      *astgen.Streamed
	uncut         *astgen.Streamed // of tiles for which cond holds; nil: there are none
}

// kernel returns the kernel of a launch, after the passes up to the one of that name; "": all.
func (m *program) kernel(l astgen.Launch, last string) (*draft, error) {
	d := &draft{from: l, launch: launch{program: m}}
	for _, p := range passes {
		if err := p.run(d); err != nil {
			return nil, err
		}
		if p.name == last {
			break
		}
	}
	return d, nil
}

// loops reads the loops of the launch.
func loops(d *draft) error {
	d.launch = d.launch.program.launch(d.from.Phase)
	var body astgen.Node
	d.frame.grid, body = gridOf(d.from)
	for {
		switch n := body.(type) {
		case astgen.For:
			d.frame.loops = append(d.frame.loops, n)
			body = n.Body
			continue
		case astgen.If:
			if cut, ok := n.Else.(astgen.Streamed); ok {
				uncut := n.Then.(astgen.Streamed)
				d.frame.uncut, d.frame.cond, d.frame.streamed = &uncut, n.Cond, &cut
				return nil
			}
			full, partial := n.Then.(astgen.Tile), n.Else.(astgen.Tile)
			d.frame.full, d.frame.cond, d.frame.partial = &full, n.Cond, &partial
			d.launch.neighbours = d.frame.neighbours()
		case astgen.Tile:
			d.frame.partial = &n
		case astgen.Streamed:
			d.frame.streamed = &n
		default:
			panic(fmt.Sprintf("lower: unexpected %T in a kernel", n))
		}
		return nil
	}
}

// neighbours returns what is known of the tiles before and after a full one.
func (f *frame) neighbours() neighbours {
	if len(f.loops) == 0 {
		return neighbours{lastKnown: true}
	}
	inner := f.loops[len(f.loops)-1]
	w := walk{inner.Var, inner.Lo, inner.Hi}
	last, ok := w.lasts(f.cond)
	return neighbours{lastKnown: ok, after: w.follows(f.cond), last: last}
}

func threads(d *draft) error {
	d.block = blockOf(d.launch)
	return nil
}

func unrolled(d *draft) error {
	d.code = unroll(d.block)
	return nil
}

func staging(d *draft) error {
	d.plan = stage(d.code)
	return d.plan.keeps()
}

func fit(d *draft) error { return d.plan.fits() }

// nodes makes the kernel: in full tiles each value is read from memory where it is used.
func nodes(d *draft) error {
	t := tiles{plan: &d.plan}
	f, p := d.frame, &d.plan
	several := len(f.loops) > 0
	var body []gpu.Node
	if f.streamed != nil {
		body = t.streamed(*f.streamed)
		if f.uncut != nil {
			body = []gpu.Node{gpu.If{Cond: f.cond, Then: p.uncut(f.present()).streamed(*f.uncut), Else: body, Role: gpu.Role{Kind: gpu.UncutTile}}}
		}
	} else if f.full != nil {
		full := t.full(*f.full, several)
		body = []gpu.Node{gpu.If{Cond: f.cond, Then: full, Else: t.partial(*f.partial, several), Role: gpu.Role{Kind: gpu.FullTile}}}
	} else {
		body = t.partial(*f.partial, several)
	}
	for i := len(f.loops) - 1; i >= 0; i-- {
		body = []gpu.Node{gpu.For{Var: f.loops[i].Var, Lo: f.loops[i].Lo, Hi: f.loops[i].Hi, Body: body}}
	}
	d.kernel = &gpu.Kernel{
		Name: fmt.Sprintf("%s_phase%d", p.scop.Function, p.number), Phase: p.number, Threads: p.threads,
		Grid: f.grid, Work: d.from.Work,
		Body: append(t.copyOnce(), body...),
	}
	for _, f := range p.staged {
		d.kernel.Shared = append(d.kernel.Shared, f.buffer)
	}
	return nil
}

func promote(d *draft) error {
	if d.plan.unroll {
		d.fullTile(func(n gpu.If) gpu.If {
			n.Then, d.named = d.plan.promoted(n.Then)
			return n
		})
	}
	return nil
}

func spill(d *draft) error {
	if d.plan.unroll {
		d.fullTile(func(n gpu.If) gpu.If {
			n.Then = d.plan.spilled(n.Then, d.named)
			d.values = live(n.Then)
			return n
		})
	}
	return nil
}

func ahead(d *draft) error {
	if d.plan.unroll {
		d.fullTile(func(n gpu.If) gpu.If {
			n.Then = d.plan.ahead(n.Then, d.values)
			return n
		})
	}
	return nil
}

func addresses(d *draft) error {
	if d.plan.unroll {
		d.fullTile(d.plan.fromBases)
	}
	return nil
}

func tests(d *draft) error {
	var p placement
	for _, x := range d.frame.grid {
		p.grid = append(p.grid, x.Var)
	}
	for _, l := range d.frame.loops {
		p.loops = append(p.loops, l.Var)
	}
	d.fullTile(func(n gpu.If) gpu.If { return p.place(n, d.plan.used) })
	d.kernel.Body = p.around(d.kernel.Body, 1)
	return nil
}

func resources(d *draft) error {
	d.kernel.Registers, _ = d.plan.wanted(d.values)
	d.kernel.Resident, d.kernel.MostRegisters = d.kernel.ResidentOn(d.plan.device, 0), d.plan.options.Most
	for axis := range d.kernel.ThreadVars {
		d.kernel.ThreadVars[axis] = d.plan.threadVar(axis)
	}
	return nil
}

// fullTile has f rewrite the full tile of the kernel, if it has one.
func (d *draft) fullTile(f func(gpu.If) gpu.If) { d.kernel.Body = inFullTile(d.kernel.Body, f) }

func inFullTile(nodes []gpu.Node, f func(gpu.If) gpu.If) []gpu.Node {
	out := make([]gpu.Node, len(nodes))
	for i, n := range nodes {
		switch x := n.(type) {
		case gpu.For:
			x.Body = inFullTile(x.Body, f)
			n = x
		case gpu.If:
			if x.Role.Kind == gpu.FullTile {
				n = f(x)
			}
		}
		out[i] = n
	}
	return out
}

// present returns slices of the statements and steps that run in tiles that no bound cuts across the stream.
func (f *frame) present() (all []astgen.Slice) {
	for _, s := range f.uncut.Steps {
		all = append(all, astgen.Slice{A: s.A, Stmt: s.Stmt})
	}
	return all
}
