package advice

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
)

// A Setting is a flag of hexcc and its value, which is a clause of #pragma hexcc of that name, too, but for fma.
type Setting struct {
	Name  string `json:"name"`
	Value string `json:"value"` // "": the flag has none
}

// String returns s as a flag.
func (s Setting) String() string {
	if s.Value == "" {
		return "--" + s.Name
	}
	return "--" + s.Name + "=" + s.Value
}

// flags returns settings as flags.
func flags(all []Setting) string {
	words := make([]string, len(all))
	for i, s := range all {
		words[i] = s.String()
	}
	return strings.Join(words, " ")
}

// pragma returns settings as a line of the source; "" where one of them is a flag only.
func pragma(all []Setting) string {
	var clauses []string
	for _, s := range all {
		if s.Value == "" {
			return ""
		}
		clauses = append(clauses, fmt.Sprintf("%s(%s)", s.Name, s.Value))
	}
	return "#pragma hexcc " + strings.Join(clauses, " ")
}

// apply sets in o what the settings say. What they say of tiles replaces what o had of sizes and kernels. The error says what is wrong with a value.
func apply(o *hexcc.Options, all []Setting) (err error) {
	if slices.ContainsFunc(all, func(s Setting) bool {
		return s.Name == "tile" || s.Name == "strategy" || s.Name == "kernel" || s.Name == "pipeline"
	}) {
		o.Tile, o.Kernel, o.Pipeline, o.Tuned, o.Fuse, o.Stream = nil, hexcc.AnyKernel, nil, nil, "", ""
	}
	for _, s := range all {
		switch s.Name {
		case "strategy":
			o.Strategy = hexcc.Strategy(s.Value)
		case "tile":
			o.Tile, err = o.Strategy.ParseTile(s.Value)
		case "kernel":
			o.Kernel = hexcc.Kernel(s.Value)
		case "pipeline":
			o.Pipeline, err = stream.ParseShape(s.Value)
		case "launch":
			o.Launch = hexcc.Launch(s.Value)
		case "memory":
			o.Memory, err = lower.LookupStrategy(s.Value)
		case "unroll":
			o.Unroll, err = strconv.Atoi(s.Value)
		case "fma":
			o.FMA = true
		default:
			err = o.Set(s.Name, s.Value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
