package hexcc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
)

// override sets what #pragma hexcc says of a region.
func (o *Options) override(clauses []frontend.Clause) (errs diag.List) {
	strategy := o.Strategy
	for _, c := range clauses {
		if c.Name == "strategy" && slices.Contains(Strategies(), Strategy(c.Value)) {
			strategy = Strategy(c.Value)
		}
	}
	for _, c := range clauses {
		if c.Name == "fuse" && !slices.ContainsFunc(clauses, func(c frontend.Clause) bool { return c.Name == "strategy" }) {
			strategy = Overlapped
			o.Strategy = strategy
		}
	}
	for _, c := range clauses {
		var err error
		switch c.Name {
		case "tile":
			if o.Tile, err = strategy.ParseTile(c.Value); err != nil {
				o.Tile = nil
			}
		case "strategy":
			o.Strategy = Strategy(c.Value)
			err = oneOf(c.Value, Strategies()...)
		case "arch":
			err = machine.CheckArch(c.Value)
			o.Arch = c.Value
		case "fuse":
			o.Fuse = c.Value
		case "order":
			o.Order = strings.Split(c.Value, ",")
		case "launch":
			o.Launch = Launch(c.Value)
			err = oneOf(c.Value, AnyLaunch, Phases, Ready)
		case "kernel":
			o.Kernel = Kernel(c.Value)
			err = oneOf(c.Value, AnyKernel, Tiles, Streaming)
		case "memory":
			o.Memory, err = lower.LookupStrategy(c.Value)
		case "unroll":
			if o.Unroll, err = strconv.Atoi(c.Value); err != nil || o.Unroll < 1 {
				err = fmt.Errorf("'%s' is no number of points, 1 or more", c.Value)
			}
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

// oneOf returns an error unless value is one of the names.
func oneOf[T ~string](value string, known ...T) error {
	if slices.Contains(known, T(value)) {
		return nil
	}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = string(k)
	}
	return fmt.Errorf("'%s' is none: known are %s and %s", value, strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
}
