package hexcc_test

import (
	"maps"
	"slices"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	testcases "github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/report"
)

// TestEach compiles every case several times at once: all texts are equal. Of what was made what inspect prints is as the schema says, and
// the page is whole.
func TestEach(t *testing.T) {
	schema := strictSchema(t)
	inputs := someInputs(t)
	for i, name := range slices.Sorted(maps.Keys(inputs)) {
		if !testcases.Due(i, testcases.Rounds) {
			continue
		}
		text := inputs[name]
		t.Run(name, func(t *testing.T) {
			src := hexcc.Source{Name: name + ".c", Text: text}
			res := compileAtOnce(t, src, hexcc.Options{NoAlias: true, Places: true, Base: name})
			t.Run("schema", func(t *testing.T) { checkInspection(t, schema, res) })
			t.Run("page", func(t *testing.T) {
				checkPage(t, res, src, string(report.HTML(res.Page(src, name))), res.Files.Kernel)
			})
		})
	}
}

// compileAtOnce compiles src several times at once, and returns one of the results: all texts are equal.
func compileAtOnce(t *testing.T, src hexcc.Source, o hexcc.Options) *hexcc.Result {
	runs := 2
	if testcases.Every() {
		runs = 3
	}
	made, results, errs := make([][]string, runs), make([]*hexcc.Result, runs), make([]error, runs)
	var wait sync.WaitGroup
	for i := range made {
		wait.Go(func() {
			o := o
			o.Dump = func(_ string, p hexcc.Product) { made[i] = append(made[i], p.String()) }
			results[i], errs[i] = hexcc.Compile(src, o)
			made[i] = append(made[i], results[i].Files.Host, results[i].Files.Header)
		})
	}
	wait.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.GreaterOrEqual(t, len(made[0]), len(hexcc.PassNames())+2, "more where a pass gives up on tiles")
	for _, other := range made[1:] {
		require.True(t, slices.Equal(made[0], other))
	}
	return results[0]
}

// checkInspection checks that what inspect prints is as the schema says.
func checkInspection(t *testing.T, schema *jsonschema.Schema, res *hexcc.Result) {
	in := report.Inspect(res.Products())
	require.NoError(t, valid(t, schema, in.JSON()))
	for _, p := range in.Ready.Proofs {
		require.True(t, p.Holds, "%v", p)
	}
	require.True(t, in.Ready.Why != "" || len(in.Ready.Proofs) == 2)
}
