package poly

// A meter bounds the arithmetic of one operation. The parts that an operation works on carry it, and so does what it makes
// of them, down to systems and tableaus, which spend from it. Once the operation ends, its meter counts nothing any more;
// so a result that still carries it costs the next operation nothing.
type meter struct {
	op    string
	spent int
	ended bool
	scope *Scope // that the operation is part of; nil: of none. It goes on when the operation has ended
}

// Steps that one operation counts for with operands beyond 32 bits, and beyond 64, for each four words of them.
const (
	wideSteps = 4
	bigSteps  = 100
)

// steps returns about how much arithmetic an operation on all of v is.
func (v vec) steps() int {
	weight := 1
	for _, x := range v {
		switch {
		case x.big != nil:
			weight = max(weight, bigSteps*(1+len(x.big.Bits())/4))
		case !x.fits32():
			weight = max(weight, wideSteps)
		}
	}
	return weight * len(v)
}

// begin returns the meter of an operation on lists of parts, which then carry it. Within another operation it is that of
// the other one, which goes on; the caller ends what begin returns, nil in that case.
func begin(op string, lists ...*[]Basic) *meter {
	m := (*meter)(nil)
	var scope *Scope
	for _, list := range lists {
		for _, b := range *list {
			if b.meter.runs() {
				m = b.meter
			}
			if s := b.meter.part(); s != nil {
				scope = s
			}
		}
	}
	outer := m
	if m == nil {
		m = &meter{op: op, scope: scope}
	}
	for _, list := range lists {
		*list = m.on(*list)
	}
	if outer != nil {
		return nil
	}
	return m
}

// on returns parts with the meter m, if it runs.
func (m *meter) on(parts []Basic) []Basic {
	if !m.runs() || len(parts) == 0 {
		return parts
	}
	metered := make([]Basic, len(parts))
	for i, b := range parts {
		b.meter = m
		metered[i] = b
	}
	return metered
}

// end ends the operation, if m is its meter.
func (m *meter) end() {
	if m != nil {
		m.ended = true
	}
}

func (m *meter) runs() bool { return m != nil && !m.ended }

// part returns the scope that an operation with m is part of, nil where it is of none that goes on.
func (m *meter) part() *Scope {
	if m == nil || m.scope == nil || m.scope.ended {
		return nil
	}
	return m.scope
}

// spend counts steps, and panics with a *LimitError when there are too many.
func (m *meter) spend(steps int) {
	if !m.runs() {
		return
	}
	if m.spent += steps; m.spent > maxSteps {
		panic(&LimitError{Op: m.op, What: "steps of arithmetic", Bound: maxSteps})
	}
	if m.scope != nil {
		m.scope.spend(m.op, steps)
	}
}
