package tune

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
)

// This file keeps what was chosen for programs on devices, by the sizes at which it was measured.

// A Choice is the winner of a search, for one program on one device at some sizes.
type Choice struct {
	Program string           `json:"program"` // a hash of what the program means
	Target  string           `json:"target"`
	Device  string           `json:"device"`
	Sizes   map[string]int64 `json:"sizes"`
	Flags   string           `json:"flags"`             // that make it
	Threads int              `json:"threads,omitempty"` // that it runs in; 0: as many as the environment says
	Seconds float64          `json:"seconds"`
}

// Choices are those of a file.
type Choices struct {
	Format  string   `json:"hexcc-tuned"`
	Choices []Choice `json:"choices"`
}

// ParseChoices reads a file that Text has made.
func ParseChoices(text []byte) (Choices, error) {
	var c Choices
	if err := strict(text, &c); err != nil {
		return c, fmt.Errorf("no results of hexcc tune: %w", err)
	}
	if c.Format != Format {
		return c, fmt.Errorf("results of hexcc tune in format %q, not %q", c.Format, Format)
	}
	return c, nil
}

// Text returns c as a file.
func (c Choices) Text() []byte {
	c.Format = Format
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(c); err != nil {
		panic(fmt.Sprintf("tune: %v", err)) // plain data always fits
	}
	return out.Bytes()
}

// With returns c with x in place of what there was for the same program, device and sizes.
func (c Choices) With(x Choice) Choices {
	all := slices.DeleteFunc(slices.Clone(c.Choices), func(o Choice) bool {
		return o.Program == x.Program && o.Target == x.Target && o.Device == x.Device && maps.Equal(o.Sizes, x.Sizes)
	})
	return Choices{Format, append(all, x)}
}

// Nearest returns the choice for a program on a device at the sizes that are nearest to those wanted: whose ratios to those that are
// named are the least, all together; of equals, the last. If there is none for the device, it returns false, and the devices for which there are some.
func (c Choices) Nearest(program, target, device string, wanted map[string]int64) (nearest Choice, others []string, ok bool) {
	least := math.Inf(1)
	for _, x := range c.Choices {
		if x.Program != program || x.Target != target {
			continue
		}
		if x.Device != device {
			if !slices.Contains(others, x.Device) {
				others = append(others, x.Device)
			}
			continue
		}
		if d := distance(x.Sizes, wanted); d <= least {
			nearest, least, ok = x, d, true
		}
	}
	return nearest, others, ok
}

// distance returns how far sizes are from those wanted: the sum of the logarithms of their ratios.
func distance(sizes, wanted map[string]int64) (sum float64) {
	for name, n := range wanted {
		if m, has := sizes[name]; has {
			sum += math.Abs(math.Log(float64(max(m, 1)) / float64(max(n, 1))))
		}
	}
	return sum
}
