package beat

import "github.com/hexcc/hexcc/gpu"

// This file is what a warp does that runs no step of the program in a chain: it copies the rows that the next warp reads.

// rest makes the code of the stage for such chains.
func (c compiler[V]) rest() {
	if c.stage.Inactive == nil {
		c.inactive, c.feeds = append(c.inactive, nil), append(c.feeds, nil)
		return
	}
	var beats [][]func(*warp[V])
	for _, ops := range c.stage.Feeds {
		var codes []func(*warp[V])
		for _, op := range ops {
			codes = append(codes, c.fetchRow(op))
		}
		beats = append(beats, codes)
	}
	c.inactive, c.feeds = append(c.inactive, c.domain.Holds(c.stage.Inactive)), append(c.feeds, beats)
}

func (c compiler[V]) fetchRow(op gpu.FetchRow) func(*warp[V]) {
	element, exists := c.domain.Element(op.Element, Fetched), c.domain.Holds(op.Element.Exists)
	ring, need, base := c.rings[op.Ring], c.own(op.Need), c.base()
	return func(w *warp[V]) {
		to := ring[w.number+op.To][op.Slot]
		c.fetch(to, w.number)
		fill(to.cells, c.domain.Undefined())
		first := base()
		lo, hi := need()
		for x := lo; x <= hi; x++ {
			*c.vars.At = first + int64(x)
			switch {
			case !exists():
			case x < 0 || x >= len(to.cells):
				c.domain.Wrong(Outside, to.String())
			default:
				to.cells[x] = element.Load(c.thread(w, x))
				c.SharedStores++
			}
		}
	}
}
