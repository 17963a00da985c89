package diag_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

// TestSARIFSchema validates what SARIF writes, for all codes and for places of
// every form, and checks that the schema refuses what is wrong.
func TestSARIFSchema(t *testing.T) {
	path := "testdata/sarif.schema.json"
	if other := os.Getenv("HEXCC_SARIF_SCHEMA"); other != "" { // such as the whole standard's
		path = other
	}
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	require.NoError(t, c.AddResource("sarif.json", doc))
	schema, err := c.Compile("sarif.json")
	require.NoError(t, err)

	all := append(diag.List{}, list...)
	for _, topic := range diag.Topics {
		all = append(all, &diag.Diagnostic{Code: topic.Code, At: span(3, 2, 1), Msg: topic.Title})
	}
	for _, name := range []string{"a b.c", "ä%20.c", "../x/y.c", "/tmp/x y.c", "c:d.c", "<end>", "a#b?.c"} {
		at := diag.Span{Pos: diag.Pos{File: name, Line: 1, Col: 1}, Len: 1}
		all = append(all, &diag.Diagnostic{Code: "HX101", At: at, Msg: "x", Notes: []diag.Note{{At: at, Msg: "y"}}})
	}
	for _, l := range []diag.List{nil, list, all} {
		var b strings.Builder
		require.NoError(t, diag.SARIF(&b, l, sources))
		log, err := jsonschema.UnmarshalJSON(strings.NewReader(b.String()))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(log))
		for _, broken := range []string{"\"version\"", "\"tool\"", "\"name\""} {
			log, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(b.String(), broken, "\"renamed\"", 1)))
			require.NoError(t, err)
			require.Error(t, schema.Validate(log), broken)
		}
	}
}
