package tree_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/schedules"
	"github.com/hexcc/hexcc/schedule/tree"
)

// TestErrors checks where testdata/errors.txt is wrong, and what is said of it.
func TestErrors(t *testing.T) {
	text, err := os.ReadFile("testdata/errors.txt")
	require.NoError(t, err)
	for _, c := range strings.Split(string(text), "---\n") {
		lines := strings.Split(strings.TrimSuffix(c, "\n"), "\n")
		want := lines[len(lines)-1]
		_, err := tree.Parse(strings.Join(lines[:len(lines)-1], "\n") + "\n")
		var wrong *tree.Error
		if assert.ErrorAs(t, err, &wrong, c) {
			got, _, _ := strings.Cut(err.Error(), "\n")
			assert.Equal(t, want, got, c)
		}
	}
}

// forms has schedules in the forms that isl takes, all with the same meaning.
var forms = []string{
	`# a tree
domain: "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }" # its instances
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i] -> [i] }, { S[i, j] -> [(1 + j)]; T[i] -> [(0)] }]"
  permutable: 1
  coincident: [ 1, 0 ]
  options: "{ separate[0] }"
`,
	`domain: '[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }'
child: { schedule: "L[{ S[i, j] -> [(i)]; T[i] -> [i] }, { S[i, j] -> [(1 + j)]; T[i] -> [(0)] }]",
  coincident: [ true ], permutable: true, options: "{ separate[0] }", child: leaf }
`,
	`{ "domain": "[n] -> { S[i, j] : 0 <= i, j < n; T[i] : 0 <= i < n }", child: { options: "{ separate[0] }", permutable: 1, coincident: [1, 0],
  schedule: "{ S[i, j] -> [i, 1 + j]; T[i] -> [i, 0] }" } }`,
	`---
domain: >-
  [n] -> { S[i, j] : 0 <= i, j < n;
  T[i] : 0 <= i < n }
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i] -> [i] },
    { S[i, j] -> [(1 + j)]; T[i] -> [(0)] }]"
  permutable: 1
  coincident: [ 1 ]
  options: "{ separate[0] }"
`,
}

// TestForms checks that all forms are the same tree, which prints as one that parses.
func TestForms(t *testing.T) {
	var texts []string
	for _, f := range forms {
		n, err := tree.Parse(f)
		require.NoError(t, err, f)
		texts = append(texts, n.String())
		require.Equal(t, texts[0], n.String(), f)
	}
	n, err := tree.Parse(texts[0])
	require.NoError(t, err)
	require.Equal(t, `domain: "[n] -> { S[i, j] : 0 <= i <= n - 1 and 0 <= j <= n - 1; T[i] : 0 <= i <= n - 1 }"
child:
  schedule: "[{ S[i, j] -> [(i)]; T[i] -> [(i)] }, { S[i, j] -> [(j + 1)]; T[i] -> [(0)] }]"
  permutable: 1
  coincident: [ 1, 0 ]
  options: "{ separate[0] }"
`, n.String())
}

// TestAllNodes checks that a tree with each kind of node prints as it is.
func TestAllNodes(t *testing.T) {
	text := `domain: "[n] -> { G[i] : 0 <= i < n; H[] }"
child:
  context: "[n] -> { [] : n >= 4 }"
  child:
    mark: "a \"mark\""
    child:
      sequence:
      - filter: "{ H[] }"
      - filter: "{ G[i] }"
        child:
          guard: "[n] -> {  : n >= 6 }"
          child:
            schedule: "[{ G[i] -> [(i)] }]"
            child:
              extension: "{ [i] -> X[] : i >= 3 }"
              child:
                set:
                - filter: "{ X[] }"
                - filter: "{ G[i] }"
                  child:
                    contraction: "{ S[i, j] -> G[(i)] }"
                    expansion: "{ G[i] -> S[i' = i, j] : 0 <= j <= 1 }"
`
	n, err := tree.Parse(text)
	require.NoError(t, err)
	again, err := tree.Parse(n.String())
	require.NoError(t, err)
	assert.Equal(t, n.String(), again.String())
	kinds := 0
	tree.Walk(n, func(tree.Node) { kinds++ })
	assert.Equal(t, 13, kinds)
	assert.Equal(t, []string{"n"}, tree.Params(n))
	assert.Contains(t, n.String(), `mark: "a \"mark\""`)
}

// TestRandomTexts checks that random schedules print as ones that run the same, in the same order.
func TestRandomTexts(t *testing.T) {
	checked := 0
	for seed := range uint64(60) {
		text := schedules.Random(seed)
		n, err := tree.Parse(text)
		require.NoError(t, err, text)
		again, err := tree.Parse(n.String())
		require.NoError(t, err, n.String())
		program := func(params map[string]int64, call func(stmt string, args []int64)) {
			list, err := tree.Run(again, params)
			if err != nil {
				panic(err)
			}
			for _, x := range list {
				call(x.Stmt, x.Args)
			}
		}
		k, err := schedules.Check(n, program, 2)
		require.NoError(t, err, "%s\n%v", text, n)
		checked += k
	}
	assert.Greater(t, checked, 60)
}

// TestHostileTexts checks that hostile texts are errors, not panics.
func TestHostileTexts(t *testing.T) {
	deep := strings.Repeat("child: {mark: m, ", 3000) + strings.Repeat("}", 3000)
	for _, text := range []string{
		"", "{", "}", "domain:", "domain: ~", "domain: []", "domain: {}", "domain: \"{ }\"\nchild: {}", "{ domain: \"{ S[] }\", " + deep + "}",
		"domain: \"{ S[] }\"\nchild:\n  sequence: 3", "domain: &a \"{ S[] }\"", "domain: \"{ S[] }\"\n---\ndomain: \"{ }\"", "\x00", "domain: \"\\x00\"",
		"{ S[] -> [] } { : } }", "domain: \"{ S[i] }\"\nchild: { schedule: \"[{ S[i] -> [i] }, { S[i, j] -> [i] }]\"}",
	} {
		n, err := tree.Parse(text)
		if err != nil {
			assert.ErrorAs(t, err, new(*tree.Error), text)
		} else {
			_ = n.String()
		}
	}
}

// FuzzParse checks that no text makes Parse panic, and that what it takes prints as something that it takes.
func FuzzParse(f *testing.F) {
	for _, text := range forms {
		f.Add(text)
	}
	for seed := range uint64(10) {
		f.Add(schedules.Random(seed))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		n, err := tree.Parse(text)
		if err != nil {
			return
		}
		_, err = tree.Parse(n.String())
		require.NoError(t, err, n.String())
	})
}
