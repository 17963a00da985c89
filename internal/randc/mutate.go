package randc

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
)

// A Mutator changes sources a little: what is nearly right is where a front end breaks.
type Mutator struct {
	texts  []string
	tokens []string // of all texts, without repetition
	lines  []string
}

// NewMutator returns a mutator of texts, which takes from each of them what it puts into another.
func NewMutator(texts []string) *Mutator {
	m := &Mutator{texts: texts}
	for _, text := range texts {
		m.lines = append(m.lines, strings.SplitAfter(text, "\n")...)
		m.tokens = append(m.tokens, token.FindAllString(text, -1)...)
	}
	slices.Sort(m.tokens)
	m.tokens = slices.Compact(m.tokens)
	return m
}

var (
	token    = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*|[0-9.]+[A-Za-z_0-9.]*|"[^"\n]*"|<<=?|>>=?|&&|\|\||\+\+|--|->|[-+*/%&|^=!<>]=|##|[^\s]`)
	operator = regexp.MustCompile(`^[-+*/%&|^=!<>?:,]+$`)
	name     = regexp.MustCompile(`^[A-Za-z_]`)
	integer  = regexp.MustCompile(`^[0-9]`)
)

// The tokens that a mutant gets more often than by chance.
var (
	bytes     = "()[]{}<>;,.*&#\\\"'\n\t\r 09azAZ"
	operators = strings.Fields("+ - * / % & | ^ << >> < > <= >= == != = += -= *= /= %= <<= && || ! ~ ? : , ++ -- -> . ( ) [ ] { } ; #")
	numbers   = strings.Fields(`0 1 -1 2 3 16 17 127 255 2147483647 2147483648 4294967295u 9223372036854775807 9223372036854775808
		99999999999999999999 -9223372036854775807 0x7fffffffffffffffUL 0777 08 1e400 0x1p-1074 .5f 1.0L 0.1 'a' '\377'
		sizeof(int) (1<<30) (0/0) (1/0) (-5%3) (5u-6u) (n-n) (int)2.5 (unsigned)-1 (char)300 (long)1 (float)0.1`)
	words = strings.Fields(`if else for while do break continue return goto switch case default static const restrict volatile register inline struct union
		enum typedef sizeof float double int unsigned long short char void _Bool _Complex signed extern auto _Static_assert __attribute__ t i j n m T A B`)
)

// Mutate returns one of the texts with one to eight changes. Equal states of rng give equal mutants.
func (m *Mutator) Mutate(rng *rand.Rand) string {
	text := m.texts[rng.IntN(len(m.texts))]
	for {
		text = m.change(rng, text)
		if rng.IntN(8) < 5 {
			return text
		}
	}
}

// MutateRegion is Mutate of the text between #pragma scop and #pragma endscop alone.
func (m *Mutator) MutateRegion(rng *rand.Rand) string {
	text := m.texts[rng.IntN(len(m.texts))]
	for {
		from, to := regionOf(text)
		text = text[:from] + m.changeToken(rng, text[from:to]) + text[to:]
		if rng.IntN(2) == 0 {
			return text
		}
	}
}

// regionOf returns where the first region of text begins and the last one ends, or all of text.
func regionOf(text string) (from, to int) {
	if a, b := strings.Index(text, "#pragma scop\n"), strings.LastIndex(text, "#pragma endscop"); 0 <= a && a < b {
		return a + len("#pragma scop\n"), b
	}
	return 0, len(text)
}

// change returns text with one change, inside of a region more often than not.
func (m *Mutator) change(rng *rand.Rand, text string) string {
	from, to := 0, len(text)
	if rng.IntN(4) > 0 {
		from, to = regionOf(text)
	}
	part := text[from:to]
	switch rng.IntN(10) {
	case 0:
		part = m.changeByte(rng, part)
	case 1, 2:
		part = m.changeLine(rng, part)
	case 3:
		part = m.splice(rng, part)
	default:
		part = m.changeToken(rng, part)
	}
	return text[:from] + part + text[to:]
}

// changeByte returns text with a byte dropped, inserted, doubled or another one.
func (m *Mutator) changeByte(rng *rand.Rand, text string) string {
	if text == "" {
		return "\x00"
	}
	i := rng.IntN(len(text))
	b := string(rune(rng.IntN(256)))
	if rng.IntN(2) == 0 {
		b = string(bytes[rng.IntN(len(bytes))])
	}
	switch rng.IntN(4) {
	case 0:
		return text[:i] + text[i+1:]
	case 1:
		return text[:i] + b + text[i:]
	case 2:
		return text[:i] + text[i:i+1] + text[i:]
	}
	return text[:i] + b + text[i+1:]
}

// changeLine returns text with a line dropped, doubled, moved, or one of another text.
func (m *Mutator) changeLine(rng *rand.Rand, text string) string {
	lines := strings.SplitAfter(text, "\n")
	i, k := rng.IntN(len(lines)), rng.IntN(len(lines))
	switch rng.IntN(5) {
	case 0:
		lines = slices.Delete(lines, i, i+1)
	case 1:
		lines = slices.Insert(lines, i, lines[i])
	case 2:
		lines[i], lines[k] = lines[k], lines[i]
	case 3:
		lines = slices.Delete(lines, min(i, k), max(i, k))
	default:
		lines = slices.Insert(lines, i, m.lines[rng.IntN(len(m.lines))])
	}
	return strings.Join(lines, "")
}

// splice returns a part of text and a part of another one, or text with a part of itself once more.
func (m *Mutator) splice(rng *rand.Rand, text string) string {
	other := m.texts[rng.IntN(len(m.texts))]
	at := func(s string) int { return rng.IntN(len(s) + 1) }
	switch rng.IntN(3) {
	case 0:
		return text[:at(text)] + other[at(other):]
	case 1:
		from, to, into := at(text), at(text), at(text)
		return text[:into] + text[min(from, to):max(from, to)] + text[into:]
	}
	from := at(other)
	i := at(text)
	return text[:i] + other[from:min(from+rng.IntN(200), len(other))] + text[i:]
}

// changeToken returns text with a token dropped, doubled, exchanged with another
// one or replaced: mostly by one of its kind, out of the same text.
func (m *Mutator) changeToken(rng *rand.Rand, text string) string {
	all := token.FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return text
	}
	one := func(list []string) string { return list[rng.IntN(len(list))] }
	near := func() string { at := all[rng.IntN(len(all))]; return text[at[0]:at[1]] }
	at := all[rng.IntN(len(all))]
	found := text[at[0]:at[1]]
	put := func(s string) string { return text[:at[0]] + s + text[at[1]:] }
	switch rng.IntN(20) {
	case 0:
		return put("")
	case 1:
		return put(found + " " + found)
	case 2:
		return put(near())
	case 3:
		return put(one(m.tokens))
	case 4:
		return put(found + " " + one(m.tokens))
	case 5, 6:
		return put(fmt.Sprintf("(%s %s %s)", found, one(operators), one(numbers)))
	case 7:
		return put(one(words))
	}
	switch {
	case operator.MatchString(found):
		return put(one(operators))
	case integer.MatchString(found):
		return put(one(numbers))
	}
	for range 20 {
		if s := near(); name.MatchString(s) {
			return put(s)
		}
	}
	return put(found)
}
