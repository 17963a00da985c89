package openmp

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/scop"
)

// This file prints rows a cache line at a time for processors whose vectors fill half of one: each operation for both
// halves before the next one, so that what a line holds is loaded while the cache of first level has it.

// halves returns the text for the points of a cache line, nil if they do not run so.
func (p *point) halves(g cpu.Group) (body []string) {
	if g.Vectors == nil || !g.Vectors.Halves {
		return nil
	}
	body, _ = p.actions(0, g.Size, p.halvesOf(g.Vectors).form())
	return body
}

// halvesOf returns what prints values of vectors in halves.
func (p *point) halvesOf(v *cpu.Vectors) *halves {
	t := p.valuer()
	t.Typed = true
	t.Read = p.ref
	return &halves{point: p, Vectors: v, number: func(e scop.Expr) string { return t.Assigned(e, false) }}
}

// form returns how the actions of a body are spelled in halves.
func (h *halves) form() form {
	return form{
		local: func(a scop.Let) (string, string) {
			if h.Kinds.Local(a.Name) == cpu.Varying {
				return h.name("line"), h.value(a.Value)
			}
			return a.Type.String(), h.number(a.Value)
		},
		result: func(a scop.Store) (string, string) { return h.name("line"), h.value(a.Value) },
		store:  func(element, value string) string { return h.call("store", "&"+element, value) + ";" },
		before: h.taken,
	}
}

// halves prints values of a cache line of points.
type halves struct {
	*point
	*cpu.Vectors
	number func(scop.Expr) string    // prints what is the same for all points
	read   func(*scop.Access) string // the name of a line that is known; "" or nil: it is loaded
	parts  []string                  // statements that compute parts of a value, in order
	count  int                       // of all parts so far
}

// mostCalls is how many calls stand in each other before one is a statement of its own.
const mostCalls = 4

// lineOperations are what the operations of vectors are called, see cpu.Kinds.
var lineOperations = map[string]string{"+": "sum", "-": "difference", "*": "product", "/": "quotient"}

// name returns what is called so for lines of as many elements.
func (h *halves) name(what string) string { return fmt.Sprintf("hexcc_%s%d", what, h.Lanes) }

func (h *halves) call(what string, args ...string) string {
	return h.name(what) + "(" + strings.Join(args, ", ") + ")"
}

// taken returns the statements that the last value needs before it.
func (h *halves) taken() []string {
	parts := h.parts
	h.parts = nil
	return parts
}

// value returns e for a line of points.
func (h *halves) value(e scop.Expr) string {
	text, _ := h.nested(e)
	return text
}

// nested returns e for a line of points, and how many calls stand in each other there.
func (h *halves) nested(e scop.Expr) (text string, calls int) {
	text, calls = h.unplaced(e)
	return h.valuer().Placed(text, e), calls
}

// unplaced is nested without marks around all of it.
func (h *halves) unplaced(e scop.Expr) (text string, calls int) {
	if h.Kinds.Of(e) == cpu.Uniform {
		return h.call("all", h.number(e)), 1
	}
	switch e := e.(type) {
	case scop.Read:
		if h.read != nil {
			if name := h.read(e.From); name != "" {
				return name, 0
			}
		}
		return h.call("load", "&"+h.ref(e.From)), 1
	case scop.Var:
		return h.Local[e.Name], 0
	case scop.Cast:
		return h.nested(e.X)
	case scop.Unary:
		if e.Op == "+" {
			return h.nested(e.X)
		}
		return h.operation("minus", e.X)
	case scop.Binary:
		return h.operation(lineOperations[e.Op], e.X, e.Y)
	}
	panic(fmt.Sprintf("openmp: halves: unexpected %T", e))
}

// operation returns an operation on lines of points.
func (h *halves) operation(what string, operands ...scop.Expr) (text string, calls int) {
	var args []string
	for _, x := range operands {
		arg, inside := h.nested(x)
		if inside == mostCalls {
			part := h.numbered("part", h.count)
			h.count++
			h.parts = append(h.parts, fmt.Sprintf("const %s %s = %s;", h.name("line"), part, arg))
			arg, inside = part, 0
		}
		args, calls = append(args, arg), max(calls, inside+1)
	}
	return h.call(what, args...), calls
}

// inHalves prints the points of whole cache lines, of a row that starts with one.
func (p *point) inHalves(g group) {
	if g.halves == nil {
		return
	}
	v := g.Vectors
	p.Raw("#if HEXCC_HALVES\n")
	p.Braces(fmt.Sprintf("for (; %s <= %s - %d; %s += %d)", p.start, p.stop, v.Lanes-1, p.start, v.Lanes), func() {
		p.vector(p.start, g.halves)
	})
	p.Raw("#endif\n")
}

// halvesHead defines what lines of a cache are, as two vectors. Compilers are kept from computing all of the first one before
// the second.
const halvesHead = `
// Cache lines as two vectors, where those of the processor are half as long. With -DHEXCC_HALVES=0 compilers make their own.
#if !defined HEXCC_HALVES && !HEXCC_VECTORS && defined __AVX__
#define HEXCC_HALVES 1
#endif
#if HEXCC_HALVES
#define HEXCC_LINE static __inline __attribute__((always_inline, unused))
#define HEXCC_BOTH(x) __asm__("" : "+x"((x).low), "+x"((x).high)); return x /* before what comes next */
#define HEXCC_LINES(number, count, half, line, at) \
typedef number half __attribute__((vector_size(32))); \
typedef half at __attribute__((aligned(sizeof(number)), may_alias)); \
typedef struct { half low, high; } line; \
HEXCC_LINE line hexcc_load##count(const number *x) { line r; r.low = *(const at *)x; r.high = *(const at *)(x + count / 2); return r; } \
HEXCC_LINE void hexcc_store##count(number *x, line r) { *(at *)x = r.low; *(at *)(x + count / 2) = r.high; } \
HEXCC_LINE line hexcc_all##count(number x) { line r; r.low = r.high = x - (half){0}; return r; } \
HEXCC_LINE line hexcc_minus##count(line x) { line r; r.low = -x.low; r.high = -x.high; HEXCC_BOTH(r); } \
HEXCC_LINE line hexcc_sum##count(line x, line y) { line r; r.low = x.low + y.low; r.high = x.high + y.high; HEXCC_BOTH(r); } \
HEXCC_LINE line hexcc_difference##count(line x, line y) { line r; r.low = x.low - y.low; r.high = x.high - y.high; HEXCC_BOTH(r); } \
HEXCC_LINE line hexcc_product##count(line x, line y) { line r; r.low = x.low * y.low; r.high = x.high * y.high; HEXCC_BOTH(r); } \
HEXCC_LINE line hexcc_quotient##count(line x, line y) { line r; r.low = x.low / y.low; r.high = x.high / y.high; HEXCC_BOTH(r); }
HEXCC_LINES(double, 8, hexcc_half_double4, hexcc_line8, hexcc_half_double4_at)
HEXCC_LINES(float, 16, hexcc_half_float8, hexcc_line16, hexcc_half_float8_at)
#endif
`

const halvesTail = `
#undef HEXCC_LINE
#undef HEXCC_LINES
#undef HEXCC_BOTH
`
