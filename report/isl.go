package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// ISL returns the sets and relations of the inspection as isl text: comments
// start with #, each other line is one assignment of the isl calculator, such
// as "S0_domain := [N] -> { S0[t, i] : ... };". Package calc runs it.
func (in *Inspection) ISL() string {
	var out strings.Builder
	define := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&out, "%s := %s;\n", name, text)
		}
	}
	fmt.Fprintf(&out, "# %s, function %s, lines %d to %d\n", diag.Printable(in.File), in.Function, in.FirstLine, in.LastLine)
	define("context", in.Context)
	for _, s := range in.Statements {
		fmt.Fprintf(&out, "\n# %s, line %d\n", s.Name, s.Line)
		define(s.Name+"_domain", s.Domain)
		for i, a := range s.Accesses {
			what := "read"
			if a.Write {
				what = "write"
			}
			define(fmt.Sprintf("%s_%s%d", s.Name, what, i), a.Map)
		}
		define(s.Name+"_place", s.Place)
	}
	for i, d := range in.Dependences {
		if i == 0 {
			out.WriteString("\n# dependences: source instance -> target instance\n")
		}
		define(fmt.Sprintf("dependence%d_%s", d.Number, d.Kind), d.Map)
	}
	if in.Schedule != nil {
		var dims []string
		for _, d := range in.Schedule.Dims {
			dims = append(dims, d.Name+" ("+d.Role+")")
		}
		fmt.Fprintf(&out, "\n# schedule: instance -> [%s]\n", strings.Join(dims, ", "))
		define("schedule_map", in.Schedule.Map) // schedule alone is an operation of iscc
	}
	if in.Ready != nil && in.Ready.Why == "" {
		fmt.Fprintf(&out, "\n# when ready: tile [%s] -> those that wait for it themselves; -> all that start only when it has ended\n",
			strings.Join(slices.Concat(in.Ready.Chain, in.Ready.Along), ", "))
		define("ready_waits", in.Ready.WaitMap)
		define("ready_before", in.Ready.BeforeMap)
	}
	return out.String()
}
