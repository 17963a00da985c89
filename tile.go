package hexcc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// ParseTile reads tile sizes by name, such as "h=3,w0=5,w1=64". It returns
// nil for "auto" and "": the sizes are to be chosen.
func ParseTile(text string) (*schedule.Sizes, error) {
	if text == "" || text == "auto" {
		return nil, nil
	}
	values, err := named(text, "tile size", "h=3,w0=5,w1=64", 1<<20)
	if err != nil {
		return nil, err
	}
	return tileSizes(values)
}

// ParseWidths is ParseTile for tiles of space alone, which have no height: "w0=5,w1=64".
func ParseWidths(text string) (*schedule.Sizes, error) {
	if text == "" || text == "auto" {
		return nil, nil
	}
	values, err := named(text, "tile size", "w0=5,w1=64", 1<<20)
	if err != nil {
		return nil, err
	}
	if _, found := values["h"]; found {
		return nil, fmt.Errorf("tile size h: tiles of space only have no height; name the widths, w0 first")
	}
	values["h"] = 0
	sizes, err := tileSizes(values)
	if err == nil {
		sizes.H = schedule.NoHeight
	}
	return sizes, err
}

// ParseGrid reads typical values of parameters, such as "n=4096,steps=1000". It
// returns nil for "".
func ParseGrid(text string) (model.Typical, error) {
	if text == "" {
		return nil, nil
	}
	return named(text, "typical size", "n=4096,steps=1000", 1<<40)
}

// named reads numbers from 0 to limit by name; what they are, and the example, are for errors.
func named(text, what, example string, limit int64) (map[string]int64, error) {
	values := map[string]int64{}
	for _, item := range strings.Split(text, ",") {
		name, number, found := strings.Cut(strings.TrimSpace(item), "=")
		if !found || name == "" {
			return nil, fmt.Errorf("%s %q: sizes are given by name, as in %s", what, item, example)
		}
		v, err := strconv.ParseInt(number, 10, 64)
		if err != nil || v < 0 || v > limit {
			return nil, fmt.Errorf("%s %q: %q is not a number from 0 to %d", what, item, number, limit)
		}
		if _, again := values[name]; again {
			return nil, fmt.Errorf("%s %s is given twice", what, name)
		}
		values[name] = v
	}
	return values, nil
}

// tileSizes orders named values: h, then w0, w1, .. without a gap.
func tileSizes(values map[string]int64) (*schedule.Sizes, error) {
	h, found := values["h"]
	if !found {
		return nil, fmt.Errorf("tile size h, the half height, is missing: name all sizes, as in h=3,w0=5,w1=64, or tile space only (--strategy=space)")
	}
	sizes := &schedule.Sizes{H: h}
	for i := 0; i < len(values)-1; i++ {
		w, found := values[fmt.Sprintf("w%d", i)]
		if !found {
			return nil, fmt.Errorf("tile sizes are h, w0, w1, .. without a gap: w%d is missing", i)
		}
		sizes.W = append(sizes.W, w)
	}
	return sizes, nil
}

// override sets what #pragma hexcc says of a region.
func (o *Options) override(clauses []frontend.Clause) (errs diag.List) {
	parseTile := ParseTile
	if slices.ContainsFunc(clauses, func(c frontend.Clause) bool { return c.Name == "strategy" && c.Value == string(Space) }) ||
		o.Strategy == Space && !slices.ContainsFunc(clauses, func(c frontend.Clause) bool { return c.Name == "strategy" }) {
		parseTile = ParseWidths
	}
	for _, c := range clauses {
		var err error
		switch c.Name {
		case "tile":
			if o.Tile, err = parseTile(c.Value); err != nil {
				o.Tile = nil
			}
		case "strategy":
			o.Strategy = Strategy(c.Value)
			if !slices.Contains(Strategies(), o.Strategy) {
				err = fmt.Errorf("'%s' is none: known are %s, %s and %s", c.Value, Auto, Hybrid, Space)
			}
		case "arch":
			err = CheckArch(c.Value)
			o.Arch = c.Value
		case "order":
			o.Order = strings.Split(c.Value, ",")
		default:
			panic("hexcc: override: clause " + c.Name)
		}
		if o.Load.Name != "" && (c.Name == "tile" || c.Name == "order") {
			err = fmt.Errorf("the schedule of --load-schedule has sizes and order")
		}
		if err != nil {
			errs = append(errs, &diag.Diagnostic{Code: "HX013", At: c.At,
				Msg:  fmt.Sprintf("clause '%s' of #pragma hexcc: %v", c.Name, err),
				Help: "hexcc explain HX013 shows the clauses"})
		}
	}
	return errs
}
