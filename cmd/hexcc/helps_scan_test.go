package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// This file finds every help that the sources can give: what stands behind Help: in a
// diagnostic, what is assigned to a field Help, and what is passed for a parameter help.

// A helpSite is a place in the sources that gives help: patterns of what it says. A nil
// pattern is not known.
type helpSite struct {
	at              string
	code, msg, help *regexp.Regexp
}

func (s helpSite) String() string {
	return fmt.Sprintf("%s: %v [%v] help: %v", s.at, s.msg, s.code, s.help)
}

// gives reports whether s may give a diagnostic.
func (s helpSite) gives(code, msg, help string) bool {
	return (s.code == nil || s.code.MatchString(code)) && (s.msg == nil || s.msg.MatchString(msg)) && s.help.MatchString(help)
}

// A helpTaker is a function that takes help as an argument: the places of its parameters, -1 for none.
type helpTaker struct{ code, help, msg int }

// helpSites returns the places of all packages under root that give help.
func helpSites(t *testing.T, root string) (sites []helpSite) {
	t.Helper()
	set := token.NewFileSet()
	packages := map[string][]*ast.File{}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "internal/") {
			return err
		}
		file, err := parser.ParseFile(set, path, nil, 0)
		packages[filepath.Dir(path)] = append(packages[filepath.Dir(path)], file)
		return err
	}))
	for _, files := range packages {
		s := &helpScan{set: set, takers: map[string]helpTaker{}, globals: map[string]ast.Expr{}, returns: map[string][]ast.Expr{}}
		for _, f := range files {
			s.declare(f)
		}
		for _, f := range files {
			s.file(f)
		}
		require.Empty(t, s.unclear, "help of which the test cannot tell what it says")
		sites = append(sites, s.sites...)
	}
	slices.SortFunc(sites, func(a, b helpSite) int { return strings.Compare(a.at, b.at) })
	return sites
}

// A helpScan looks through a package.
type helpScan struct {
	set     *token.FileSet
	takers  map[string]helpTaker
	globals map[string]ast.Expr   // constants and variables of the package
	returns map[string][]ast.Expr // what its functions return, where that is one value
	sites   []helpSite
	unclear []string

	function  ast.Node // around the place
	params    map[string]bool
	resolving []string // the variables whose values are being looked up
}

// declare notes the functions that take help, and the names of the package.
func (s *helpScan) declare(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			s.take(n.Name.Name, n.Type)
			ast.Inspect(n, func(in ast.Node) bool {
				if r, ok := in.(*ast.ReturnStmt); ok && len(r.Results) == 1 {
					s.returns[n.Name.Name] = append(s.returns[n.Name.Name], r.Results[0])
				}
				return true
			})
		case *ast.AssignStmt:
			for i, r := range n.Rhs {
				if lit, ok := r.(*ast.FuncLit); ok {
					if name, ok := n.Lhs[i].(*ast.Ident); ok {
						s.take(name.Name, lit.Type)
					}
				}
			}
		}
		return true
	})
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					for i, name := range v.Names {
						if i < len(v.Values) {
							s.globals[name.Name] = v.Values[i]
						}
					}
				}
			}
		}
	}
}

func (s *helpScan) take(name string, f *ast.FuncType) {
	taker, i := helpTaker{-1, -1, -1}, 0
	for _, field := range f.Params.List {
		for _, p := range field.Names {
			switch p.Name {
			case "code":
				taker.code = i
			case "help":
				taker.help = i
			case "format", "msg":
				taker.msg = i
			}
			i++
		}
	}
	if taker.help >= 0 {
		s.takers[name] = taker
	}
}

func (s *helpScan) file(f *ast.File) {
	for _, d := range f.Decls {
		s.function, s.params = d, map[string]bool{}
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncType:
				for _, field := range n.Params.List {
					for _, p := range field.Names {
						s.params[p.Name] = true
					}
				}
			case *ast.CompositeLit:
				s.literal(n)
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if x, ok := l.(*ast.SelectorExpr); ok && x.Sel.Name == "Help" {
						s.site(n, nil, nil, n.Rhs[min(i, len(n.Rhs)-1)])
					}
				}
			case *ast.CallExpr:
				name := ""
				switch fun := n.Fun.(type) {
				case *ast.Ident:
					name = fun.Name
				case *ast.SelectorExpr:
					name = fun.Sel.Name
				}
				if taker, ok := s.takers[name]; ok && taker.help < len(n.Args) {
					arg := func(i int) ast.Expr {
						if i < 0 {
							return nil
						}
						return n.Args[i]
					}
					s.site(n, arg(taker.code), arg(taker.msg), n.Args[taker.help])
				}
			}
			return true
		})
	}
}

func (s *helpScan) literal(n *ast.CompositeLit) {
	fields := map[string]ast.Expr{}
	for _, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if name, ok := kv.Key.(*ast.Ident); ok {
				fields[name.Name] = kv.Value
			}
		}
	}
	if _, isDiagnostic := fields["Msg"]; isDiagnostic && fields["Help"] != nil {
		s.site(n, fields["Code"], fields["Msg"], fields["Help"])
	}
}

// site notes that help is given at n, one for each thing that it may say.
func (s *helpScan) site(n ast.Node, code, msg, help ast.Expr) {
	p := s.set.Position(n.Pos())
	at := fmt.Sprintf("%s:%d", filepath.ToSlash(p.Filename), p.Line)
	if id, ok := help.(*ast.Ident); ok && id.Name == "help" && s.params["help"] {
		return // its callers say what
	}
	texts := s.texts(help)
	for _, text := range texts {
		switch text {
		case `.*`:
			if len(texts) == 1 && !passesOn(help) && !edits(help) {
				s.unclear = append(s.unclear, at)
			}
		case "": // none
		default:
			s.sites = append(s.sites, helpSite{at, s.pattern(code), s.pattern(msg), whole(text)})
		}
	}
}

// passesOn reports whether e is a field help or Help, which is set elsewhere.
func passesOn(e ast.Expr) bool {
	x, ok := e.(*ast.SelectorExpr)
	return ok && strings.EqualFold(x.Sel.Name, "help")
}

// edits reports whether e changes a help that is set elsewhere: strings.Replace(d.Help, ..).
func edits(e ast.Expr) bool {
	c, ok := e.(*ast.CallExpr)
	return ok && len(c.Args) > 0 && passesOn(c.Args[0])
}

func (s *helpScan) pattern(e ast.Expr) *regexp.Regexp {
	if e == nil {
		return nil
	}
	if lit, ok := e.(*ast.BasicLit); ok {
		return whole(formatted(lit))
	}
	return whole(strings.Join(s.texts(e), "|"))
}

func whole(text string) *regexp.Regexp { return regexp.MustCompile(`(?s)^(?:` + text + `)$`) }

// formatted returns the pattern of a format: anything in place of its verbs.
func formatted(lit *ast.BasicLit) string {
	text, _ := strconv.Unquote(lit.Value)
	parts := verb.Split(text, -1)
	for i := range parts {
		parts[i] = regexp.QuoteMeta(strings.ReplaceAll(parts[i], "%%", "%"))
	}
	return strings.Join(parts, ".*")
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+ #0]*\d*(\.\d+)?[a-zA-Z]`)

// texts returns patterns of what e may be.
func (s *helpScan) texts(e ast.Expr) []string {
	switch e := e.(type) {
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return []string{regexp.QuoteMeta(text)}
		}
	case *ast.ParenExpr:
		return s.texts(e.X)
	case *ast.BinaryExpr:
		var both []string
		for _, x := range s.texts(e.X) {
			for _, y := range s.texts(e.Y) {
				both = append(both, x+y)
			}
		}
		return both
	case *ast.CallExpr:
		if f, ok := e.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
			if lit, ok := e.Args[0].(*ast.BasicLit); ok {
				return []string{formatted(lit)}
			}
			break
		}
		name := ""
		switch f := e.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		if all := mapped(s.returns[name], s.texts); len(all) > 0 {
			return all
		}
	case *ast.Ident:
		if slices.Contains(s.resolving, e.Name) {
			break
		}
		s.resolving = append(s.resolving, e.Name)
		defer func() { s.resolving = s.resolving[:len(s.resolving)-1] }()
		if all := s.assigned(e.Name); len(all) > 0 {
			return all
		}
		if g, ok := s.globals[e.Name]; ok {
			return s.texts(g)
		}
	}
	return []string{`.*`}
}

// mapped returns what f makes of all of es.
func mapped(es []ast.Expr, f func(ast.Expr) []string) (all []string) {
	for _, e := range es {
		all = append(all, f(e)...)
	}
	return all
}

// assigned returns what the variable called name may be in the function.
func (s *helpScan) assigned(name string) (all []string) {
	add := func(e ast.Expr, prefix string) {
		if _, ok := e.(*ast.FuncLit); ok {
			return
		}
		for _, text := range s.texts(e) {
			all = append(all, prefix+text)
		}
	}
	ast.Inspect(s.function, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok {
			return true
		}
		for i, l := range a.Lhs {
			x, ok := l.(*ast.Ident)
			switch {
			case !ok || x.Name != name:
			case len(a.Rhs) != len(a.Lhs):
				all = append(all, `.*`)
			case a.Tok == token.ADD_ASSIGN:
				add(a.Rhs[i], `.*`)
			default:
				add(a.Rhs[i], "")
			}
		}
		return true
	})
	return all
}
