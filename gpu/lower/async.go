package lower

import (
	"slices"

	"github.com/hexcc/hexcc/gpu"
)

// This file has threads copy to shared memory without waiting. A copy through a register holds it until the element has come, so that a thread has as many on
// their way as it has registers to spare, and those that only some threads make are waited for one group after the other. Asynchronous copies need
// no register: all of a tile are on their way at once, and are waited for once.

// asynchronous has the copies in of a kernel made so, where the device does that.
func asynchronous(d *draft) error {
	if !d.plan.options.Async {
		return nil
	}
	body, pending := fetched(d.kernel.Body, false)
	if pending {
		body = append(body, gpu.Arrive{})
	}
	d.kernel.Body = body
	return nil
}

// fetched returns nodes with asynchronous copies, which are waited for before there is anything but further copies in. pending says that some may be on their
// way before, and whether some may be behind.
func fetched(nodes []gpu.Node, pending bool) ([]gpu.Node, bool) {
	var out []gpu.Node
	arrive := func() {
		if pending {
			out = append(out, gpu.Arrive{})
		}
		pending = false
	}
	for _, n := range nodes {
		switch x := n.(type) {
		case gpu.If:
			if !onlyCopiesIn(n) {
				arrive()
			}
			then, some := fetched(x.Then, pending)
			other, more := fetched(x.Else, pending)
			x.Then, x.Else, pending = then, other, some || more
			n = x
		case gpu.For:
			arrive()
			if x.Ahead {
				x.Body = fetchedAhead(x.Body)
				n = x
				break
			}
			body, some := fetched(x.Body, false)
			if some {
				body = append(body, gpu.Arrive{})
			}
			x.Body = body
			n = x
		case gpu.Threads:
			if x.Role.Kind != gpu.CopyIn {
				arrive()
				break
			}
			some := false
			x.Body, some = begun(x.Body)
			pending = pending || some
			n = x
		case gpu.Test:
		default:
			arrive()
		}
		out = append(out, n)
	}
	return out, pending
}

// begun returns operations with the copies in of them asynchronous, and whether there are such.
func begun(ops []gpu.Op) (out []gpu.Op, some bool) {
	out = slices.Clone(ops)
	for i, op := range out {
		if c, ok := op.(gpu.Copy); ok && mayFetch(c) {
			c.Async = true
			out[i], some = c, true
		}
	}
	return out, some
}

// fetchedAhead returns the body of a loop whose copies in are of what the next turn uses, asynchronous: they are waited for at its end, before the last barrier.
func fetchedAhead(nodes []gpu.Node) []gpu.Node {
	some := false
	var inside func(nodes []gpu.Node) []gpu.Node
	inside = func(nodes []gpu.Node) []gpu.Node {
		out := slices.Clone(nodes)
		for i, n := range out {
			switch x := n.(type) {
			case gpu.If:
				x.Then, x.Else = inside(x.Then), inside(x.Else)
				out[i] = x
			case gpu.Threads:
				if x.Role.Kind != gpu.CopyIn {
					continue
				}
				has := false
				x.Body, has = begun(x.Body)
				some = some || has
				out[i] = x
			}
		}
		return out
	}
	out := inside(nodes)
	if some {
		out = slices.Insert(out, len(out)-1, gpu.Node(gpu.Arrive{}))
	}
	return out
}

// onlyCopiesIn reports whether a node does nothing but copy in.
func onlyCopiesIn(n gpu.Node) bool {
	switch n := n.(type) {
	case gpu.Threads:
		return n.Role.Kind == gpu.CopyIn
	case gpu.If:
		others := func(n gpu.Node) bool { return !onlyCopiesIn(n) }
		return !slices.ContainsFunc(n.Then, others) && !slices.ContainsFunc(n.Else, others)
	case gpu.Test:
		return true
	}
	return false
}

// mayFetch reports whether devices copy such elements asynchronously: of four and eight bytes that lie at multiples of that, from global to shared memory.
func mayFetch(c gpu.Copy) bool {
	return c.To.Buffer != nil && c.From.Buffer == nil && c.To.Reg == "" && c.From.Reg == "" && slices.Contains([]int{4, 8}, c.To.Array.Elem.Size())
}
