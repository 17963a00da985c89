package sass

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/nvcc"
)

// code returns instructions of a few words each, a line for one: a label and a colon, a guard, an operation, its operands.
func code(t *testing.T, text string) (all []Instruction) {
	t.Helper()
	labels := map[string]int{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		words := strings.Fields(line)
		if name, ok := strings.CutSuffix(words[0], ":"); ok {
			labels[name] = len(all)
			words = words[1:]
		}
		in := Instruction{}
		if strings.HasPrefix(words[0], "@") {
			in.Guard, words = words[0], words[1:]
		}
		in.Op, in.Args = words[0], strings.Join(words[1:], " ")
		all = append(all, in)
	}
	for i := range all {
		if m := sassTarget.FindStringSubmatch(all[i].Args); m != nil {
			at, ok := labels[m[1]]
			require.True(t, ok, m[1])
			all[i].To = at
		}
	}
	return all
}

// said returns the operations of what a warp runs.
func said(walk []*Instruction) string {
	var out []string
	for _, in := range walk {
		out = append(out, in.Op)
	}
	return strings.Join(out, " ")
}

const loopText = `
S2R
copy: LDG
@P0 BRA ` + "`(copy)" + `
head: FADD
@P1 BRA ` + "`(skip)" + `
STG
skip: DMUL
@P2 BRA ` + "`(end)" + `
@P3 BRA ` + "`(far)" + `
FFMA
BRA ` + "`(out)" + `
back: FMUL
@P4 BRA ` + "`(head)" + `
end: EXIT
out: MUFU
BRA ` + "`(back)" + `
far: EXIT
`

// TestLoops finds the loop that computes, and what a warp runs in it that takes some of its branches: not those out of it, for it goes on.
func TestLoops(t *testing.T) {
	all := code(t, loopText)
	loops := Loops(all)
	require.Equal(t, []Loop{{3, 12}, {11, 15}}, loops) // the second leads out of the first and back
	l := loops[0]
	require.Equal(t, []int{4}, l.Branches(all))
	walk, err := l.Walk(all, func(int) bool { return false })
	require.NoError(t, err)
	require.Equal(t, "FADD BRA STG DMUL BRA BRA FFMA BRA MUFU BRA FMUL BRA", said(walk))
	walk, err = l.Walk(all, func(branch int) bool { return branch == 4 })
	require.NoError(t, err)
	require.Equal(t, "FADD BRA DMUL BRA BRA FFMA BRA MUFU BRA FMUL BRA", said(walk))
	_, err = loops[1].Walk(all, func(int) bool { return false })
	require.ErrorContains(t, err, "the loop at 00b0 ends at 00d0")
}

// TestLoopsOrder: the loop with the most operations comes first.
func TestLoopsOrder(t *testing.T) {
	all := code(t, "a: FADD\n@P0 BRA `(a)\nb: FADD\nFADD\n@P0 BRA `(b)\nc: DADD\n@P0 BRA P1, `(c)\nEXIT")
	require.Equal(t, []Loop{{2, 4}, {0, 1}, {5, 6}}, Loops(all))
}

// TestWalkRefuses: what is not one way round a loop is not taken for it.
func TestWalkRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"a: FADD\nb: LDG\n@P0 BRA `(b)\n@P1 BRA `(a)\nEXIT", "the loop at 0000 has another one in it, at 0010"},
		{"a: FADD\nCALL\n@P1 BRA `(a)\nEXIT", "the loop at 0000 calls a function at 0010"},
		{"a: FADD\nBRA `(b)\n@P1 BRA `(a)\nb: EXIT", "the loop at 0000 ends at 0030"},
		{"a: FADD\nBRA `(b)\n@P1 BRA `(a)\nb: BRA `(c)\nc: BRA `(b)", "does not lead back to its start"},
		{"a: FADD\nBRX\n@P1 BRA `(a)\nEXIT", "it is not known where the branch at 0010 goes"},
	} {
		all := code(t, c.text)
		_, err := Loop{0, strings.Count(strings.Split(c.text, "@P1")[0], "\n")}.Walk(all, func(int) bool { return false })
		require.ErrorContains(t, err, c.want, c.text)
	}
}

// TestParseSymbol tells instances of a template apart.
func TestParseSymbol(t *testing.T) {
	instance := func(of, op string) string {
		return fmt.Sprintf("\t.section\t.text._Z1kI%sEvv,\"ax\",@progbits\n        /*0000*/                   %s ;                /* 0x000000000000794d */\n"+
			"                                 /* 0x000fea0003800000 */\n", of, op)
	}
	text := instance("f", "FADD") + instance("d", "DADD")
	all, err := ParseSymbol(text, "_Z1kIdEvv")
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Equal(t, "DADD", all[0].Op)
	_, err = ParseSymbol(text, "_Z1kIiEvv")
	require.ErrorContains(t, err, "no kernel _Z1kIiEvv")
}

// TestKernel: a name that several instances of a template have does not say which.
func TestKernel(t *testing.T) {
	f := CompiledFile{}
	for _, name := range []string{"_Z1kIdEvv", "_Z1kIfEvv", "_Z4otherv"} {
		f.Used = append(f.Used, nvcc.Usage{Kernel: name})
	}
	use, err := f.Kernel("_Z1kIfEvv")
	require.NoError(t, err)
	require.Equal(t, f.Used[1], use)
	_, err = f.Kernel("k")
	require.EqualError(t, err, "2 kernels are of a function k; there are _Z1kIdEvv, _Z1kIfEvv, _Z4otherv")
	_, err = f.Kernel("missing")
	require.ErrorContains(t, err, "0 kernels are of a function missing")
}
