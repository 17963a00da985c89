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
			x.Body = slices.Clone(x.Body)
			for i, op := range x.Body {
				if c, ok := op.(gpu.Copy); ok && mayFetch(c) {
					c.Async = true
					x.Body[i], pending = c, true
				}
			}
			n = x
		case gpu.Test:
		default:
			arrive()
		}
		out = append(out, n)
	}
	return out, pending
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
