package profile

import (
	"math"
	"strconv"
	"strings"
)

// This file reads numbers and units. ncu writes numbers as the locale has them: 1,234.5 or 1.234,5 or 1 234,5 or 1'234.5. Which it is shows in
// all numbers of a file together; where none shows it, points are decimal.

// digitsIn reports whether text is a number in any style.
func digitsIn(text string) bool {
	digits := 0
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case !strings.ContainsRune("+-.,'eE", c) && !isGap(c):
			return false
		}
	}
	return digits > 0
}

// isGap reports whether c is a space that parts thousands.
func isGap(c rune) bool { return c == ' ' || c == '\u00a0' || c == '\u202f' || c == '\u2009' }

// decimalOf returns the decimal sign that a number shows: a point, a comma, or 0 if it could be either.
func decimalOf(text string) rune {
	points, commas := strings.Count(text, "."), strings.Count(text, ",")
	switch {
	case points > 0 && commas > 0:
		if strings.LastIndex(text, ".") > strings.LastIndex(text, ",") {
			return '.'
		}
		return ','
	case points > 1:
		return ','
	case commas > 1:
		return '.'
	case points+commas == 0:
		return 0
	}
	// One sign alone: it parts thousands only before three digits, and behind one to three that are not 0.
	at := strings.IndexAny(text, ".,")
	before, after := strings.TrimLeft(text[:at], "+-"), text[at+1:]
	if len(after) == 3 && len(before) >= 1 && len(before) <= 3 && before[0] != '0' {
		return 0
	}
	return rune(text[at])
}

// numbers reads the cells, of which words such as n/a are left out.
func (p *parser) numbers() error {
	var sure *cell
	decimal := '.'
	for i := range p.cells {
		c := &p.cells[i]
		if !digitsIn(c.text) {
			continue
		}
		switch d := decimalOf(c.text); {
		case d == 0:
		case sure == nil:
			sure, decimal = c, d
		case d != decimal:
			return p.fail(c.line, c.col, "profile again with LC_ALL=C", "'%s' and '%s' in line %d are written in different ways: which sign is decimal is not known", c.text, sure.text, sure.line)
		}
	}
	for _, c := range p.cells {
		if !digitsIn(c.text) {
			continue
		}
		n, err := readNumber(c.text, decimal)
		if err != nil {
			return p.fail(c.line, c.col, "", "'%s' of %s is no number", c.text, c.metric)
		}
		scale, unit := baseUnit(c.unit)
		name := c.metric
		if _, twice := c.launch.Metrics[name]; twice { // as Memory Throughput, in % and in bytes a second
			name += " " + unit
		}
		c.launch.Metrics[name] = Value{n * scale, unit}
	}
	return nil
}

// readNumber reads a number with the given decimal sign.
func readNumber(text string, decimal rune) (float64, error) {
	n, err := strconv.ParseFloat(strings.Map(func(c rune) rune {
		switch {
		case c == decimal:
			return '.'
		case c == '.' || c == ',' || c == '\'' || isGap(c):
			return -1
		}
		return c
	}, text), 64)
	if err == nil && (math.IsInf(n, 0) || math.IsNaN(n)) {
		err = strconv.ErrRange
	}
	return n, err
}

// times are units of time, in seconds.
var times = map[string]float64{"second": 1, "s": 1, "msecond": 1e-3, "ms": 1e-3, "usecond": 1e-6, "us": 1e-6, "nsecond": 1e-9, "ns": 1e-9}

// prefixes are those of units that are no times. ncu's are of decimal numbers.
var prefixes = map[byte]float64{'K': 1e3, 'M': 1e6, 'G': 1e9, 'T': 1e12, 'k': 1e3}

// baseUnit returns the unit without prefix, and what a number of the given one is to be multiplied by.
func baseUnit(text string) (scale float64, unit string) {
	over, under, _ := strings.Cut(text, "/")
	scale, unit = 1, over
	if s, ok := times[over]; ok {
		return s, "second"
	}
	if len(over) > 1 {
		rest := strings.ToLower(over[1:])
		if s, ok := prefixes[over[0]]; ok && (rest == "byte" || rest == "b" || rest == "hz" || rest == "inst" || rest == "cycle" || rest == "sector") {
			scale, unit = s, rest
		}
	}
	switch unit = strings.ToLower(unit); unit {
	case "b":
		unit = "byte"
	case "percent":
		unit = "%"
	}
	if s, ok := times[under]; ok {
		scale, under = scale/s, "second"
	}
	switch {
	case unit == "cycle" && under == "second":
		return scale, "hz"
	case under != "":
		return scale, unit + "/" + under
	}
	return scale, unit
}
