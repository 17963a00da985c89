package schedule

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestProofText pins the form of what a proof tells: without times it is equal
// from run to run, and with them only they differ.
func TestProofText(t *testing.T) {
	deps, y := builder(t, find(t, "copy-back"))
	s := y.schedule()
	first, second := ProveLegality(s, deps), ProveLegality(s, deps)
	assert.Equal(t, first.Text(false), second.Text(false))
	took := regexp.MustCompile(`, [0-9.]+ ms`)
	timed := first.Text(true)
	assert.Len(t, took.FindAllString(timed, -1), 1+len(first.Questions))
	assert.Equal(t, first.Text(false), took.ReplaceAllString(timed, ""))
	lines := strings.Split(first.Text(false), "\n")
	assert.Regexp(t, `^legality: holds for all sizes \(\d+ emptiness tests\)$`, lines[0])
	assert.Regexp(t, `^  yes  dependence of S0 on S0: the later runs later \(1 output\) \(\d+ emptiness tests?\)$`, lines[1])
}

// TestAnswers checks what is said of a question that failed or was given up.
func TestAnswers(t *testing.T) {
	p := Proof{Name: "legality", Tests: 3, Violation: "S0 runs too early", Questions: []Question{{"one", true, 1, 0}, {"two", false, 2, 0}}}
	assert.Equal(t, "legality: fails: S0 runs too early\n  yes  one (1 emptiness test)\n  no   two (2 emptiness tests)", p.Text(false))
	p.Violation, p.Undecided = "", "too many pieces"
	assert.Equal(t, "legality: undecided: too many pieces\n  yes  one (1 emptiness test)\n  ?    two (2 emptiness tests)", p.Text(false))
}
