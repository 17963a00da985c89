package hexcc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
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
		if (c.Name == "fuse" || c.Name == "stream" && c.Value != StepByStep) && !slices.ContainsFunc(clauses, func(c frontend.Clause) bool { return c.Name == "strategy" }) {
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
			if !slices.Contains(Strategies(), o.Strategy) {
				var names []string
				for _, s := range Strategies() {
					names = append(names, string(s))
				}
				err = fmt.Errorf("'%s' is none: known are %s and %s", c.Value, strings.Join(names[:len(names)-1], ", "), names[len(names)-1])
			}
		case "arch":
			err = machine.CheckArch(c.Value)
			o.Arch = c.Value
		case "fuse":
			o.Fuse = c.Value
		case "stream":
			o.Stream = c.Value
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
