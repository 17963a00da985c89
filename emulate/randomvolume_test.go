package emulate_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A volume is a random program of three space dimensions being written.
type volume struct {
	rng     *rand.Rand
	nests   int
	depth   int       // steps that are kept; 0: nests work in place
	reach   [3][2]int // how far reads of the step before reach, to both sides of each dimension
	star    bool      // along one dimension at a time
	weights int       // arrays that are only read
	here    bool      // nests read what nests before them compute in their step at the same place, and run nowhere else
	inset   [2][3]int // by how much the loops of the nest before are tighter, then
	margin  [3]int    // the largest offset of all reads
}

var volumeExtents = [3]string{"n", "m", "l"}

// volumeOf returns a C function of three space dimensions, whose extents are parameters of their own: its nests compute an array each, from stars or boxes of
// any reach to each side, with weights from arrays that are only read, with planes at borders that statements of their own write, of some steps or in place.
func volumeOf(rng *rand.Rand) string {
	s := &volume{rng: rng, nests: 1 + rng.IntN(2), depth: 1 + rng.IntN(3)/2, star: rng.IntN(3) > 0, weights: rng.IntN(3)}
	if rng.IntN(3) == 0 {
		s.nests, s.depth = 2+rng.IntN(2), 0
	}
	s.here = s.nests > 1 && rng.IntN(2) == 0
	for d := range s.reach {
		for s.reach[d] == [2]int{} {
			s.reach[d] = [2]int{s.far(), s.far()}
		}
	}
	var body string
	for i := range s.nests {
		body += s.nest(i)
	}
	var head strings.Builder
	for d, m := range s.margin {
		fmt.Fprintf(&head, "#define M%d %d\n", d, max(m, 1))
	}
	head.WriteString("void f(int T, int n, int m, int l")
	for _, a := range arrays[:s.nests] {
		if s.depth == 0 {
			fmt.Fprintf(&head, ", float %s[restrict n][m][l]", a)
		} else {
			fmt.Fprintf(&head, ", float %s[restrict %d][n][m][l]", a, s.depth+1)
		}
	}
	head.WriteString(", const float W0[restrict n][m][l], const float W1[restrict l], float w)\n{\n#pragma scop\n  for (int t = 0; t < T; t++) {\n")
	return head.String() + body + "  }\n#pragma endscop\n}\n"
}

// far returns how far reads reach to a side: one more often than not.
func (s *volume) far() int { return []int{1, 1, 1, 1, 1, 0, 2, 3}[s.rng.IntN(8)] }

// nest returns what computes array i.
func (s *volume) nest(i int) string {
	var terms []string
	for d := range 3 { // one along each dimension, or else values may travel along some of them only
		terms = append(terms, fmt.Sprintf("%s * %s", s.weight(), s.read(i, d)))
	}
	for range s.rng.IntN(4) {
		terms = append(terms, fmt.Sprintf("%s * %s", s.weight(), s.read(i, s.rng.IntN(4))))
	}
	text := ""
	lo, hi := [3]int{}, [3]int{} // by how much the loops are tighter
	for d := range lo {
		lo[d], hi[d] = max(0, s.rng.IntN(5)-2), max(0, s.rng.IntN(5)-2)
		if s.here {
			lo[d], hi[d] = max(lo[d], s.inset[0][d]), max(hi[d], s.inset[1][d])
			s.inset[0][d], s.inset[1][d] = lo[d], hi[d]
		}
	}
	if s.rng.IntN(3) == 0 && (!s.here || i == s.nests-1) {
		text = s.border(i, s.rng.IntN(3), &lo, &hi)
	}
	text += s.loops(3, lo, hi)
	return text + fmt.Sprintf("          %s = %s;\n", s.element(i, 0, [3]int{}), strings.Join(terms, " + "))
}

// loops returns the loops over space, but that over dimension without.
func (s *volume) loops(without int, lo, hi [3]int) (text string) {
	indent := "    "
	for d, extent := range volumeExtents {
		if d == without {
			continue
		}
		v := string(rune('i' + d))
		text += fmt.Sprintf("%sfor (int %s = M%d + %d; %s < %s - M%d - %d; %s++)\n", indent, v, d, lo[d], v, extent, d, hi[d], v)
		indent += "  "
	}
	return text
}

// border returns a nest that computes the plane next to the first or the last one along a dimension, which the loops then leave out.
func (s *volume) border(i, d int, lo, hi *[3]int) string {
	at := fmt.Sprintf("M%d + %d", d, lo[d])
	if s.rng.IntN(2) == 0 {
		lo[d]++
	} else {
		at = fmt.Sprintf("%s - M%d - %d", volumeExtents[d], d, hi[d]+1)
		hi[d]++
	}
	var from [3]int
	if along := s.rng.IntN(3); along != d && s.depth > 0 {
		from[along] = s.offset(along)
	}
	text := s.loops(d, *lo, *hi) + fmt.Sprintf("        %s = 0.%df * %s;\n", s.element(i, 0, [3]int{}), 1+s.rng.IntN(9), s.element(i, 1, from))
	return strings.ReplaceAll(text, fmt.Sprintf("[%c]", 'i'+d), "["+at+"]")
}

// weight returns a factor.
func (s *volume) weight() string {
	switch s.rng.IntN(8) {
	case 0:
		return "w"
	case 1:
		if s.weights > 0 {
			return []string{"W0[i][j][k]", "W0[i][j + 1][k]", "W0[i - 1][j][k]", "W0[i][j][k - 1]"}[s.rng.IntN(4)]
		}
	case 2:
		if s.weights > 1 {
			return "W1[k]"
		}
	}
	return fmt.Sprintf("0.%df", 1+s.rng.IntN(9))
}

// read returns an element that nest i may read; of a star, along dimension only, or the centre.
func (s *volume) read(i, only int) string {
	from, back := s.rng.IntN(s.nests), s.rng.IntN(s.depth+1)
	if s.depth == 0 && s.rng.IntN(4) > 0 { // it reads its own array only where it writes
		from = (i + 1 + s.rng.IntN(s.nests-1)) % s.nests
	}
	if from >= i && back == 0 {
		back = 1 // it has not been computed yet
	}
	var at [3]int
	if (s.depth > 0 || from != i) && !(s.here && from < i && back == 0) {
		for d := range at {
			if s.star && d != only {
				continue
			}
			at[d] = s.offset(d)
		}
	}
	return s.element(from, back, at)
}

// offset returns how far from its own place a nest reads along a dimension.
func (s *volume) offset(d int) int {
	lo, hi := s.reach[d][0], s.reach[d][1]
	at := s.rng.IntN(lo+hi+1) - lo
	s.margin[d] = max(s.margin[d], at, -at)
	return at
}

// element returns an element of array i, as it was some steps back.
func (s *volume) element(i, back int, at [3]int) string {
	text := arrays[i]
	if s.depth > 0 {
		text += fmt.Sprintf("[(t + %d) %% %d]", s.depth-back, s.depth+1)
	}
	for d, off := range at {
		text += fmt.Sprintf("[%c + %d]", 'i'+d, off)
	}
	return strings.NewReplacer("+ -", "- ", " + 0", "").Replace(text)
}
