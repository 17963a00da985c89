package poly

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
)

// String returns c in isl's notation, as in [n] -> { 1/2*n + 1/2*n^2 : n > 0 }. A Count that is 0 everywhere is { 0 }.
func (c Count) String() string {
	var params []string
	var list []string
	for _, g := range c.groups {
		params = mergeParams(params, g.space.Params)
		for _, p := range g.pieces {
			list = append(list, g.piece(p))
		}
	}
	if len(list) == 0 {
		list = []string{"0"}
	}
	text := "{ " + strings.Join(list, "; ") + " }"
	if len(params) > 0 {
		text = "[" + strings.Join(params, ", ") + "] -> " + text
	}
	return text
}

// printer returns a printer of expressions over the columns of g, of which all have names.
func (g countGroup) printer() *printer {
	space := g.space
	space.In.Dims, space.Out.Dims = allNamed(space.In.Dims, "i"), allNamed(space.Out.Dims, "o")
	return newPrinter(Basic{space: space, divs: g.divs}, false)
}

func allNamed(dims []string, prefix string) []string {
	dims = slices.Clone(dims)
	for i, name := range dims {
		if name == "" {
			dims[i] = fmt.Sprintf("%s%d", prefix, i)
		}
	}
	return dims
}

// print returns the text of a value.
func (g countGroup) print(value polynomial) string {
	p := g.printer()
	return value.print(p.column)
}

// piece prints a piece: [tuple ->] value [: condition].
func (g countGroup) piece(p countPiece) string {
	text := g.print(p.value)
	printer := g.printer()
	if s := printer.b.space; !s.isParams() {
		if len(p.value.terms) > 1 {
			text = "(" + text + ")"
		}
		tuple := printer.tuple(s.Out, s.outCol())
		text = tuple + " -> " + text
	}
	var cases []string
	for _, b := range p.dom {
		b.space = printer.b.space
		where := strings.Join(newPrinter(b, false).constraints(), " and ")
		if where == "" {
			return text
		}
		cases = append(cases, where)
	}
	if len(cases) == 1 {
		return text + " : " + cases[0]
	}
	return text + " : (" + strings.Join(cases, ") or (") + ")"
}

// print returns p with the variables that name gives.
func (p polynomial) print(name func(id int) string) string {
	if p.infinite {
		return "infty"
	}
	var text strings.Builder
	for _, t := range p.terms {
		k := new(big.Rat).Abs(t.coef)
		switch {
		case text.Len() == 0 && t.coef.Sign() < 0:
			text.WriteString("-")
		case text.Len() > 0 && t.coef.Sign() < 0:
			text.WriteString(" - ")
		case text.Len() > 0:
			text.WriteString(" + ")
		}
		text.WriteString(t.print(k, name))
	}
	if text.Len() == 0 {
		return "0"
	}
	return text.String()
}

// print returns t with the coefficient k, at least 0.
func (t term) print(k *big.Rat, name func(id int) string) string {
	var factors []string
	if k.Cmp(big.NewRat(1, 1)) != 0 || len(t.mono) == 0 {
		factors = append(factors, k.RatString())
	}
	for _, x := range t.mono {
		f := name(x.id)
		if x.exp > 1 {
			f += fmt.Sprintf("^%d", x.exp)
		}
		factors = append(factors, f)
	}
	return strings.Join(factors, "*")
}
