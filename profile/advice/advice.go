package advice

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/profile"
)

// This file tries what rules suggest.

// A Trial is settings that were tried on a region, and what came of them.
type Trial struct {
	Settings []Setting `json:"settings"`
	Flags    string    `json:"flags"`
	Pragma   string    `json:"pragma"`  // the same in the source; "": it is a flag only
	Without  []string  `json:"without"` // flags given that it replaces
	Why      string    `json:"why"`     // it may help
	Accepted bool      `json:"accepted"`
	Refused  string    `json:"refused"` // why hexcc does not take it; "" if it does
	Made     string    `json:"made"`    // what differs, by the model; "" if it is refused
}

// mostTrials is how many suggestions are tried: each takes a compilation.
const mostTrials = 8

// alone compiles a region by itself, so that settings are for it and no other; where the file has no other, or it cannot be named since it is a part of a region, the file.
func alone(src hexcc.Source, o hexcc.Options, r *hexcc.Region, several bool) (*hexcc.Result, *hexcc.Region, error) {
	if several {
		one := o
		one.Region = fmt.Sprint(r.Scop.Region.Index + 1)
		if res, err := hexcc.Compile(src, one); err == nil && len(res.Regions) == 1 && res.Scop.Region == r.Scop.Region {
			return res, res.Region, nil
		} else if err != nil && !isCode(err, "HX012") {
			return nil, nil, err
		}
	}
	res, err := hexcc.Compile(src, o)
	if err != nil {
		return nil, nil, err
	}
	i := slices.IndexFunc(res.Regions, func(x *hexcc.Region) bool { return x.Scop.Region.Index == r.Scop.Region.Index })
	if i < 0 {
		return nil, nil, fmt.Errorf("the region in line %d is no region then", r.Scop.UserLine())
	}
	return res, res.Regions[i], nil
}

func isCode(err error, code diag.Code) bool {
	var list diag.List
	return errors.As(err, &list) && len(list) > 0 && list[0].Code == code
}

// try tries the suggestions for the findings of a region, in their order, until there are mostTrials. What changes nothing is left out: the source
// may have a clause that has the last word.
func (s *subject) try(src hexcc.Source, findings []profile.Finding, kernels string) (all []Trial) {
	for _, f := range findings {
		s.suggest(f)
	}
	for _, x := range s.list[:min(len(s.list), mostTrials)] {
		t := Trial{Settings: x.settings, Flags: flags(x.settings), Pragma: pragma(x.settings), Why: x.why}
		o := s.options
		var err error
		if t.Without, err = apply(&o, x.settings); err != nil {
			t.Refused = err.Error()
			all = append(all, t)
			continue
		}
		res, made, err := alone(src, o, s.Region, s.several)
		if err != nil {
			t.Refused = refusal(err)
			all = append(all, t)
			continue
		}
		if res.Files.Kernel == kernels {
			continue
		}
		t.Accepted, t.Made = true, s.differs(made)
		all = append(all, t)
	}
	return all
}

// refusal returns why hexcc does not take something, on one line.
func refusal(err error) string {
	var list diag.List
	if errors.As(err, &list) && len(list) > 0 {
		return fmt.Sprintf("%s [%s]", list[0].Msg, list[0].Code)
	}
	return strings.SplitN(err.Error(), "\n", 2)[0]
}

// differs says what r has that the region has not, by the model.
func (s *subject) differs(r *hexcc.Region) string {
	before, after := s.counted[0], sketch(r, r.GPU.Kernels[0], r.GPU.Device)
	var parts []string
	seconds, _, _ := expected(r)
	switch was := before.SecondsPerUpdate; {
	case seconds > 0 && was > 0:
		parts = append(parts, fmt.Sprintf("%s an update in place of %s", pico(seconds), pico(was)))
	case seconds > 0:
		parts = append(parts, pico(seconds)+" an update")
	}
	number := func(what string, was, is int64) {
		if was != is {
			parts = append(parts, fmt.Sprintf("%s %d in place of %d", what, is, was))
		}
	}
	number("threads", before.Threads, after.Threads)
	if !before.Compiled { // what was estimated compares with what is
		number("blocks at once", int64(before.BlocksPerSM), int64(after.BlocksPerSM))
	}
	if !before.Compiled {
		number("registers about", int64(before.Registers), int64(after.Registers))
	}
	number("shared bytes", before.BlockBytes, after.BlockBytes)
	if len(parts) == 0 {
		return "the model sees no difference"
	}
	return strings.Join(parts, ", ")
}

func pico(seconds float64) string { return fmt.Sprintf("%.3g ps", 1e12*seconds) }
