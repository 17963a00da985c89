package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

// withoutExample are the codes that no short program shows, and why.
var withoutExample = map[diag.Code]string{
	"HX120": "the front end proves accesses to be inside of their arrays; this is a second line of defence",
	"HX122": "sizes for which an extent is negative are refused as an argument first",
	"HX212": "it follows from HX402, and is shown by a test that lets proofs give up",
	"HX402": "a bound on exact computations: what passes it is long, and changes as they get faster",
	"HX406": "it depends on the machine; TestCrashes shows it",
	"HX405": "it is longer than an example should be; testdata/script/streams.txtar shows it",
	"HX016": "it depends on the compiler of the machine; TestUnreadable shows it",
	"HX015": "what shows it is the name of the file; testdata/script/names.txtar does",
	"HX502": "it depends on which versions of LLVM there are",
	"HX503": "no kernel is known that LLVM cannot make PTX of",
	"HX504": "it depends on the machine; testdata/script/tools.txtar shows it",
	"HX505": "it depends on the machine; testdata/script/tools.txtar shows it",
	"HX506": "it depends on the machine; testdata/script/tools.txtar shows it",
	"HX507": "it depends on the machine; testdata/script/opencl.txtar shows it",
	"HX508": "it depends on the machine; testdata/script/opencl.txtar shows it",
	"HX220": "it follows from what was measured; testdata/script/tune.txtar shows it",
	"HX021": "it depends on what else runs; testdata/script/tune.txtar shows it",
	"HX510": "it depends on the machine; testdata/script/tune.txtar shows it",
	"HX511": "it depends on the machine; testdata/script/tune.txtar shows it",
	"HX509": "it depends on the machine; testdata/script/opencl.txtar shows it",
}

// TestExamples runs the example that hexcc explain shows for each code: the command
// gives that code and its exit status, and the program shown instead gives none.
func TestExamples(t *testing.T) {
	for _, topic := range diag.Topics {
		t.Run(string(topic.Code), func(t *testing.T) {
			e, ok := diag.ExampleOf(topic.Code)
			if _, excused := withoutExample[topic.Code]; excused {
				require.False(t, ok, "it has an example: take it off the list")
				return
			}
			require.True(t, ok, "no example: write diag/examples/%s.txtar", topic.Code)
			dir := t.TempDir()
			t.Chdir(dir)
			for name, text := range e.Files {
				require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
			}
			words, err := splitWords(e.Command)
			require.NoError(t, err)
			require.Equal(t, "hexcc", words[0])
			var stdout, stderr strings.Builder
			status := run(words[1:], &stdout, &stderr)
			assert.Contains(t, stderr.String(), "["+string(topic.Code)+"]")
			if !strings.Contains(stderr.String(), "remark: ") {
				assert.Equal(t, topic.Code.Exit(), status, "%s", stderr.String())
			}
			if e.Files["instead.c"] == "" {
				return
			}
			words[slices.Index(words, "s.c")] = "instead.c"
			stderr.Reset()
			status = run(words[1:], &stdout, &stderr)
			assert.Zero(t, status, "%s", stderr.String())
			assert.NotContains(t, stderr.String(), "error")
		})
	}
}
