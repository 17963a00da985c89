package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// This file reads tile sizes.

// ParseSizes reads tile sizes by name, such as "h=3,w0=5,w1=64". It returns
// nil for "auto" and "": the sizes are to be chosen.
func ParseSizes(text string) (*Sizes, error) {
	if text == "" || text == "auto" {
		return nil, nil
	}
	values, err := ParseNumbers(text, "tile size", "h=3,w0=5,w1=64", 1<<20)
	if err != nil {
		return nil, err
	}
	return tileSizes(values)
}

// ParseWidths is ParseSizes for tiles of space alone, which have no height: "w0=5,w1=64".
func ParseWidths(text string) (*Sizes, error) {
	if text == "" || text == "auto" {
		return nil, nil
	}
	values, err := ParseNumbers(text, "tile size", "w0=5,w1=64", 1<<20)
	if err != nil {
		return nil, err
	}
	if _, found := values["h"]; found {
		return nil, fmt.Errorf("tile size h: tiles of space only have no height; name the widths, w0 first")
	}
	values["h"] = 0
	sizes, err := tileSizes(values)
	if err == nil {
		sizes.H = NoHeight
	}
	return sizes, err
}

// ParseOverlapped is ParseSizes for boxes that overlap, where h is how many iterations of the time loop a tile spans: 1, if it is left out. stream, which may be left
// out, too, is the number of the dimension of space along which a tile runs plane by plane.
func ParseOverlapped(text string) (*Sizes, error) {
	if text == "" || text == "auto" {
		return nil, nil
	}
	values, err := ParseNumbers(text, "tile size", "h=2,w0=8,w1=64", 1<<20)
	if err != nil {
		return nil, err
	}
	if _, found := values["h"]; !found {
		values["h"] = 1
	}
	k, streams := values["stream"]
	delete(values, "stream")
	sizes, err := tileSizes(values)
	if err == nil && streams {
		sizes.Stream = new(int(k))
	}
	return sizes, err
}

// ParseNumbers reads numbers from 0 to limit by name; what they are, and the example, are for errors.
func ParseNumbers(text, what, example string, limit int64) (map[string]int64, error) {
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
func tileSizes(values map[string]int64) (*Sizes, error) {
	h, found := values["h"]
	if !found {
		return nil, fmt.Errorf("tile size h, the half height, is missing: name all sizes, as in h=3,w0=5,w1=64, or tile space only (--strategy=space)")
	}
	sizes := &Sizes{H: h}
	for i := 0; i < len(values)-1; i++ {
		w, found := values[fmt.Sprintf("w%d", i)]
		if !found {
			return nil, fmt.Errorf("tile sizes are h, w0, w1, .. without a gap: w%d is missing", i)
		}
		sizes.W = append(sizes.W, w)
	}
	return sizes, nil
}
