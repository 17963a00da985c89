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

// has reports whether there is a setting of one of the names.
func has(all []Setting, names ...string) bool {
	return slices.ContainsFunc(all, func(s Setting) bool { return slices.Contains(names, s.Name) })
}

// A dropped is a flag that says what settings replace: how to take it away, if it is there.
type dropped struct {
	name  string
	given bool
	drop  func(o *hexcc.Options)
}

// replaced returns the flags of o that cannot stand beside the settings.
func replaced(o *hexcc.Options, all []Setting) (list []dropped) {
	streams := slices.ContainsFunc(all, func(s Setting) bool { return s.Name == "kernel" && s.Value == string(hexcc.Streaming) })
	if has(all, "tile", "strategy", "kernel", "pipeline") {
		list = []dropped{
			{"tile", o.Tile != nil, func(o *hexcc.Options) { o.Tile = nil }},
			{"kernel", o.Kernel != "" && o.Kernel != hexcc.AnyKernel, func(o *hexcc.Options) { o.Kernel = hexcc.AnyKernel }},
			{"pipeline", o.Pipeline != nil, func(o *hexcc.Options) { o.Pipeline = nil }},
			{"tuned", o.Tuned != nil, func(o *hexcc.Options) { o.Tuned = nil }},
			{"fuse", o.Fuse != "", func(o *hexcc.Options) { o.Fuse = "" }},
			{"stream", o.Stream != "", func(o *hexcc.Options) { o.Stream = "" }},
			{"load-schedule", o.Load.Name != "", func(o *hexcc.Options) { o.Load = hexcc.Source{} }},
		}
	}
	if streams {
		list = append(list,
			dropped{"strategy", o.Strategy != "" && o.Strategy != hexcc.Auto && o.Strategy != hexcc.Hybrid, func(o *hexcc.Options) { o.Strategy = hexcc.Auto }},
			dropped{"memory", o.Memory != lower.Moved, func(o *hexcc.Options) { o.Memory = lower.Moved }},
			dropped{"unroll", o.Unroll != 0, func(o *hexcc.Options) { o.Unroll = 0 }},
			dropped{"leave", o.Leave != nil, func(o *hexcc.Options) { o.Leave = nil }},
			dropped{"order", o.Order != nil, func(o *hexcc.Options) { o.Order = nil }},
			dropped{"launch", o.Launch == hexcc.Phases, func(o *hexcc.Options) { o.Launch = hexcc.AnyLaunch }},
			dropped{"place", o.Place != nil, func(o *hexcc.Options) { o.Place = nil }},
			dropped{"block", o.Block != [3]int{}, func(o *hexcc.Options) { o.Block = [3]int{} }},
			dropped{"elements", o.Elements != [2]int{}, func(o *hexcc.Options) { o.Elements = [2]int{} }},
			dropped{"occupancy", o.Occupancy != 0, func(o *hexcc.Options) { o.Occupancy = 0 }})
	}
	if has(all, "block") {
		list = append(list, dropped{"elements", o.Elements != [2]int{}, func(o *hexcc.Options) { o.Elements = [2]int{} }})
	}
	return list
}

// apply sets in o what the settings say, in place of what cannot stand beside them, whose flags it returns. The error says what is wrong with a value.
func apply(o *hexcc.Options, all []Setting) (without []string, err error) {
	for _, x := range replaced(o, all) {
		if x.drop(o); x.given && !has(all, x.name) {
			without = append(without, "--"+x.name)
		}
	}
	return without, set(o, all)
}

func set(o *hexcc.Options, all []Setting) (err error) {
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
		case "reassociate":
			o.Reassociate = s.Value
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
