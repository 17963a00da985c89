package scan

import (
	"fmt"
	"regexp"
	"strings"
)

// Counts are how often things occur in the text of loops, which is a measure of how good loops are that needs no machine. Min and Max
// have two operands each; Divs are divisions, rounded down or not, and Selects conditional expressions.
type Counts struct{ Loops, Ifs, Mods, Divs, Mins, Maxes, Selects, Calls int }

var counted = regexp.MustCompile(`//[^\n]*|[A-Za-z_]\w*(?:\s*\()?|[%/?]|\d+\w*`)

// Count returns the counts of loops.
func Count(n Node) Counts { return CountText(C(n)) }

// CountText returns the counts of loops in C, of our own or as isl prints them.
func CountText(text string) (c Counts) {
	for _, token := range counted.FindAllString(text, -1) {
		name := strings.TrimRight(token, " \t\n(")
		switch {
		case len(token) > 1 && token[:2] == "//", token == name && name != "%" && name != "/" && name != "?":
		case name == "for":
			c.Loops++
		case name == "if":
			c.Ifs++
		case name == "%", name == "mod":
			c.Mods++
		case name == "/", name == "floord":
			c.Divs++
		case name == "min":
			c.Mins++
		case name == "max":
			c.Maxes++
		case name == "?":
			c.Selects++
		default:
			c.Calls++
		}
	}
	return c
}

// Operations returns the number of loops, conditions, remainders, minima and maxima.
func (c Counts) Operations() int { return c.Loops + c.Ifs + c.Mods + c.Mins + c.Maxes + c.Selects }

// Plus returns the counts of both.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Loops + d.Loops, c.Ifs + d.Ifs, c.Mods + d.Mods, c.Divs + d.Divs, c.Mins + d.Mins, c.Maxes + d.Maxes, c.Selects + d.Selects, c.Calls + d.Calls}
}

func (c Counts) String() string {
	return fmt.Sprintf("%d for, %d if, %d mod, %d div, %d min, %d max, %d ?, %d calls", c.Loops, c.Ifs, c.Mods, c.Divs, c.Mins, c.Maxes, c.Selects, c.Calls)
}
