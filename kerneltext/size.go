package kerneltext

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/scop"
)

// This file prints how a host tests, before all else, whether it can work with the
// parameters it is given, and how large the arrays are.

// SizeSupport returns the functions in C that the tests of sizes in a text call: compilers warn of others. They
// keep what is wrong with hexcc_check, as the error of that name.
func SizeSupport(invalid string, texts ...string) (support string) {
	for _, f := range []struct{ name, text string }{{"hexcc_beyond", beyondText}, {"hexcc_size", sizeText}} {
		if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, f.name+"(") }) {
			support += fmt.Sprintf(f.text, invalid)
		}
	}
	return support
}

const beyondText = `
// hexcc_beyond says that a parameter is out of range, and returns an error.
static inline int hexcc_beyond(const char *name, int below, unsigned long long magnitude, long long most, int line)
{
  char text[200];
  snprintf(text, sizeof text, "%%.60s is %%s%%llu, and may be from -%%lld to %%lld", name, below ? "-" : "", magnitude, most, most);
  return (int)hexcc_check(%[1]s, text, line);
}
`

const sizeText = `
// hexcc_size returns the bytes of an array of elements of so many bytes. Where an extent is negative, or the size
// is beyond what a pointer can reach, it says so, and sets *error.
static inline size_t hexcc_size(const char *name, size_t element, const long *extents, int dims, int line, int *error)
{
  const size_t most = (size_t)-1 / 2;
  size_t bytes = element;
  int negative = 0, empty = 0, large = 0, at;
  char text[200];
  for (int i = 0; i < dims; i++) {
    negative |= extents[i] < 0;
    empty |= extents[i] == 0;
  }
  for (int i = 0; i < dims && !negative && !empty; i++) {
    large |= (unsigned long long)extents[i] > most / bytes;
    bytes *= large ? 1 : (size_t)extents[i];
  }
  if (!negative && !large)
    return empty ? 0 : bytes;
  at = snprintf(text, sizeof text, "%%.60s", name);
  for (int i = 0; i < dims && at < (int)sizeof text; i++)
    at += snprintf(text + at, sizeof text - (size_t)at, "[%%ld]", extents[i]);
  if (at < (int)sizeof text)
    snprintf(text + at, sizeof text - (size_t)at, negative ? " has a negative extent" : " has more than %%llu bytes", (unsigned long long)most);
  *error = (int)hexcc_check(%[1]s, text, line);
  return 0;
}
`

// UnlessLarge prints the return of an error where a parameter is so large that indices of 64 bits do not suffice.
func (h *Host) UnlessLarge() {
	most := h.Program.Most
	for _, q := range h.Program.Scop.Params {
		if q.Type.Size() <= scop.Int.Size() {
			if _, hi := q.Type.Range(); hi <= most {
				continue
			}
		}
		name := h.ParameterName(q.Name, q.Type, true)
		cond, below := fmt.Sprintf("%s > %dL", name, most), "0"
		magnitude := "(unsigned long long)" + name
		if !q.Type.IsUnsigned() {
			cond += fmt.Sprintf(" || %s < -%dL", name, most)
			below = name + " < 0"
			magnitude = fmt.Sprintf("%s < 0 ? 0 - %s : %s", name, magnitude, magnitude)
		}
		h.Uses[name] = true
		h.Line("if (%s)", cond)
		h.Line("  return hexcc_beyond(%s, %s, %s, %dL, __LINE__);", ctext.Quote(q.Name), below, magnitude, most)
	}
}

// Sizes prints the sizes of arrays, the return of an error where one of them cannot be, and the return if no array has an element.
func (h *Host) Sizes(arrays []HostArray) {
	tested := slices.ContainsFunc(arrays, func(a HostArray) bool { return !a.sized() })
	if tested {
		h.Line("int wrong = 0;")
	}
	for _, a := range arrays {
		h.bytes(a)
	}
	if tested {
		h.Line("if (wrong != 0)")
		h.Line("  return wrong;")
	}
	for _, a := range arrays {
		if !a.Transfer.In && !a.Transfer.Out {
			continue
		}
		if a.Skipped != "" {
			h.Line("const size_t %s = %s == 0 ? 0 : sizeof(%s) * (%s); // up to the first element used", a.Skipped, a.Bytes, a.Elem.InMemory(), h.elementsTo(a.Array, a.First))
		}
		to := a.Bytes
		if len(a.Last) > 0 {
			to = h.sizeToLast(a.Array)
		}
		switch {
		case a.Skipped != "":
			h.Line("const size_t %s = %s == 0 ? 0 : %s - %s;", a.Copied, a.Bytes, to, a.Skipped)
		case a.Copied != a.Bytes:
			h.Line("const size_t %s = %s == 0 ? 0 : %s; // up to the last element used", a.Copied, a.Bytes, to)
		}
	}
	for _, a := range arrays {
		if t := a.Transfer; !t.In && !t.Out {
			for _, object := range a.Objects {
				h.Line("(void)%s; // %s", object, t.Why)
			}
		}
	}
	h.nothing(arrays)
}

// sized reports whether the size of a is a number that every size_t holds.
func (a HostArray) sized() bool {
	n := int64(a.Elem.Size())
	for _, e := range a.Extents {
		if slices.ContainsFunc(e.Params, func(c int64) bool { return c != 0 }) || e.Const < 0 || e.Const > 0 && n > math.MaxInt32/e.Const {
			return false
		}
		n *= e.Const
	}
	return true
}

// bytes prints the size of a, or of each plane.
func (h *Host) bytes(a HostArray) {
	var extents []string
	for _, e := range a.Extents {
		extents = append(extents, h.Expr(h.Affine(e)))
	}
	planes := ""
	if n := len(a.Planes); n > 0 {
		planes = fmt.Sprintf(" / %d", n) // of each
	}
	if a.sized() {
		h.Line("const size_t %s = %s%s;", a.Bytes, strings.Join(append([]string{fmt.Sprintf("sizeof(%s)", a.Elem.InMemory())}, extents...), " * "), planes)
		return
	}
	list := h.Fresh("extents_" + h.Outer[a.Name])
	h.Line("const long %s[] = {%s};", list, strings.Join(extents, ", "))
	h.Line("const size_t %s = hexcc_size(%s, sizeof(%s), %s, %d, __LINE__, &wrong)%s;",
		a.Bytes, ctext.Quote(a.Name), a.Elem.InMemory(), list, len(extents), planes)
}
