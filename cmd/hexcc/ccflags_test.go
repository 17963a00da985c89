package main

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCompilerFlags: flags of compilers are kept as ours, or left out, where a command reads C; ours stay.
func TestCompilerFlags(t *testing.T) {
	for _, x := range []struct{ words, want string }{
		{"-O2 -g3 -Wall -Wextra k.c", "--host-flag=-O2 k.c"},
		{"verify -std=c11 -pthread -lm -L. -L lib -l m k.c", "verify --host-flag=-std=c11 --host-flag=-pthread k.c"},
		{"-isystem a -iquote b -idirafterc -I d -Ie k.c", "-Ia -Ib -Ic -I d -Ie k.c"},
		{"-DX=1 -D Y -UZ -include pre.h k.c", "-DX=1 -D Y -UZ --pre-include=pre.h k.c"},
		{"-march=native -fopenmp -fPIC -c -S -pipe k.c -o x", "--host-flag=-march=native --host-flag=-fopenmp --host-flag=-fPIC k.c -o x"},
		{"-v -q -j 4 --target=c -o - -", "-v -q -j 4 --target=c -o - -"},
		{"-MMD -MQ a$b -MP k.c", "--MD --MT=a$$b -MP k.c"},
		{"-Wl,-x -Xlinker --gc -static -shared k.c", "k.c"},
		{"-- -O2", "-- -O2"},
		{"explain -O2", "explain -O2"},
		{"-x c++ k.c", "-x c++ k.c"},
		{"-O2 inspect -O3 k.c", "--host-flag=-O2 inspect --host-flag=-O3 k.c"},
		{"-isystem", "-I"},
	} {
		require.Equal(t, x.want, strings.Join(withoutCompilerFlags(strings.Fields(x.words)), " "), x.words)
	}
}

func TestLike(t *testing.T) {
	for word, want := range map[string]string{
		"verfy": "verify", "evrify": "verify", "inspct": "inspect", "plto": "plot", "hepl": "", "k.c": "", "": "", "translte": "translate", "calculator": "", "doctr": "doctor", "reprot": "report",
	} {
		require.Equal(t, want, like(word, helpTopics()), word)
	}
	for _, x := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"ab", "ba", 1}, {"kitten", "sitting", 3}, {"abc", "abc", 0}, {"abcd", "acbd", 1}} {
		require.Equal(t, x.want, distance(x.a, x.b), x)
		require.Equal(t, x.want, distance(x.b, x.a), x)
	}
}

// TestColour: colours change no letter of a text, and are for terminals whose user wants them.
func TestColour(t *testing.T) {
	text := "s.c:7:17: error: subscript is not affine [HX101]\n    7 |   B[i] = A[error: x];\n      |          ^~~~~~\nnote: allowed: sums\ns.c:9: note: here: error: x\nhelp: write it\nhexcc: warning: w\nplain\n"
	with := colour(text)
	require.Equal(t, text, strings.NewReplacer(bold, "", green, "", colorEnd, "", colours["error"], "", colours["note"], "", colours["warning"], "", colours["help"], "").Replace(with))
	for _, want := range []string{
		bold + "s.c:7:17: " + colorEnd + colours["error"] + "error:" + colorEnd + " subscript", "|          " + green + "^~~~~~" + colorEnd + "\n", "\n" + colours["note"] + "note:" + colorEnd + " allowed",
		bold + "s.c:9: " + colorEnd + colours["note"] + "note:" + colorEnd + " here: error: x\n", bold + "hexcc: " + colorEnd + colours["warning"], "\n    7 |   B[i] = A[error: x];\n",
	} {
		require.Contains(t, with, want)
	}
	require.False(t, coloured("auto", io.Discard))
	require.True(t, coloured("always", io.Discard))
	require.False(t, coloured("never", io.Discard))
}
