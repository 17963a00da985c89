package ctext

import (
	"cmp"
	_ "embed" // the text of checkSupport
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file prints a program that compares a translation with the original: it
// fills arrays at random, calls the function around each region and the function
// that stands for the region, and compares all elements bit for bit; where products are fused or sums regrouped, within a tolerance.

// A Checked is a region to compare, with values of its parameters to try.
type Checked struct {
	Scop      *scop.Program
	Functions Functions
	Sizes     [][]int64
}

// checkSupport is C: random numbers, comparison, clock, arguments.
//
//go:embed text/check.c
var checkSupport string

// nearSupport is C: comparison within a tolerance.
//
//go:embed text/near.c
var nearSupport string

// Check returns the program, in C, to be linked with the translation; header is the file
// that declares it, file its own name. Where loops is not empty it is the text of the translation, the functions of all regions, and nothing is to be linked. The error is a diag.List: regions whose
// function needs what a program of our own does not have.
func Check(file, header, loops string, regions []Checked) (string, error) {
	p := regions[0].Scop
	var errs diag.List
	out := Printer{}
	how := "bit for bit"
	rounded := slices.ContainsFunc(regions, func(r Checked) bool { return r.Scop.Rounded() })
	if rounded {
		how = "within a tolerance"
	}
	out.Raw(fmt.Sprintf("/* %s, to compare the translation with the original, %s, on random data.\n", MadeFrom(file, p.File), how))
	if rounded {
		out.Raw(fmt.Sprintf("   %s: elements may differ by %d units in the last place of the largest magnitude of\n", why(regions), scop.Tolerance))
		out.Raw(fmt.Sprintf("   their array, before or after, those of a _Float16 by %d; integers are equal, and what is infinite or no number is so in both.\n", scop.HalfTolerance))
	}
	if loops == "" {
		out.Raw("   Link it with the other files, without the host file. Arguments are values of parameters, such as\n")
	} else {
		out.Raw("   It has the functions of the translation, and is a program by itself: compile it as they are. Arguments are values of parameters, such as\n")
	}
	out.Raw("   n=1000; without any, several are tried. Exits with 0 if all is equal, 1 if not or if nothing was to be done, 2 if it cannot run. */\n")
	translation := fmt.Sprintf("#include \"%s\"", header)
	if loops != "" {
		translation = loops
	}
	out.Raw(fmt.Sprintf("%s\n#define main hexcc_original_main\n#line 1 %s\n%s\n#undef main\n", translation, Quote(p.File), claimed(regions)))
	out.Raw(fmt.Sprintf("#line %d %s\n", strings.Count(out.Buf.String(), "\n")+2, Quote(file)))
	if loops != "" {
		out.Raw("\n#define HEXCC_LOOPS 1\nstruct hexcc_times { double total, in, kernels, out; };\n")
	}
	out.Raw(checkSupport)
	if rounded {
		out.Raw(fmt.Sprintf("\n#define HEXCC_TOLERANCE %d\n#define HEXCC_HALF_TOLERANCE %d\n", scop.Tolerance, scop.HalfTolerance) + nearSupport)
	}
	if p.Cxx {
		out.Raw(AnyPointer)
		for _, r := range regions {
			out.Raw(Opened(r.Scop))
		}
	}
	if slices.ContainsFunc(regions, func(r Checked) bool { return leadsElsewhere(r.Scop) }) {
		out.Line("%s", Zeros)
	}
	for _, r := range regions {
		c, err := callerOf(r.Scop)
		if err != nil {
			errs = append(errs, notCallable(r.Scop, err))
			continue
		}
		r.print(&out, c, loops != "")
	}
	if errs != nil {
		return "", errs
	}
	checkMain(&out, regions, rounded)
	return out.Buf.String(), nil
}

// why says why elements may differ.
func why(regions []Checked) string {
	fused := slices.ContainsFunc(regions, func(r Checked) bool { return isFused(r.Scop) })
	regrouped := slices.ContainsFunc(regions, func(r Checked) bool { return isRegrouped(r.Scop) })
	switch {
	case fused && regrouped:
		return "Sums are regrouped (--reassociate), and products fused with them (--fma)"
	case regrouped:
		return "Sums are regrouped (--reassociate)"
	}
	return "Products are fused with sums (--fma)"
}

func notCallable(p *scop.Program, err error) *diag.Diagnostic {
	return &diag.Diagnostic{
		Code: "HX310", Msg: fmt.Sprintf("no check of its own can be made of this region: %v", err),
		At:   p.Start(),
		Help: "move the region into a function that gets what it uses as parameters; hexcc verify compares without them",
	}
}

// print prints the function that compares one region at one size.
func (r Checked) print(out *Printer, c caller, loops bool) {
	p := r.Scop
	s := New(p, nil, nil)
	for _, q := range p.Params {
		s.Outer[q.Name] = c.local(q.Source(), q.Name)
	}
	out.Line("\nstatic int hexcc_check_%d(const long long *hexcc_v)", r.Functions.Region)
	out.Braces("", func() {
		r.values(out, c)
		var args []string
		for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
			elem := a.Elem.InMemory()
			for k, o := range a.Objects() {
				extents := []string{"1"}
				for _, e := range (scop.Object{Array: a, Index: k}).Extents() {
					extents = append(extents, "(long long)("+s.wide(e)+")")
				}
				out.Line("const long long hexcc_e_%s[] = {%s};", o.Name, strings.Join(extents, ", "))
				out.Line("const size_t hexcc_n_%s = hexcc_bytes(%s, sizeof(%s), %d, hexcc_e_%s);", o.Name, Quote(o.Name), elem, len(extents), o.Name)
				out.Line("%s *hexcc_ours_%s = (%s *)hexcc_new(hexcc_n_%s);", elem, o.Name, elem, o.Name)
				fill := fmt.Sprintf("HEXCC_FILL(%s, hexcc_ours_%s, hexcc_n_%s, %s);", elem, o.Name, o.Name, random(p, a.Elem))
				switch {
				case a.Local:
					out.Line("%s", fill)
					continue
				case c.passed[o.Identifier()]:
					out.Line("%s *hexcc_theirs_%s = (%s *)hexcc_new(hexcc_n_%s);", elem, o.Name, elem, o.Name)
				default:
					out.Line("%s *hexcc_theirs_%s = (%s *)(%s);", elem, o.Name, elem, p.Base(a, o))
				}
				if a.Fixed != nil {
					out.Line("memcpy(hexcc_ours_%s, hexcc_theirs_%s, hexcc_n_%s);", o.Name, o.Name, o.Name)
					continue
				}
				out.Line("%s", fill)
				out.Line("memcpy(hexcc_theirs_%s, hexcc_ours_%s, hexcc_n_%s);", o.Name, o.Name, o.Name)
			}
		}
		if cond := busy(p, s.Outer); cond != "" {
			out.Line("hexcc_busy |= %s;", cond)
		} else {
			out.Line("hexcc_busy = 1;")
		}
		for _, a := range p.Arrays {
			for _, o := range a.Objects() {
				if near(p, a) {
					out.Line("const double hexcc_m_%s = hexcc_most(0, hexcc_ours_%s, hexcc_n_%s / sizeof(%s), sizeof(%s));", o.Name, o.Name, o.Name, a.Elem.InMemory(), a.Elem.InMemory())
				}
			}
		}
		args = r.arguments(c, p)
		if Tested(p) {
			out.Line("if (!%s(%s))", r.Functions.Test(), strings.Join(r.arguments(c, p.Tested()), ", "))
			out.Line("  return 2;")
		}
		out.Line("double hexcc_start = hexcc_now();")
		out.Line("%s%s(%s);", p.Signature.Space, p.Function, strings.Join(c.arguments(p), ", "))
		out.Line("double hexcc_took = hexcc_now() - hexcc_start;")
		if loops {
			out.Line("struct hexcc_times hexcc_t = {0, 0, 0, 0};")
			out.Line("hexcc_start = hexcc_now();")
			out.Line("%s(%s);", r.Functions.Run(), strings.Join(args, ", "))
			out.Line("hexcc_t.total = hexcc_now() - hexcc_start;")
		} else {
			out.Line("struct hexcc_times hexcc_t;")
			out.Line("if (%s(%s) != 0) {", r.Functions.Timed(), strings.Join(append(args, "&hexcc_t"), ", "))
			out.Line("  fprintf(stderr, \"%%s\\n\", %s());", r.Functions.Error())
			out.Line("  return 2;\n}")
		}
		out.Line("size_t hexcc_differ = 0, hexcc_all = 0;")
		for _, a := range p.Arrays {
			for _, o := range a.Objects() {
				if near(p, a) {
					out.Line("hexcc_differ += hexcc_near(\"%s\", hexcc_theirs_%s, hexcc_ours_%s, hexcc_n_%s / sizeof(%s), sizeof(%s), hexcc_m_%s, &hexcc_all);",
						o.Name, o.Name, o.Name, o.Name, a.Elem.InMemory(), a.Elem.InMemory(), o.Name)
				} else if !a.Local {
					out.Line("hexcc_differ += hexcc_compare(\"%s\", hexcc_theirs_%s, hexcc_ours_%s, hexcc_n_%s / sizeof(%s), sizeof(%s), %d, &hexcc_all);",
						o.Name, o.Name, o.Name, o.Name, a.Elem.InMemory(), a.Elem.InMemory(), isFloat(a.Elem))
				}
			}
		}
		for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
			for _, o := range a.Objects() {
				out.Line("free(hexcc_ours_%s);", o.Name)
				if !a.Local && c.passed[o.Identifier()] {
					out.Line("free(hexcc_theirs_%s);", o.Name)
				}
			}
		}
		out.Line("return hexcc_report(%s, %s, %d, hexcc_v, hexcc_differ, hexcc_all, %s, hexcc_took, hexcc_t);",
			Quote(p.Function), r.names(), len(p.Params), equal(p))
	})
}

// near reports whether elements of a are compared within a tolerance.
func near(p *scop.Program, a *scop.Array) bool { return p.Rounded() && !a.Local && a.Elem.IsFloat() }

// equal returns the C expression for what is said of elements that are as they should be.
func equal(p *scop.Program) string {
	if p.Rounded() {
		return "hexcc_within()"
	}
	return `"equal"`
}

// local returns how the function that compares calls a parameter or scalar: by a name that hides no function which it calls,
// if it is an argument of the original.
func (c caller) local(source, name string) string {
	if c.passed[source] {
		return "hexcc_value_" + name
	}
	return source
}

// values prints parameters and scalars: as variables, or into those of the file.
func (r Checked) values(out *Printer, c caller) {
	p := r.Scop
	if len(p.Params) == 0 {
		out.Line("(void)hexcc_v;")
	}
	set := func(source, name string, t scop.Type, value string) {
		if c.passed[source] {
			out.Line("%v %s = (%v)%s;", t, c.local(source, name), t, value)
		} else {
			out.Line("%s = (%v)%s;", source, t, value)
		}
	}
	for i, q := range p.Params {
		fits := fmt.Sprintf("(long long)(%v)hexcc_v[%d] == hexcc_v[%d]", q.Type, i, i)
		if q.Type == scop.Ulong {
			fits = fmt.Sprintf("hexcc_v[%d] >= 0", i)
		}
		out.Line("hexcc_fits(%s, %s, hexcc_v[%d], \"%v\");", fits, Quote(q.Source()), i, q.Type)
		set(q.Source(), q.Name, q.Type, fmt.Sprintf("hexcc_v[%d]", i))
	}
	for _, q := range p.Scalars {
		if q.Of != nil {
			continue // as its array is filled
		}
		if q.Fixed != nil {
			continue // it has its value
		}
		value := "(1 + hexcc_random() % 100)"
		if q.Type.IsFloat() {
			value = "(0.1 + hexcc_unit() / 4)" // explicit schemes are stable
		}
		if q.Half {
			value = "(_Float16)" + value
		}
		if q.Truth {
			value = "(hexcc_random() % 2)"
		}
		set(q.Source(), q.Name, q.Type, value)
	}
}

// arguments returns what the functions of the translation get.
func (r Checked) arguments(c caller, p *scop.Program) (args []string) {
	for _, q := range p.Params {
		args = append(args, c.local(q.Source(), q.Name))
	}
	for _, q := range p.Scalars {
		if q.Of != nil {
			args = append(args, fmt.Sprintf("hexcc_ours_%s[%d]", q.Of.Array.Name, q.Of.Number()))
			continue
		}
		args = append(args, c.local(q.Source(), q.Name))
	}
	for _, a := range p.Arrays {
		for _, o := range a.Objects() {
			args = append(args, "hexcc_ours_"+o.Name)
		}
	}
	return args
}

// arguments returns what the original function gets: zeros for what the region does not use.
func (c caller) arguments(p *scop.Program) []string {
	value := map[string]string{}
	for _, q := range p.Params {
		value[q.Source()] = c.local(q.Source(), q.Name)
	}
	for _, q := range p.Scalars {
		value[q.Source()] = c.local(q.Source(), q.Name)
	}
	for _, a := range slices.Concat(p.Arrays, p.CoefficientArrays()) {
		for _, o := range a.Objects() {
			if !a.Local {
				pointer := "hexcc_theirs_" + o.Name
				if offset := p.Offset(a, func(q scop.Param) string { return c.local(q.Source(), q.Name) }); offset != "" {
					pointer = fmt.Sprintf("(%s + (%s))", pointer, offset)
				}
				value[o.Identifier()] = AsArgument(p, pointer)
			}
		}
	}
	list := make([]string, len(c.args))
	for i, a := range c.args {
		list[i] = cmp.Or(value[a.Name], AsUnused(p, a))
	}
	return list
}

// random returns the C expression for a random element: of moderate size, and far from 0 where the program divides.
func random(p *scop.Program, t scop.Type) string {
	switch positive := scop.NeedsPositive(p); {
	case t.IsFloat() && positive:
		return "0.5 + hexcc_unit()"
	case t.IsFloat():
		return "2 * hexcc_unit() - 1"
	case positive:
		return "1 + hexcc_random() % 100"
	case t == scop.Bool:
		return "hexcc_random() % 2"
	}
	return "hexcc_flags ? hexcc_random() % 5 < 2 : hexcc_random() % 100" // programs on integers often compare with 0 and 1
}

func isFloat(t scop.Type) int {
	if t.IsFloat() {
		return 1
	}
	return 0
}

// names returns the names of the parameters as a string literal, separated by spaces.
func (r Checked) names() string {
	var list []string
	for _, q := range r.Scop.Params {
		list = append(list, q.Name)
	}
	return Quote(strings.Join(list, " "))
}

// checkMain prints the table of regions and main.
func checkMain(out *Printer, regions []Checked, rounded bool) {
	for _, r := range regions {
		if len(r.Scop.Params) == 0 || len(r.Sizes) == 0 {
			continue
		}
		out.Line("\nstatic const long long hexcc_sizes_%d[] = {", r.Functions.Region)
		for _, values := range r.Sizes {
			text := ""
			for _, v := range values {
				text += fmt.Sprintf(" %d,", v)
			}
			out.Line(" %s", text)
		}
		out.Line("};")
	}
	out.Line("\nint main(int argc, char **argv)")
	out.Braces("", func() {
		out.Line("int status = hexcc_arguments(argc, argv);")
		for _, r := range regions {
			sizes, n := fmt.Sprintf("hexcc_sizes_%d", r.Functions.Region), len(r.Sizes)
			if len(r.Scop.Params) == 0 || n == 0 {
				sizes, n = "NULL", 0
			}
			out.Line("if (status < 2)")
			out.Line("  status |= hexcc_each(hexcc_check_%d, %s, %d, %s, %d);", r.Functions.Region, r.names(), len(r.Scop.Params), sizes, n)
		}
		if rounded {
			out.Line("(void)hexcc_compare; // of integers")
			out.Line("return hexcc_end(status, \"equal within the tolerance\");")
		} else {
			out.Line("return hexcc_end(status, \"equal\");")
		}
	})
}
