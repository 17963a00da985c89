package profile

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// This file reads numbers and units. ncu writes numbers as the locale has them: 1,234.5 or 1.234,5 or 1 234,5 or 1'234.5. Which it is shows in
// all numbers of a file together; where none shows it, points are decimal.

// withPoint and withComma are numbers whose decimal sign is a point, or a comma; the other one may part thousands.
var (
	withPoint = regexp.MustCompile(`^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?([eE][+-]?\d+)?$`)
	withComma = regexp.MustCompile(`^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?([eE][+-]?\d+)?$`)
)

// gaps part thousands whatever the decimal sign.
var gaps = strings.NewReplacer("'", "", " ", "", "\u00a0", "", "\u202f", "", "\u2009", "")

// decimalOf returns the decimal sign that a number shows: a point, a comma, or 0 if it could be either; is is false for what is no number, such as n/a.
func decimalOf(text string) (sign rune, is bool) {
	point, comma := withPoint.MatchString(text), withComma.MatchString(text)
	whole := strings.TrimLeft(text, "+-")
	if comma && point && strings.HasPrefix(whole, "0") { // no number with thousands begins with 0
		point, comma = !strings.Contains(text, ","), !strings.Contains(text, ".")
	}
	switch {
	case point && comma:
		return 0, true
	case point:
		return '.', true
	case comma:
		return ',', true
	}
	return 0, false
}

// numbers reads the cells. What is no number is left out: words, versions, lists.
func (p *parser) numbers() error {
	var sure *cell
	decimal := '.'
	for i := range p.cells {
		c := &p.cells[i]
		c.digits = gaps.Replace(c.text)
		switch d, is := decimalOf(c.digits); {
		case !is:
			c.digits = ""
		case d == 0:
		case sure == nil:
			sure, decimal = c, d
		case d != decimal:
			return p.fail(c.line, c.col, "profile again with LC_ALL=C", "'%s' and '%s' in line %d are written in different ways: which sign is decimal is not known", c.text, sure.text, sure.line)
		}
	}
	for _, c := range p.cells {
		n, err := readNumber(c.digits, decimal)
		if c.digits == "" || err != nil {
			continue
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
		case c == '.' || c == ',':
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
