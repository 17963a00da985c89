package frontend

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"
	"modernc.org/token"

	"github.com/hexcc/hexcc/diag"
)

// This file writes a C++ file in C line by line, and finds the places of the one in the other.

// A projection is a C++ file in C, with as many lines.
type projection struct {
	text  []byte
	lines []int // offset of the start of each line
	parts []projectedPart

	spaces      map[string]string // the namespaces of functions around regions
	spaceOf     map[string]string // the namespaces of what is declared outside of functions, headers included
	stdNames    map[string]bool   // names that std:: stands before somewhere, headers included
	claims      []cxxClaim        // of what the C compiler of the output must read alike
	vectors     map[string]bool   // names of variables that are std::vector there, and pointers here
	owned       map[string]bool   // members that are so, with their classes in C: Grid.data
	spans       map[string]bool   // members that are std::span there, and pointers here
	scoped      map[string]bool   // names of types that are enumerations with a scope: no arithmetic converts them
	ownedAt     map[int]bool      // where in the source the declarations begin of variables that are so
	optional    [][2]int          // stretches of the source that may be left out
	headers     *cxxHeaders
	declares    map[int][]string  // what is declared by what begins at an offset of the source
	instances   map[string]bool   // names of functions that stand for templates
	templateOf  map[string]string // by the names of functions for templates with regions: that of the template
	shown       map[string]string // by the names in C of methods, of functions for templates and of lambdas: those that messages have
	undeduced   map[string]bool   // names of templates of functions with calls whose arguments do not tell which function is called
	repeated    []cxxRepeated
	templates   [][2]int             // the stretches of the source that are templates
	methodsOf   map[string]string    // by the name in C of a method: that of its class
	hidden      map[string]cxxHidden // by the name in C of a class: its private members
	statics     map[string]cxxStatic // by the name in C: static members of classes
	outermost   [][2]int             // the declarations of the source
	pairs       map[string]cxxPair   // types of pairs and tuples, by their names in C
	called      []cxxCall            // calls of lambdas
	refusals    []cxxRefusal
	byReference []cxxToken // parameters of functions around regions that are references there, and values here
}

// A cxxClaim is that an expression has a size.
type cxxClaim struct {
	name, text string
	size       int64
	from, to   int // in the source: of regions in this stretch; 0, 0: of all
}

// A cxxRefusal says what is wrong with source[from:to] in a region, or in the head of the function around it.
type cxxRefusal struct {
	from, to        int
	msg, note, help string
}

// A cxxHidden is the members of a class that only its methods may name, and its name in C++.
type cxxHidden struct {
	class   string
	members []string
}

// A projectedPart says that the bytes from at on are those of the source from from on, or stand for what begins there.
type projectedPart struct {
	at, from int
	to       int // of what stands for source[from:to]
	same     bool
	copied   bool // it is on another line than in the source
}

// A cxxEdit replaces source[from:to].
type cxxEdit struct {
	from, to int
	text     string
	parts    []projectedPart // of text; nil: all of it stands for what begins at from
}

// projected applies edits to source; those inside of others are left out.
func projected(source []byte, edits []cxxEdit) *projection {
	inserts := func(e cxxEdit) int {
		if e.from == e.to {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(edits, func(x, y cxxEdit) int {
		return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(inserts(x), inserts(y)), cmp.Compare(y.to, x.to))
	})
	p := &projection{vectors: map[string]bool{}}
	var out bytes.Buffer
	done := 0
	copyTo := func(to int) {
		if done < to {
			p.parts = append(p.parts, projectedPart{at: out.Len(), from: done, same: true})
			out.Write(source[done:to])
			done = to
		}
	}
	for _, e := range edits {
		if e.from < done {
			continue
		}
		copyTo(e.from)
		p.parts = append(p.parts, projectedPart{at: out.Len(), from: e.from, to: e.to})
		for _, part := range e.parts {
			part.at += out.Len()
			p.parts = append(p.parts, part)
		}
		text := strings.ReplaceAll(e.text, "\n", " ")
		out.WriteString(text)
		out.WriteString(strings.Repeat("\n", bytes.Count(source[e.from:e.to], []byte("\n"))))
		done = e.to
	}
	copyTo(len(source))
	p.text = out.Bytes()
	p.lines = newFile(Source{Text: p.text}).lines
	return p
}

// qualified returns name as the file can name it anywhere.
func (p *projection) qualified(name string) string {
	if p == nil {
		return name
	}
	return p.spaceOf[name] + name
}

// typeName returns the type called name as the file can name it anywhere: headers of C++ need not declare size_t but in std.
func (p *projection) typeName(name string) string {
	if partOf(name) != "" {
		return shownComplex.Replace(name)
	}
	if p != nil && p.stdNames[name] && p.spaceOf[name] == "" {
		return "std::" + name
	}
	return p.qualified(name)
}

// cxxBase matches the name of the type that a type of C begins with.
var cxxBase = regexp.MustCompile(`^((?:struct|union|enum) )?(\w+)( \**)?$`)

// typeText returns t, a number, a struct or a pointer to such, as the generated file can write it.
func (f *file) typeText(t cc.Type) string {
	text := typeName(t)
	m := cxxBase.FindStringSubmatch(text)
	switch {
	case f.cxx != nil && t.Kind() == cc.ComplexDouble && t.Typedef() == nil:
		return shownComplex.Replace(complexDouble)
	case f.cxx != nil && t.Kind() == cc.ComplexFloat && t.Typedef() == nil:
		return shownComplex.Replace(complexFloat)
	case f.cxx == nil || m == nil:
		return text
	case m[2] == "_Bool":
		return "bool" + m[3]
	}
	return m[1] + f.cxx.typeName(m[2]) + m[3]
}

// inMessages returns l with the names of functions as the source has them: 'Grid<double>::at' for 'Grid__double__at'.
func (p *projection) inMessages(l diag.List) diag.List {
	if p == nil {
		return l
	}
	shown := func(text string) string {
		text = shownComplex.Replace(text)
		return quotedName.ReplaceAllStringFunc(text, func(name string) string {
			if as := p.shown[strings.Trim(name, "'")]; as != "" {
				return "'" + as + "'"
			}
			return name
		})
	}
	return mapAll(l, func(d *diag.Diagnostic) *diag.Diagnostic {
		named := *d
		named.Msg, named.Help = shown(d.Msg), shown(d.Help)
		named.Notes = mapAll(d.Notes, func(n diag.Note) diag.Note { n.Msg = shown(n.Msg); return n })
		return &named
	})
}

// quotedName matches a name of C in a message.
var quotedName = regexp.MustCompile(`'\w+'`)

// isScoped reports whether t is an enumeration of C++ with a scope, whose values only a cast makes numbers.
func (f *file) isScoped(t cc.Type) bool {
	return f.cxx != nil && t != nil && t.Typedef() != nil && f.cxx.scoped[t.Typedef().Name()]
}

// source returns the offset in the source of what stands at a place of p, or -1.
func (p *projection) source(at token.Position) int { return p.sourceOf(at.Line, at.Column) }

// sourceOf returns the offset in the source of what stands at line and column of p, or -1.
func (p *projection) sourceOf(line, column int) int {
	part, offset, ok := p.partAt(line, column)
	switch {
	case offset < 0:
		return -1
	case !ok:
		return offset
	case !part.same:
		return part.from
	}
	return part.from + offset - part.at
}

// partAt returns the part of p at line and column, and the offset there, -1 if there is none; ok is false in front of all parts.
func (p *projection) partAt(line, column int) (part projectedPart, offset int, ok bool) {
	if line < 1 || line > len(p.lines) {
		return part, -1, false
	}
	offset = p.lines[line-1] + column - 1
	i := sort.Search(len(p.parts), func(i int) bool { return p.parts[i].at > offset }) - 1
	if i < 0 {
		return part, offset, false
	}
	return p.parts[i], offset, true
}

// endOf returns where in the source ends what the token at a place of p stands for, or is part of; end, if it is a token of the source.
func (p *projection) endOf(at token.Position, end int) int {
	part, offset, ok := p.partAt(at.Line, at.Column)
	switch {
	case ok && p.macroAt(offset) != "":
		return p.sourceEnd(offset + len(p.macroAt(offset)))
	case ok && !part.same:
		return part.to
	}
	return end
}

// cxxMacros are the macros of cxxPrelude: all that they make is where their names are.
var cxxMacros = []string{"__hexcc_swap", "__hexcc_max", "__hexcc_min", "__hexcc_abs", "__hexcc_1", "__hexcc_2", "__hexcc_3",
	"__hexcc_zreal", "__hexcc_zimag", "__hexcc_zconj", "__hexcc_znorm", "__hexcc_zarg", "__hexcc_zpolar", "__hexcc_zabs", "__hexcc_z1", "__hexcc_zc"}

// macroAt returns the macro of cxxPrelude that is called at an offset of p, or "".
func (p *projection) macroAt(offset int) string {
	for _, name := range cxxMacros {
		if bytes.HasPrefix(p.text[offset:], []byte(name+"(")) {
			return name
		}
	}
	return ""
}

// sourceEnd returns where in the source the parenthesis ends that opens at an offset of p.
func (p *projection) sourceEnd(open int) int {
	depth := 0
	for i := open; i < len(p.text); i++ {
		switch p.text[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			continue
		}
		k := sort.Search(len(p.parts), func(k int) bool { return p.parts[k].at > i }) - 1
		if part := p.parts[k]; part.same {
			return part.from + i + 1 - part.at
		}
		return p.parts[k].to
	}
	return 0
}

// qualifierOf returns where the name of the source at an offset begins, with the namespaces and classes in front of it.
func (f *file) qualifierOf(at int) int {
	back := func(i int) int { return len(bytes.TrimRight(f.text[:i], " \t\r\n")) }
	for {
		i := back(at)
		if !bytes.HasSuffix(f.text[:i], []byte("::")) {
			return at
		}
		at = i - 2
		i = back(at)
		if bytes.HasSuffix(f.text[:i], []byte(">")) { // arguments of a template
			open, depth := i, 0
			for open > 0 && (open == i || depth > 0) && !bytes.ContainsAny(f.text[open-1:open], ";{}") {
				switch open--; f.text[open] {
				case '>':
					depth++
				case '<':
					depth--
				}
			}
			if depth > 0 {
				return at
			}
			i = back(open)
		}
		word := i
		for word > 0 && inWord(f.text[word-1:]) > 0 {
			word--
		}
		if slices.Contains([]string{"", "return", "else", "do", "case", "throw", "goto"}, string(f.text[word:i])) {
			return at
		}
		at = word
	}
}

// isCxx reports whether name is that of a C++ file.
func isCxx(name string) bool {
	for _, end := range []string{".cpp", ".cc", ".cxx", ".c++", ".C", ".CPP", ".hpp", ".hh", ".hxx"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// cxxPrelude declares what projections use.
const cxxPrelude = `
void *calloc(unsigned long, unsigned long);
void *__hexcc_object(int, ...);
void __hexcc_delete(const void *);
int __hexcc_use(int, ...);
unsigned long __hexcc_size(const void *);
int abs(int);
long labs(long);
long long llabs(long long);
double fabs(double);
float fabsf(float);
static inline double __hexcc_max_d(double a, double b) { return a < b ? b : a; }
static inline double __hexcc_min_d(double a, double b) { return b < a ? b : a; }
static inline float __hexcc_max_f(float a, float b) { return a < b ? b : a; }
static inline float __hexcc_min_f(float a, float b) { return b < a ? b : a; }
#define __hexcc_max(a, b) _Generic((a), float: __hexcc_max_f(a, b), double: __hexcc_max_d(a, b), default: ((a) < (b) ? (b) : (a)))
#define __hexcc_min(a, b) _Generic((a), float: __hexcc_min_f(a, b), double: __hexcc_min_d(a, b), default: ((b) < (a) ? (b) : (a)))
#define __hexcc_abs(a) _Generic((a), float: fabsf, double: fabs, long: labs, long long: llabs, default: abs)(a)
#define __hexcc_1(name, a) _Generic((a), float: name##f, default: name)(a)
#define __hexcc_2(name, a, b) _Generic((a), float: _Generic((b), float: name##f, default: name), default: name)(a, b)
#define __hexcc_3(name, a, b, c) _Generic((a), float: _Generic((b), float: _Generic((c), float: name##f, default: name), default: name), default: name)(a, b, c)
#define __hexcc_swap(a, b) { __typeof__(a) __hexcc_kept = a; a = b; b = __hexcc_kept; }
`
