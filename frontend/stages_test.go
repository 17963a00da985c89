package frontend

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stages are those of ARCHITECTURE.md, in order. The name of a file begins with that of its stage: what it declares is
// used in files of its own stage and of those behind it in this list, and by no other.
var stages = []string{
	"syntax", "sums", "source", "survey", "symbols", "affine", "loops", "storage",
	"statements", "nests", "facts", "dimensions", "proofs", "program", "comparison", "regions", "hostloop", "frontend",
}

// parsed returns the files of this package by name, without tests, and the stage of each.
func parsed(t *testing.T) (files map[string]*ast.File, of map[string]int) {
	files, of = map[string]*ast.File{}, map[string]int{}
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		stage, _, _ := strings.Cut(strings.TrimSuffix(e.Name(), ".go"), "_")
		of[e.Name()] = slices.Index(stages, stage)
		require.GreaterOrEqual(t, of[e.Name()], 0, "%s is in no stage", e.Name())
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		require.NoError(t, err)
		files[e.Name()] = f
	}
	return files, of
}

// TestStagesInArchitecture checks that ARCHITECTURE.md lists the stages in their order.
func TestStagesInArchitecture(t *testing.T) {
	text, err := os.ReadFile("../ARCHITECTURE.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "\n| stage |")
	require.True(t, found)
	for _, s := range stages {
		_, table, found = strings.Cut(table, "\n| "+s+" |")
		require.True(t, found, "stage %s is not in the table, or not in its place", s)
	}
}

// TestStagesUseEarlierOnes checks that no file uses what a later stage declares.
func TestStagesUseEarlierOnes(t *testing.T) {
	files, of := parsed(t)
	declared := map[string]string{} // file by name
	for file, f := range files {
		for name := range f.Scope.Objects {
			declared[name] = file
		}
	}
	for file, f := range files {
		for _, x := range f.Unresolved { // what the file does not declare itself
			if from := declared[x.Name]; from != "" && of[from] > of[file] {
				t.Errorf("%s, of stage %s, uses %s of %s, of stage %s", file, stages[of[file]], x.Name, from, stages[of[from]])
			}
		}
	}
}

// TestStagesLeaveEarlierOnes checks that no method assigns to a field that its receiver has of an earlier stage: it
// says what it found by a method of that stage, as in errorf, or works on a copy, as in dimensions.go.
func TestStagesLeaveEarlierOnes(t *testing.T) {
	files, of := parsed(t)
	fields, embeds := map[string]map[string]string{}, map[string][]string{} // by type: file by field
	for file, f := range files {
		for _, o := range f.Scope.Objects {
			spec, _ := o.Decl.(*ast.TypeSpec)
			if spec == nil {
				continue
			}
			st, ok := spec.Type.(*ast.StructType)
			if !ok {
				continue
			}
			fields[o.Name] = map[string]string{}
			for _, field := range st.Fields.List {
				for _, name := range field.Names {
					fields[o.Name][name.Name] = file
				}
				if star, ok := field.Type.(*ast.StarExpr); ok && field.Names == nil {
					if in, ok := star.X.(*ast.Ident); ok {
						embeds[o.Name] = append(embeds[o.Name], in.Name)
					}
				}
			}
		}
	}
	var fileOf func(typ, field string) string
	fileOf = func(typ, field string) string {
		if file := fields[typ][field]; file != "" {
			return file
		}
		for _, in := range embeds[typ] {
			if file := fileOf(in, field); file != "" {
				return file
			}
		}
		return ""
	}
	seen := 0
	for file, f := range files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv == nil || len(fd.Recv.List[0].Names) == 0 {
				continue
			}
			star, ok := fd.Recv.List[0].Type.(*ast.StarExpr)
			if !ok {
				continue
			}
			typ, receiver := star.X.(*ast.Ident).Name, fd.Recv.List[0].Names[0].Name
			for field := range assignedTo(fd, receiver) {
				if from := fileOf(typ, field); from != "" {
					seen++
					if of[from] < of[file] {
						t.Errorf("%s: %s of %s, of stage %s, is assigned in stage %s", file, field, typ, stages[of[from]], stages[of[file]])
					}
				}
			}
		}
	}
	require.Greater(t, seen, 40, "assignments to fields")
}

// assignedTo returns the fields of variable x, or of what is embedded in it, that fd assigns to, or of whose elements it sets or deletes one.
func assignedTo(fd *ast.FuncDecl, x string) map[string]bool {
	found := map[string]bool{}
	note := func(e ast.Expr) {
		for {
			i, ok := e.(*ast.IndexExpr)
			if !ok {
				break
			}
			e = i.X
		}
		if s, ok := e.(*ast.SelectorExpr); ok {
			if of, ok := s.X.(*ast.Ident); ok && of.Name == x {
				found[s.Sel.Name] = true
			}
		}
	}
	ast.Inspect(fd, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				note(l)
			}
		case *ast.IncDecStmt:
			note(n.X)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") {
				note(n.Args[0])
			}
		}
		return true
	})
	return found
}
