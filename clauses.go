package hexcc

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/frontend"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/gpu/stream"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
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
			err = oneOf(c.Value, Strategies()...)
		case "arch":
			err = machine.CheckArch(c.Value)
			o.Arch = c.Value
		case "fuse":
			o.Fuse = c.Value
		case "stream":
			o.Stream = c.Value
		case "order":
			o.Order = strings.Split(c.Value, ",")
		case "fission":
			o.Fission = strings.Split(c.Value, ",")
		case "fold":
			o.Fold = strings.Split(c.Value, ",")
		case "reassociate":
			o.Reassociate = c.Value
		default:
			if !slices.Contains(kernelClauses, c.Name) {
				panic("hexcc: override: clause " + c.Name)
			}
			err = o.setClause(c.Name, c.Value)
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

// kernelClauses are those that say how kernels are made of a schedule, which a file may have, too.
var kernelClauses = append([]string{"launch", "kernel", "pipeline", "memory", "leave", "unroll"}, WishNames()...)

// setClause sets what one of kernelClauses says.
func (o *Options) setClause(name, value string) (err error) {
	switch name {
	case "launch":
		o.Launch = Launch(value)
		err = oneOf(value, AnyLaunch, Phases, Ready)
	case "kernel":
		o.Kernel = Kernel(value)
		err = oneOf(value, AnyKernel, Tiles, Streaming)
	case "pipeline":
		o.Pipeline, err = stream.ParseShape(value)
	case "memory":
		o.Memory, err = lower.LookupStrategy(value)
	case "leave":
		o.Leave = strings.Split(value, ",")
	case "unroll":
		if o.Unroll, err = strconv.Atoi(value); err != nil || o.Unroll < 1 {
			err = fmt.Errorf("'%s' is no number of points, 1 or more", value)
		}
	default:
		err = o.Set(name, value)
	}
	return err
}

// loaded sets what a schedule file asks of kernels.
func (o *Options) loaded(clauses []schedule.Clause) (errs diag.List) {
	for _, c := range clauses {
		err := fmt.Errorf("known are %s", strings.Join(kernelClauses, ", "))
		if slices.Contains(kernelClauses, c.Name) {
			err = o.setClause(c.Name, c.Value)
		}
		if err != nil {
			errs = append(errs, &diag.Diagnostic{Code: "HX011", At: c.At, Msg: fmt.Sprintf("clause '%s': %v", c.Name, err), Help: "hexcc help wishes shows the clauses"})
		}
	}
	return errs
}

// clauses returns what is asked of kernels, each in the form of a clause.
func (o *Options) clauses() (all []string) {
	if o.Launch == Phases || o.Launch == Ready {
		all = append(all, fmt.Sprintf("launch(%s)", o.Launch))
	}
	if o.Memory != lower.Moved {
		all = append(all, fmt.Sprintf("memory(%v)", o.Memory))
	}
	if len(o.Leave) > 0 {
		all = append(all, fmt.Sprintf("leave(%s)", strings.Join(o.Leave, ",")))
	}
	if o.Unroll > 0 {
		all = append(all, fmt.Sprintf("unroll(%d)", o.Unroll))
	}
	return append(all, o.Wishes.clauses()...)
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
