package mpitext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/affine"
	"github.com/hexcc/hexcc/ranks"
	"github.com/hexcc/hexcc/scop"
)

// This file prints what nests in a loop that ranks run know of each other: which rows of neighbours a rank still has, so that they are not sent again. All ranks know the same of a border, since they run the same
// nests on the same arrays. An array is known by the number of a variable that led to it where the function began: a slot. Pointers that the region exchanges are found by their values.

// tracked reports whether there is anything to know.
func (h *Host) tracked() bool { return len(h.Loop.Halos) > 0 && len(h.arrays()) > 0 }

// halosText is what nests call.
const halosText = `// Of the border below a rank, 0, and of the one above, 1, by array and halo: whether the receiver has what it reads there.
static char FN_has[2][SLOTS][HALOS];

// What is known of a halo; of arrays without a number, nothing.
static char *FN_halo(int side, int slot, int halo)
{
  static char nothing;
  nothing = 0;
  return slot < 0 ? &nothing : &FN_has[side][slot][halo];
}

`

// slotText finds arrays.
const slotText = `// The number of the array that a pointer leads to, which the region exchanges with others; -1: none of them.
static int FN_slot(const void *at)
{
  for (int slot = 0; slot < SLOTS; slot++)
    if (FN_all.base[slot] == at)
      return slot;
  return -1;
}

`

// moved reports whether the region sets pointers to arrays.
func (h *Host) moved() bool {
	for _, v := range h.arrays() {
		if v.Set {
			return true
		}
	}
	return false
}

// casts returns how many types such pointers have.
func (h *Host) casts() int {
	all := map[string]bool{}
	for _, v := range h.arrays() {
		if v.Set {
			all[v.Cast] = true
		}
	}
	return len(all)
}

// halos returns the functions that nests call.
func (h *Host) halos() (text string) {
	if h.moved() {
		text = slotText
	}
	if h.tracked() {
		text += halosText
	}
	return strings.NewReplacer("FN", h.Name, "SLOTS", fmt.Sprint(len(h.arrays())), "HALOS", fmt.Sprint(len(h.Loop.Halos))).Replace(text)
}

// noSlot is the number of arrays that are none of those of the function, unknownSlot that of those which may be any.
const (
	noSlot      = "-2"
	unknownSlot = "-1"
)

var termName = regexp.MustCompile(`\bhexcc_term\d+\b`)

// slot returns the number of an array of a nest, as C.
func (h *Host) slot(m *Region, a *scop.Array) string {
	slot := unknownSlot
	if len(a.Planes) > 0 {
		return unknownSlot // it is several
	}
	for k, v := range h.arrays() {
		switch {
		case !v.LeadsTo(a):
		case slot != unknownSlot || v.Hidden:
			return unknownSlot
		case v.Set && h.casts() > 1:
			return unknownSlot // it may lead to what another one has rows of other lengths of
		case v.Set:
			slot = fmt.Sprintf("%s_slot(%s)", h.Name, m.Outer[a.Objects()[0].Name])
		default:
			slot = fmt.Sprint(k)
		}
	}
	if slot == unknownSlot && termName.MatchString(a.Objects()[0].Flat) {
		return noSlot
	}
	return slot
}

// eachSide prints what is done for the border below a rank, and for that above.
func (m *Region) eachSide(body func()) {
	m.Braces("for (int hexcc_side = 0; hexcc_side < 2; hexcc_side++)", body)
}

// Numbered declares the numbers of the arrays of a nest.
func (m *Region) Numbered() {
	if !m.around.tracked() {
		return
	}
	var slots []string
	for _, a := range m.Scop.Arrays {
		slots = append(slots, m.around.slot(m, a))
	}
	m.Line("const int hexcc_slots[] = {%s};", strings.Join(slots, ", "))
	m.Line("(void)hexcc_slots;")
}

// Has prints what finds out what need not be sent before a nest.
func (m *Region) Has() {
	m.ofHalos(func(halo, array, way int) {
		if m.around.Loop.Halos[halo].Sized {
			m.Line("for (int hexcc_slot = 0; hexcc_slot < %d && !hexcc_again; hexcc_slot++)", len(m.around.arrays()))
			m.Line("  *%s_halo(hexcc_side, hexcc_slot, %d) = 0; // with other sizes it is another one", m.host, halo)
		}
		m.Line("hexcc_r.has[%s][%d] = *%s_halo(hexcc_side, hexcc_slots[%d], %d);", m.side(), 2*array+way, m.host, array, halo)
	})
}

// side returns on which side of the tiles of a nest a rank has the border that is on hexcc_side of its rows.
func (m *Region) side() string {
	if m.Plan.Reversed() {
		return "!hexcc_side"
	}
	return "hexcc_side"
}

// ofHalos prints what is done at each side with the halos of a nest, with the number of the way they go: 0 is up.
func (m *Region) ofHalos(body func(halo, array, way int)) {
	any := false
	for _, x := range m.around.Loop.Halos {
		any = any || x.Plan == m.nest
	}
	if !any || !m.around.tracked() {
		return
	}
	m.eachSide(func() {
		for k, x := range m.around.Loop.Halos {
			if x.Plan == m.nest {
				body(k, x.Array, map[bool]int{true: 0, false: 1}[x.Up])
			}
		}
	})
}

// Sent prints what is known when messages before a nest have been sent.
func (m *Region) Sent() {
	m.ofHalos(func(halo, array, way int) {
		covers, there := "", m.around.Loop.Halos[halo].Covers
		if m.around.Loop.Halos[halo].Sized {
			there = append(slices.Clone(there), halo)
		}
		for _, k := range there {
			covers += fmt.Sprintf("*%s_halo(hexcc_side, hexcc_slots[%d], %d) = ", m.host, array, k)
		}
		if covers != "" {
			m.Line("if (!hexcc_r.has[%s][%d])", m.side(), 2*array+way)
			m.Line("  %s1;", covers)
		}
	})
}

// Wrote prints what is known when a nest has run: of what it has written others have older values.
func (m *Region) Wrote() {
	if !m.around.tracked() {
		return
	}
	stale, any := m.around.Loop.Stale[m.nest], false
	for i, a := range m.Scop.Arrays {
		any = any || len(stale[i]) > 0
		if slot := m.around.slot(m, a); m.Scop.Writes(a) && slot != noSlot && (slot == unknownSlot || strings.Contains(slot, "(")) {
			m.Line("if (hexcc_slots[%d] == -1) // it may be any", i)
			m.Line("  memset(%[1]s_has, 0, sizeof %[1]s_has);", m.host)
		}
	}
	if !any {
		return
	}
	m.eachSide(func() {
		if slices.ContainsFunc(slices.Concat(stale...), func(s ranks.Stale) bool { return s.From != nil }) {
			m.Line("const long long hexcc_border = hexcc_side ? %[1]s_all.end : %[1]s_all.begin;", m.host)
		}
		for i, list := range stale {
			for _, s := range list {
				if s.From != nil {
					m.Line("if (hexcc_border >= %s && hexcc_border <= %s)", m.bound(s.From), m.bound(s.To))
					m.Depth++
				}
				m.Line("*%s_halo(hexcc_side, hexcc_slots[%d], %d) = 0;", m.host, i, s.Halo)
				if s.From != nil {
					m.Depth--
				}
			}
		}
	})
}

// bound returns a bound of borders as C.
func (m *Region) bound(e affine.Expr) string {
	text := m.Expr(e)
	if s, ok := e.(affine.Sum); ok && len(s.Terms) > 0 {
		return "(" + text + ")"
	}
	return text
}
