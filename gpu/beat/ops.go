package beat

import (
	"fmt"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/gpu"
)

// A compiler makes code of the operations of a stage.
type compiler[V any] struct {
	*Machine[V]
	stage *gpu.Stage
}

func (c compiler[V]) op(op gpu.WarpOp) func(*warp[V]) {
	switch op := op.(type) {
	case gpu.ReadRow:
		return c.readRow(op)
	case gpu.WriteRow:
		return c.writeRow(op)
	case gpu.Exchange:
		return c.exchange(op)
	case gpu.Evaluate:
		return c.evaluate(op)
	case gpu.Patch:
		return c.patch(op)
	case gpu.Fetch:
		return c.fetchOp(op)
	case gpu.FetchLine:
		return c.fetchLine(op)
	case gpu.Enter:
		return c.enter(op)
	case gpu.Leave:
		return c.leave(op)
	case gpu.Put:
		return c.put(op)
	case gpu.StoreColumn:
		return c.storeColumn(op)
	}
	panic(fmt.Sprintf("beat: unknown operation %T", op))
}

// A shape says where the registers of a row are.
type shape struct{ left, columns, right, stride int }

func (c compiler[V]) shape(row int) shape {
	r := c.stage.Rows[row]
	return shape{r.Left, c.Columns, r.Right, r.Left + c.Columns + r.Right}
}

// at returns the place of column x of a lane, which may be one of those beside it.
func (s shape) at(lane, x int) int {
	if x < -s.left || x >= s.columns+s.right {
		panic(fmt.Sprintf("beat: BUG: a row has no column %d, with %d to the left and %d to the right", x, s.left, s.right))
	}
	return lane*s.stride + s.left + x
}

// column returns the place of a column of the warp.
func (s shape) column(at int) int { return s.at(at/s.columns, at%s.columns) }

func (c compiler[V]) readRow(op gpu.ReadRow) func(*warp[V]) {
	s, ring := c.shape(op.Row), c.rings[op.Ring]
	return func(w *warp[V]) {
		from, to, shift := ring[w.number+op.From][op.Slot], w.rows[op.Row], op.Shift[w.number-c.stage.First]
		c.touch(from, w.number, false)
		for x := range c.width() {
			v := c.domain.Undefined()
			if at := x + shift; at >= 0 && at < len(from.cells) {
				v = from.cells[at]
			}
			to[s.column(x)] = v
		}
		c.SharedLoads += int64(c.width())
	}
}

func (c compiler[V]) writeRow(op gpu.WriteRow) func(*warp[V]) {
	s, ring := c.shape(op.Row), c.rings[op.Ring]
	return func(w *warp[V]) {
		to, from := ring[w.number+op.To][op.Slot], w.rows[op.Row]
		c.touch(to, w.number, true)
		for x := range to.cells {
			to.cells[x] = from[s.column(x)]
		}
		c.SharedStores += int64(c.width())
	}
}

func (c compiler[V]) exchange(op gpu.Exchange) func(*warp[V]) {
	s := c.shape(op.Row)
	if max(op.Left, op.Right) > s.columns {
		panic(fmt.Sprintf("beat: BUG: an exchange of %d and %d columns, where a lane has %d", op.Left, op.Right, s.columns))
	}
	words := int64(c.stage.Rows[op.Row].Array.Elem.Words())
	return func(w *warp[V]) {
		row := w.rows[op.Row]
		for lane := range gpu.WarpLanes {
			for k := 1; k <= op.Left; k++ {
				v := c.domain.Undefined()
				if lane > 0 {
					v = row[s.at(lane-1, s.columns-k)]
				}
				row[s.at(lane, -k)] = v
			}
			for k := range op.Right {
				v := c.domain.Undefined()
				if lane < gpu.WarpLanes-1 {
					v = row[s.at(lane+1, k)]
				}
				row[s.at(lane, s.columns+k)] = v
			}
		}
		c.Shuffles += int64(op.Left+op.Right) * words
	}
}

// own returns the code of which columns of the warp are the tile's.
func (c compiler[V]) own(own [2]affine.Sum) func() (lo, hi int) {
	origin, lo, hi := c.domain.Number(c.stage.Origin), c.domain.Number(own[0]), c.domain.Number(own[1])
	return func() (int, int) {
		o := origin()
		return int(lo() - o), int(hi() - o)
	}
}

// base returns the code of s0 of column 0 of the warp.
func (c compiler[V]) base() func() int64 {
	origin := c.domain.Number(c.stage.Origin)
	return func() int64 { return *c.vars.Column + origin() }
}

// An operand is where the value of an access is: column x+shift of a row, or an element.
type operand[V any] struct {
	row, shift int
	shape      shape
	write      bool
	result     []V // of a write, by column of the warp, until all are calculated
	element    Element[V]
	exists     func() bool
}

func (c compiler[V]) operands(op gpu.Evaluate) (all []operand[V]) {
	for k, o := range op.Operands {
		x := operand[V]{row: o.Row, shift: o.Shift, write: op.Stmt.Accesses[k].Write}
		switch {
		case o.Element != nil:
			x.element, x.exists = c.domain.Element(*o.Element, Operated), c.domain.Holds(o.Element.Exists)
		case x.write:
			x.shape, x.result = c.shape(o.Row), make([]V, c.width())
		default:
			x.shape = c.shape(o.Row)
			x.shape.at(0, min(0, o.Shift))
			x.shape.at(0, c.Columns-1+max(0, o.Shift))
		}
		all = append(all, x)
	}
	for _, x := range all {
		for _, y := range all {
			if x.write && !y.write && y.element == nil && x.row == y.row && y.shift != 0 {
				panic("beat: BUG: an operand is a neighbour in a row that is set")
			}
		}
	}
	return all
}

func (c compiler[V]) evaluate(op gpu.Evaluate) func(*warp[V]) {
	instance, domain, own, base := c.domain.Instance(op), c.domain.Holds(op.Domain), c.own(op.Own), c.base()
	operands := c.operands(op)
	values := make([]V, len(operands))
	return func(w *warp[V]) {
		if op.Border && c.Full {
			return
		}
		none, first := c.domain.Undefined(), base()
		lo, hi := own()
		if lo <= hi && (lo < 0 || hi >= c.width()) {
			c.domain.Wrong(Outside, op.Stmt.Name)
		}
		for x := range c.width() {
			*c.vars.At = first + int64(x)
			thread := c.thread(w, x)
			isInstance := lo <= x && x <= hi && (c.Full || domain())
			for k := range operands {
				o := &operands[k]
				switch {
				case o.element == nil && !o.write && !isInstance:
				case o.element == nil && (!o.write || op.Border && !isInstance):
					values[k] = w.rows[o.row][o.shape.at(x/c.Columns, x%c.Columns+o.shift)]
				case o.write:
					values[k] = none
				case !isInstance && !c.Full: // in full turns all lanes load
				case c.Full || o.exists():
					values[k] = o.element.Load(thread)
				default:
					values[k] = none
				}
			}
			if isInstance {
				instance(values, thread)
			}
			for k := range operands {
				if o := &operands[k]; o.write {
					o.result[x] = values[k]
				}
			}
		}
		for k := range operands {
			if o := &operands[k]; o.write {
				for x, v := range o.result {
					w.rows[o.row][o.shape.column(x)] = v
				}
			}
		}
		c.LaneUpdates += int64(c.width())
	}
}

func (c compiler[V]) patch(op gpu.Patch) func(*warp[V]) {
	element, exists := c.domain.Element(op.Element, Patched), c.domain.Holds(op.Element.Exists)
	domain, final, base := c.domain.Holds(op.Domain), c.domain.Holds(op.Final), c.base()
	own, need := c.own(op.Own), c.own(op.Need)
	var stored []func() (lo, hi int)
	for _, x := range op.Stored {
		stored = append(stored, c.own([2]affine.Sum{x.Lo, x.Hi}))
	}
	s := c.shape(op.Row)
	beside, margins := c.beside(op.Beside)
	outside := func() bool { return false }
	if op.Beside != nil && op.Beside.Outside != nil {
		outside = c.domain.Holds(op.Beside.Outside)
	}
	return func(w *warp[V]) {
		if c.Full {
			return
		}
		fetched, alone := beside()
		none, first, row := c.domain.Undefined(), base(), w.rows[op.Row]
		lo, hi := own()
		from, to := need()
		if outside() {
			line := c.line(op.Beside, w)
			for x := max(from, 0); x <= min(to, c.width()-1); x++ {
				row[s.column(x)] = line(x)
			}
			return
		}
		for x := range c.width() {
			*c.vars.At = first + int64(x)
			v := &row[s.column(x)]
			switch isOwn := lo <= x && x <= hi; {
			case domain():
				leaves := false
				for i, cols := range stored {
					lo, hi := cols()
					leaves = leaves || op.Stored[i].Warps.Has(w.number) && lo <= x && x <= hi
				}
				if isOwn && !leaves && !alone && final() {
					element.Store(c.thread(w, x), *v)
				}
			case x < from || x > to:
			case fetched:
				*v = margins(w)
			case !alone && exists():
				*v = element.Load(c.thread(w, x))
			default:
				*v = none
			}
		}
	}
}

// beside returns the code of whether columns beside a domain have been fetched, and are all that there is to do, and of the one at the present column.
func (c compiler[V]) beside(b *gpu.Beside) (where func() (fetched, alone bool), margin func(*warp[V]) V) {
	if b == nil {
		return func() (bool, bool) { return false, false }, nil
	}
	fetched, alone := c.domain.Holds(b.Where), c.domain.Holds(b.Alone)
	var firsts []func() int64
	for _, m := range b.Margins {
		firsts = append(firsts, c.domain.Number(m.At))
	}
	return func() (bool, bool) { return fetched(), alone() }, func(w *warp[V]) V {
		for i, m := range b.Margins {
			if n := *c.vars.At - firsts[i](); n >= 0 && n < int64(m.Count) {
				from := c.edges[b.Edge][w.number][b.Slot]
				c.touch(from, w.number, false)
				c.SharedLoads++
				return from.cells[m.Element+int(n)]
			}
		}
		return c.domain.Undefined()
	}
}

// place returns the register of column x of a lane, nil if there is no such lane.
func (c compiler[V]) place(w *warp[V], row, x int, lane int64, what string) *V {
	if lane < 0 || lane >= gpu.WarpLanes {
		c.domain.Wrong(Outside, what)
		return nil
	}
	return &w.rows[row][c.shape(row).at(int(lane), x)]
}

func (c compiler[V]) enter(op gpu.Enter) func(*warp[V]) {
	lane, edge := c.domain.Number(op.Lane), c.edges[op.Edge]
	return func(w *warp[V]) {
		if !op.Warps.Has(w.number) {
			return
		}
		from := edge[w.number][op.Slot]
		c.touch(from, w.number, false)
		if to := c.place(w, op.Row, op.X, lane(), "enter"); to != nil {
			*to = from.cells[op.Element]
		}
		c.SharedLoads++
	}
}

func (c compiler[V]) leave(op gpu.Leave) func(*warp[V]) {
	lane, edge := c.domain.Number(op.Lane), c.edges[op.Edge]
	return func(w *warp[V]) {
		if !op.Warps.Has(w.number) {
			return
		}
		to := edge[w.number][op.Slot]
		c.touch(to, w.number, true)
		if from := c.place(w, op.Row, op.X, lane(), "leave"); from != nil {
			to.cells[op.Element] = *from
		}
		c.SharedStores++
	}
}

func (c compiler[V]) storeColumn(op gpu.StoreColumn) func(*warp[V]) {
	lane, at := c.domain.Number(op.Lane), c.domain.Number(op.At)
	element, domain := c.domain.Element(op.Element, Put), c.domain.Holds(op.Domain)
	return func(w *warp[V]) {
		if *c.vars.At = at(); !op.Warps.Has(w.number) || !c.Full && !domain() {
			return
		}
		l := lane()
		if from := c.place(w, op.Row, op.X, l, "store"); from != nil {
			element.Store(w.number*gpu.WarpLanes+int(l), *from)
		}
	}
}
