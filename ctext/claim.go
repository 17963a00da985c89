package ctext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/scop"
)

// This file prints what hexcc takes for granted of the user's types such that it does not compile where that is
// wrong: an array of size -1, in the language of C89 and of C++ alike, whose name says what was claimed.

// claim prints the claims of p, as declarations and a statement that does nothing.
func claim(out *Printer, p *scop.Program) {
	if len(p.Claims) == 0 {
		return
	}
	if k := slices.IndexFunc(p.Claims, func(c scop.Claim) bool { return c.Halves }); k >= 0 {
		out.Line("/* an error here: this compiler rounds each operation on _Float16, which hexcc takes for one on float: cast operands to float */")
		out.Line("struct hexcc_halves_%d { int hexcc_%s : %s ? 1 : -1; };", p.Region.Index, p.Claims[k].Name, calculatedInFloat)
	}
	for i, c := range p.Claims {
		if c.Macro != "" {
			out.Line("#ifdef %s", c.Macro)
			out.Line("/* an error here: %s was %s where hexcc read this file: translate it again */", c.Macro, c.C)
			out.Line("struct hexcc_macro_%d_%d { int hexcc_%s_was_another_number : (%s) == (%s) ? 1 : -1; };", p.Region.Index, i, Identifier(c.Macro), c.Macro, c.C)
			out.Line("#endif")
		}
	}
	claims := slices.DeleteFunc(slices.Clone(p.Claims), func(c scop.Claim) bool { return c.Halves || c.Macro != "" })
	if len(claims) == 0 {
		return
	}
	// A type of a function, since a declaration of one would be a name that C++ finds undefined in an unnamed namespace.
	out.Line("(void)(void (*)( /* an error here: hexcc misread a type */")
	for i, c := range claims {
		end := ","
		if i+1 == len(claims) {
			end = "))0;"
		}
		out.Line("  char hexcc_%s[%s ? 1 : -1]%s", Identifier(c.Name), condition(c, p.Cxx), end)
	}
}

// calculatedInFloat is whether neither an operation nor a conversion of an operand rounds to _Float16: 4097 is none. Compilers
// calculate with numbers as they do with variables. It is the width of a bit-field, which all of them calculate.
const calculatedInFloat = "(float)((_Float16)1 + 4097) == 4098.0f"

// claimed returns the source of regions, which are in source order, with what they claim in front of each.
func claimed(regions []Checked) string {
	var b strings.Builder
	source, done := regions[0].Scop.Source, 0
	var calls []Call
	for _, r := range regions {
		calls = append(calls, Call{Scop: r.Scop})
	}
	for _, r := range regions {
		p := r.Scop
		done = open(&b, calls, done, p.Region.Start)
		b.Write(source[done:p.Region.Start])
		done = p.Region.Start
		out := Printer{Depth: 1}
		out.Braces("", func() { claim(&out, p) })
		b.WriteString(p.Reaching(out.Buf.String()))
		fmt.Fprintf(&b, "#line %d %s\n", p.Region.StartLine, Quote(p.File))
	}
	b.Write(source[done:])
	return b.String()
}

// operand matches what needs no parentheses to be one.
var operand = regexp.MustCompile(`^[^ *&]*$`)

// enumerated returns what condition does of an enumeration with a scope, which no arithmetic converts.
func enumerated(c scop.Claim) string {
	cast := fmt.Sprintf("(__underlying_type(__typeof__(%s)))", c.C)
	sign := "<"
	if c.Type.IsUnsigned() || c.Type == scop.Bool {
		sign = ">"
	}
	two := 2 // bool holds no more than 1
	if c.Type == scop.Bool {
		two = 1
	}
	return fmt.Sprintf("sizeof(%s) == %d && %s-1 %s 0 && %s2 == %d", c.C, c.Type.Size(), cast, sign, cast, two)
}

// memberElement matches an element of an array that is a member.
var memberElement = regexp.MustCompile(`^([\w.]+)((?:\[\d+\])+)$`)

// elementAt returns what condition does of an element of a member, which may be a std::array: of such elements C++ has no offsetof.
func elementAt(c scop.Claim) string {
	m := memberElement.FindStringSubmatch(c.Member)
	text := fmt.Sprintf("__builtin_offsetof(__typeof__(%s), %s)", c.C, m[1])
	elem := fmt.Sprintf("((__typeof__(%s) *)0)->%s", c.C, m[1])
	for _, k := range strings.Split(strings.Trim(m[2], "[]"), "][") {
		elem += "[0]"
		text += fmt.Sprintf(" + %s * sizeof(%s)", k, elem)
	}
	return fmt.Sprintf("%s == %d", text, c.Offset)
}

// condition returns a constant expression of C that says whether c holds. The size of the sum of a number
// and a float or a long says of what kind the number is.
func condition(c scop.Claim, cxx bool) string {
	switch {
	case cxx && memberElement.MatchString(c.Member):
		return elementAt(c)
	case c.Member != "":
		return fmt.Sprintf("__builtin_offsetof(__typeof__(%s), %s) == %d", c.C, c.Member, c.Offset)
	case c.Size > 0:
		return fmt.Sprintf("sizeof(%s) == %d", c.C, c.Size)
	}
	if c.Enum {
		return enumerated(c)
	}
	x, sized := c.C, "("+c.C+")"
	if !operand.MatchString(x) {
		x = sized
	}
	text := fmt.Sprintf("sizeof%s == %d && ", sized, c.Type.Size())
	switch c.Type {
	case scop.ComplexFloat:
		return text + fmt.Sprintf("sizeof(%s(%s) + 0L) == 4", realPart(cxx), x)
	case scop.ComplexDouble:
		return text + fmt.Sprintf("sizeof(%s(%s) + 0.0f) == 8", realPart(cxx), x)
	case scop.LongDouble: // a complex number has no order, and __float128 more digits
		return text + fmt.Sprintf("sizeof(%s > 0 ? %s : 0.0f) == 16 && (__typeof__(%s))1 + __LDBL_EPSILON__ / 4 == 1", x, x, x)
	case scop.Half: // of a long double, 16 bytes
		return text + fmt.Sprintf("sizeof(%s + 0L) == 2", x)
	case scop.Float:
		return text + fmt.Sprintf("sizeof(%s + 0L) == 4", x)
	case scop.Double: // a complex number has no order
		return text + fmt.Sprintf("sizeof(%s > 0 ? %s : 0.0f) == 8", x, x)
	case scop.Long, scop.Ulong:
		text += fmt.Sprintf("sizeof(%s + 0.0f) == 4", x)
	default:
		text += fmt.Sprintf("sizeof(%s + 0L) == 8", x)
	}
	if c.Type == scop.Bool {
		return text + fmt.Sprintf(" && (__typeof__(%s))2 == 1", x)
	}
	if c.Type.IsNarrow() { // the sum with 0 would be an int
		last := int64(-1)
		if c.Type.IsUnsigned() {
			_, last = c.Type.Range()
		}
		return text + fmt.Sprintf(" && (__typeof__(%s))-1 == %d", x, last)
	}
	sign := "<"
	if c.Type.IsUnsigned() {
		sign = ">"
	}
	return text + fmt.Sprintf(" && (__typeof__(%s + 0))-1 %s 0", x, sign)
}

// realPart is what gives the real part of a complex number: in C++ that is one of the library.
func realPart(cxx bool) string {
	if cxx {
		return "std::real"
	}
	return "__real__ "
}
