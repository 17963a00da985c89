package hexcc_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/report"
)

// strictSchema returns docs/inspect.schema.json, in which fields that it does
// not name are errors: the schema must name all that we print.
func strictSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("docs", "inspect.schema.json"))
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	closeObjects(doc)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("inspect.json", doc))
	schema, err := c.Compile("inspect.json")
	require.NoError(t, err)
	return schema
}

// closeObjects forbids further fields in each object that has some.
func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"]; ok {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

func valid(t *testing.T, schema *jsonschema.Schema, text []byte) error {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	return schema.Validate(doc)
}

// TestSchemaNamesProofs: the schema has the names and the units of all proofs that any package makes, and no others.
func TestSchemaNamesProofs(t *testing.T) {
	made := regexp.MustCompile(`(?:\b[Pp]rove\((?:s, )?|\bProof\{Name: )"([a-z ]+)"`)
	counted := regexp.MustCompile(`\bUnit(?: = |: )"([a-z ]+)"`)
	found := map[string]map[string]bool{"name": {}, "unit": {"emptiness test": true}} // what is counted where nothing else is said
	for _, folder := range []string{"schedule", "astgen", "gpu", "ranks", "rewrite", "symbolic"} {
		require.NoError(t, filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for what, pattern := range map[string]*regexp.Regexp{"name": made, "unit": counted} {
				for _, m := range pattern.FindAllSubmatch(text, -1) {
					found[what][string(m[1])] = true
				}
			}
			return err
		}))
	}
	text, err := os.ReadFile(filepath.Join("docs", "inspect.schema.json"))
	require.NoError(t, err)
	var schema struct {
		Defs map[string]struct {
			Properties map[string]struct{ Enum []string }
		} `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	for what, names := range found {
		require.ElementsMatch(t, slices.Collect(maps.Keys(names)), schema.Defs["proof"].Properties[what].Enum, what)
	}
}

// TestSchemaOnRanks: so is what it prints of tiles that several machines share out, whose proofs are about messages, too.
func TestSchemaOnRanks(t *testing.T) {
	schema := strictSchema(t)
	for _, target := range []hexcc.Target{hexcc.MPI, hexcc.MPICUDA} {
		res, err := hexcc.Compile(source([]byte(testcases.Input(t, "jacobi-2d"))), hexcc.Options{NoAlias: true, Target: target})
		require.NoError(t, err, target)
		in := report.Inspect(res.Products())
		require.NoError(t, valid(t, schema, in.JSON()), target)
		require.True(t, slices.ContainsFunc(in.Proofs, func(p report.Proof) bool { return p.Name == "ranks" }), target)
	}
}

// TestSchemaRefuses: text with a field too few, too many or of another type does not pass.
func TestSchemaRefuses(t *testing.T) {
	schema := strictSchema(t)
	res, err := hexcc.Compile(hexcc.Source{Name: "jacobi-2d.c", Text: hexcc.Example}, hexcc.Options{Kernel: hexcc.Tiles, Strategy: hexcc.Hybrid})
	require.NoError(t, err)
	text := report.Inspect(res.Products()).JSON()
	require.NoError(t, valid(t, schema, text))
	for what, change := range map[string]func(map[string]any){
		"no tile":       func(m map[string]any) { delete(m, "tile") },
		"a new field":   func(m map[string]any) { m["colour"] = "blue" },
		"version 2":     func(m map[string]any) { m["version"] = 2 },
		"a null list":   func(m map[string]any) { m["proofs"] = nil },
		"another type":  func(m map[string]any) { m["time"] = 3 },
		"another kind":  func(m map[string]any) { m["dependences"].([]any)[0].(map[string]any)["kind"] = "input" },
		"no waits":      func(m map[string]any) { m["ready"].(map[string]any)["waits"] = nil },
		"waits for -1":  func(m map[string]any) { m["ready"].(map[string]any)["waits"].([]any)[0].(map[string]any)["from"] = -1 },
		"no best sizes": func(m map[string]any) { m["choice"].(map[string]any)["best"] = []any{} },
	} {
		var m map[string]any
		require.NoError(t, json.Unmarshal(text, &m))
		change(m)
		changed, err := json.Marshal(m)
		require.NoError(t, err)
		require.Error(t, valid(t, schema, changed), what)
	}
	two := append(append([]byte("["), text...), ',')
	two = append(append(two, text...), ']')
	require.NoError(t, valid(t, schema, two))
}

// TestSchemaInlined: so is what it prints of temporaries in registers, with all that the schema knows of them.
func TestSchemaInlined(t *testing.T) {
	text := testcases.ReadIdiom(t, "harris").Text
	res, err := hexcc.Compile(hexcc.Source{Name: "harris.c", Text: []byte(text)}, hexcc.Options{Fuse: "[[ix,xx],[sxx,out]]"})
	require.NoError(t, err)
	in := report.Inspect(res.Products())
	require.Len(t, in.Inlined.Values, 5)
	require.Equal(t, report.InlinedValue{Array: "ix", Writer: "S0", WriterLine: 10, Reader: "S1", ReaderLine: 15, Places: 1}, in.Inlined.Values[0])
	require.Equal(t, []string{"S0", "S2"}, in.Inlined.LeftOut)
	require.Contains(t, in.Inlined.Text, "sxx_1 = xx[i - 1][j - 1]")
	require.Contains(t, in.Text(), "computes    line 15, S1: what S0 of line 10 stores to ix, for 1 element of each point")
	require.NoError(t, valid(t, strictSchema(t), in.JSON()))
}
