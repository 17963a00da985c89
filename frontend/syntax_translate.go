package frontend

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
	"modernc.org/token"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/scop"
)

// This file runs the C front end, without a host compiler: predefined macros
// and the standard headers are our own.

// expansionLimit bounds the work of macro expansion, in tokens.
const expansionLimit = 20_000_000

// A unit is a translation unit after parsing and type checking.
type unit struct {
	ast        *cc.AST
	pragmas    []pragma // scop, endscop and hexcc, in order, wherever they stand
	headers    []string
	members    *members
	attributes *attributes
	numbers    map[scop.Type]*cc.Declarator // a local variable of each type of numbers
	subscripts []*cc.Declarator             // local variables of type long, each of another name
	left       []leftOut                    // what was not read
	teams      teams                        // that regions may stand in
	empty      map[string]bool              // see frame
	methods    map[string]string            // of C++: by the name of a function that stands for one, its class
	kept       *addresses                   // of which it keeps the address, once that was asked
	callbacks  map[*cc.Declarator]callback  // that regions call, by the variables that tell which function they are
	taken      []*cc.Declarator             // the functions whose address the file takes, once that was asked
}

// A pragma is #pragma scop, endscop or hexcc at its word.
type pragma struct {
	pos  token.Position
	word string
	toks []cc.Token // what follows hexcc
}

// translate parses and checks f. It preprocesses it first on its own, because
// the C front end, where a header is missing, may go on reading forever.
func translate(f *file, o Options) (*unit, diag.List) {
	if errs := tooDeep(f, f.text); len(errs) > 0 {
		return nil, errs
	}
	macros, errs := commandLine(f.name, o)
	if len(errs) > 0 {
		return nil, errs
	}
	if o.isCxx(f.name) {
		return translateCxx(f, o, macros)
	}
	f.flat = flattened(o.Host, o.Printed, f.text)
	u, errs := parse(f, o, macros, nil)
	if len(f.flat) > 0 && (len(errs) > 0 || f.asksForUs) {
		f.flat = nil
		u, errs = parse(f, o, macros, nil)
	}
	if len(errs) > 0 {
		u, errs = recovered(f, o, macros, errs)
	}
	return u, errs
}

// parse parses and checks f without what is left out, by the names of files.
func parse(f *file, o Options, macros string, left map[string][]item) (*unit, diag.List) {
	text := withoutLineDirectives(without(f.projected(), left[f.name]))
	kept := map[string][]byte{}
	var out bytes.Buffer
	if _, _, errs := runCC(f, o, macros, text, left, kept, func(c *cc.Config, s []cc.Source) error { return cc.Preprocess(c, s, &out) }); len(errs) > 0 {
		return nil, errs
	}
	if errs := tooDeep(f, out.Bytes()); len(errs) > 0 {
		return nil, errs
	}
	u := &unit{members: newMembers(), empty: map[string]bool{}}
	if f.cxx != nil {
		u.members.spaceOf, u.members.statics = f.cxx.spaceOf, f.cxx.statics
		u.methods = f.cxx.methodsOf
	}
	p, headers, errs := runCC(f, o, macros, text, left, kept, func(c *cc.Config, s []cc.Source) (err error) { u.ast, err = cc.Translate(c, s); return err })
	if len(errs) > 0 {
		return nil, explained(f, errs, func(ast *cc.AST) diag.List {
			_, _, errs := runCC(f, o, macros, text, left, kept, func(c *cc.Config, s []cc.Source) error {
				made, err := cc.Parse(c, s)
				if err == nil {
					ast.TranslationUnit = made.TranslationUnit
				}
				return err
			})
			return errs
		})
	}
	u.pragmas, u.headers, u.numbers, u.subscripts = p.regions, headers, numbersOf(u.ast), variablesBehind(u.ast, "__hexcc_subscripts")
	if u.teams = p.teams; mayMakeTeams(text) { // for a compiler with -fopenmp
		with, _, _ := runCC(f, o, macros+"\n#define _OPENMP 201511\n", text, left, kept, func(c *cc.Config, s []cc.Source) error { return cc.Preprocess(c, s, io.Discard) })
		if with != nil { // whatever is wrong then is not wrong with the region
			maps.Copy(u.teams, with.teams)
		}
	}
	u.attributes = newAttributes(u.ast, out.Bytes(), p.packings)
	f.macros, f.constants = map[string]bool{}, constantMacros(u.ast, f.name, f.text)
	for name, m := range u.ast.Macros {
		f.macros[name] = m.IsFnLike
	}
	return u, nil
}

// runCC runs a function of the C front end. It returns the pragmas that came
// up, and the headers read from disk.
func runCC(f *file, o Options, macros string, text []byte, left map[string][]item, kept map[string][]byte, do func(*cc.Config, []cc.Source) error) (*pragmas, []string, diag.List) {
	fs := &headerFS{host: o.Host, left: left, kept: kept, flat: f.flat}
	if f.cxx != nil {
		fs.cxx = f.cxx.headers
	}
	defer func() { f.asksForUs = f.asksForUs || fs.asksForUs }()
	p := &pragmas{once: map[string]bool{}, included: map[string]int{}, teams: teams{}}
	cfg := config(fs, o)
	cfg.PragmaHandler = p.handle
	err := guarded(func() error { return do(cfg, sources(f.name, text, macros, o)) })
	if p.loop != "" {
		return nil, nil, diag.List{includeLoop(f, p.loop)}
	}
	return p, fs.read, ccErrors(f, err)
}

// pragmas is what the pragmas of one run say.
type pragmas struct {
	regions  []pragma
	once     map[string]bool
	included map[string]int
	loop     string // a header that is included too often
	packings []packing
	pushed   []string // by #pragma pack(push)
	teams    teams
}

// maxIncluded bounds how often one header is included. Without it, a header
// that includes itself is read until memory ends.
const maxIncluded = 300

func (p *pragmas) handle(toks []cc.Token) error {
	if len(toks) == 0 {
		return nil
	}
	pos := toks[0].Position()
	switch word := toks[0].SrcStr(); word {
	case "scop", "endscop":
		p.regions = append(p.regions, pragma{pos: pos, word: word})
	case "hexcc":
		p.regions = append(p.regions, pragma{pos, word, slices.Clone(toks[1:])})
	case "pack", "scalar_storage_order", "ms_struct":
		p.pack(toks, pos)
	case "omp", "acc":
		if pos.Filename == fromOperator {
			p.teams.see(toks, p.regions)
		}
	case "once":
		if p.once[pos.Filename] {
			return cc.SkipSource
		}
		p.once[pos.Filename] = true
	case headerWord:
		if p.included[pos.Filename]++; p.included[pos.Filename] > maxIncluded {
			p.loop = pos.Filename
			panic("include loop") // caught by guarded
		}
	}
	return nil
}

func includeLoop(f *file, header string) *diag.Diagnostic {
	return &diag.Diagnostic{Code: "HX010", At: diag.Span{Pos: diag.Pos{File: f.name}},
		Msg:  fmt.Sprintf("%s is included more than %d times", header, maxIncluded),
		Help: "guard it with #ifndef, #define and #endif"}
}

// guarded returns what f returns, or what it panics with: the C front end
// panics on some malformed programs.
func guarded(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf(gaveUp+"%v", r)
		}
	}()
	return f()
}

func config(fs *headerFS, o Options) *cc.Config {
	abi, err := cc.NewABI("linux", "amd64")
	if err != nil {
		panic(fmt.Sprintf("frontend: no ABI for linux/amd64: %v", err))
	}
	abi.Types = maps.Clone(abi.Types) // which all files share
	abi.Types[halfKind] = cc.AbiType{Size: 2, Align: 2, FieldAlign: 2}
	return &cc.Config{
		ABI: abi, FS: fs, FSOnly: true,
		IncludePaths:    append([]string{""}, append(o.IncludeDirs, o.systemDirs()...)...),
		SysIncludePaths: append(o.IncludeDirs[:len(o.IncludeDirs):len(o.IncludeDirs)], o.systemDirs()...),
		ExpansionLimit:  expansionLimit,
		UnsignedEnums:   fs.cxx == nil, // as in gcc and clang: enum variables are unsigned if no enumerator is negative; in C++, arithmetic converts them to int
		DefaultSizeT:    cc.ULong, DefaultPtrdiffT: cc.Long, DefaultWcharT: cc.Int,
	}
}

func sources(name string, text []byte, macros string, o Options) []cc.Source {
	return []cc.Source{
		{Name: "<predefined>", Value: o.predefined()},
		{Name: "<builtin>", Value: builtin + o.prelude(name)},
		{Name: "<command-line>", Value: padded([]byte(macros))},
		{Name: name, Value: marked(text)},
		{Name: endName, Value: endText},
	}
}

// After the file comes a declaration with the tokens that end the error
// recovery of the C front end, some of which never ends at the end of its input.
const (
	endName = "<end>"
	endText = "\nint __hexcc_end(int, int);\n" +
		"static inline void __hexcc_numbers(void) { float f; double d; int i; unsigned u; long l; unsigned long ul;" +
		" signed char c; unsigned char uc; short s; unsigned short us; float _Complex fz; double _Complex dz; }\n" +
		"static inline void __hexcc_subscripts(void) { long hexcc_l0, hexcc_l1, hexcc_l2, hexcc_l3, hexcc_l4, hexcc_l5, hexcc_l6, hexcc_l7; }\n"
)

// numbersOf returns the variables of the function behind the file.
func numbersOf(ast *cc.AST) map[scop.Type]*cc.Declarator {
	found := map[scop.Type]*cc.Declarator{}
	for _, d := range variablesBehind(ast, "__hexcc_numbers") {
		t, _ := storedType(d.Type())
		found[t] = d
	}
	return found
}

// variablesBehind returns the numbers that the function of that name behind the file declares.
func variablesBehind(ast *cc.AST, name string) (all []*cc.Declarator) {
	for tu := ast.TranslationUnit; tu != nil; tu = tu.TranslationUnit {
		fd := tu.ExternalDeclaration.FunctionDefinition
		if fd == nil || fd.Declarator.Name() != name {
			continue
		}
		for l := fd.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			if s, ok := convertItem(l.BlockItem).(declStmt); ok {
				for _, v := range s.vars {
					if _, isNumber := storedType(v.decl.Type()); isNumber { // __func__ is none
						all = append(all, v.decl)
					}
				}
			}
		}
	}
	return all
}

var macroName = regexp.MustCompile(`^[A-Za-z_$\x{80}-\x{10ffff}][\w$\x{80}-\x{10ffff}]*(\([\w$, .\x{80}-\x{10ffff}]*\))?$`)

// commandLine returns -D, -U and -include as directives, for a file of this name.
func commandLine(file string, o Options) (string, diag.List) {
	var b strings.Builder
	var errs diag.List
	wrong := func(flag, arg string) {
		errs = append(errs, &diag.Diagnostic{
			Code: "HX009", Msg: fmt.Sprintf("-%s %s does not name a macro", flag, strconv.Quote(arg)),
			Help: "write -DNAME, -DNAME=VALUE or -UNAME",
		})
	}
	for _, d := range o.Defines {
		name, value, given := strings.Cut(d, "=")
		if !given {
			value = "1"
		}
		if !macroName.MatchString(name) || strings.ContainsAny(value, "\r\n") {
			wrong("D", d)
			continue
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, value)
	}
	for _, name := range o.Undefines {
		if !macroName.MatchString(name) || strings.Contains(name, "(") {
			wrong("U", name)
			continue
		}
		fmt.Fprintf(&b, "#undef %s\n", name)
	}
	for _, name := range o.Includes {
		if library := libraryHeader(name); o.isCxx(file) && library != "" && o.included(name) == "" {
			b.WriteString(library + "\n")
			continue
		}
		fmt.Fprintf(&b, "#include \"%s\"\n", name)
	}
	return b.String(), errs
}

var lineDirective = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(line[ \t]|[0-9]).*$`)

// withoutLineDirectives blanks #line, so that the front end reports places in
// the file that the user passed to us, whose lines we show and replace.
func withoutLineDirectives(text []byte) []byte {
	return lineDirective.ReplaceAllFunc(text, func(l []byte) []byte {
		return bytes.Repeat([]byte(" "), len(l))
	})
}

var ccMessage = regexp.MustCompile(`^(.*?):(\d+):(\d+): (.*)$`)

// ccErrors turns an error of the C front end into diagnostics, one for each
// line, without its internal remarks and what only follows from the others.
func ccErrors(f *file, err error) (errs diag.List) {
	if err == nil {
		return nil
	}
	var follow diag.List
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimSpace(line)
		if i := strings.Index(line, " (check.go:"); i >= 0 {
			line = line[:i]
		}
		switch {
		case line == "":
		case strings.Contains(line, "TODO"), strings.Contains(line, "<invalid type>"), strings.HasPrefix(line, endName),
			strings.Contains(line, unexpected) && slices.ContainsFunc(errs, isUnexpected):
			follow = append(follow, f.ccError(line))
		default:
			errs = append(errs, f.ccError(line))
		}
	}
	if len(errs) == 0 {
		return follow[:min(len(follow), 1)]
	}
	return errs
}

// unexpected begins a syntax error. Those after the first tell little.
const unexpected = "unexpected "

func isUnexpected(d *diag.Diagnostic) bool { return strings.HasPrefix(d.Msg, unexpected) }

func (f *file) ccError(line string) *diag.Diagnostic {
	d := &diag.Diagnostic{Code: "HX005", Msg: line, Help: "the file must be valid C17; cc -fsyntax-only may say more"}
	m := ccMessage.FindStringSubmatch(line)
	if m == nil {
		d.At.File = f.name
		if strings.HasPrefix(line, surprised) {
			d.Msg = gaveUp + strings.TrimPrefix(line, surprised+": ")
		}
		return d
	}
	l, _ := strconv.Atoi(m[2])
	c, _ := strconv.Atoi(m[3])
	p := token.Position{Filename: m[1], Line: l, Column: c}
	if p.Filename == endName {
		d.Msg, d.At = "unexpected end of file", f.end()
		return d
	}
	d.At, d.Msg = f.span(where{p, p}), strings.ReplaceAll(strings.TrimSpace(m[4]), readAs+"_", "_")
	if p.Filename == f.name && (f.offset(p) < 0 || f.offset(p) >= len(f.text)) {
		d.At = f.end()
	}
	if name, ok := strings.CutPrefix(d.Msg, "undefined: "); ok {
		d.Msg = fmt.Sprintf("'%s' is not declared", name)
		d.Help = "declare it, or include its header"
	}
	if strings.HasPrefix(d.Msg, "strconv.") {
		d.Msg = "number out of range"
	}
	if header, ok := strings.CutPrefix(d.Msg, "include file not found: "); ok {
		d.Code = "HX010"
		header = strings.Replace(header, rootDir, "", 1)
		d.Msg = fmt.Sprintf("header %s is not found", header)
		if d.Help = "name its folder with -I"; strings.HasPrefix(header[1:], "/") {
			d.Help = "there is no such file, or it is no header: mend the path, which stands in the #include itself and in no macro"
		}
		d.At.Len = max(d.At.Len, len(header))
	}
	return d
}
