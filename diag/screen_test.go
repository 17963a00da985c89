package diag_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

// hostile are pieces of sources, names and messages that would command a terminal, fake a
// diagnostic, or take other than one column.
var hostile = []string{
	"\x1b[2J", "\x1b]0;title\a", "\x9b2J", "\u009b2J", "\r", "\b", "\x7f", "\x00", "\t", "\u202e", "\u2066", "\u200b", "\ufeff", "\xff", "\xe2\x82", "\ufffd",
	"漢", "ｗ", "e\u0301", "é", "😀", "a", " ", "x[i]", "\U000e0041", "\u2028",
}

// mixed returns n of these.
func mixed(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(hostile[r.IntN(len(hostile))])
	}
	return b.String()
}

// width is how many columns s takes: of these pieces, printed.
func width(s string) (n int) {
	for _, r := range s {
		switch {
		case r == '\u0301':
		case strings.ContainsRune("漢ｗ😀", r):
			n += 2
		default:
			n++
		}
	}
	return n
}

// TestHostileText prints random diagnostics on random sources: nothing but printable characters, tabs and
// line ends comes out, each line says what it is, and the mark is below what it marks.
func TestHostileText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		before, marked, after := mixed(r, r.IntN(6)), "@"+mixed(r, r.IntN(4)), mixed(r, r.IntN(6))
		if r.IntN(10) == 0 {
			before = mixed(r, 300)
		}
		name := "d/" + mixed(r, 3) + ".c"
		at := diag.Span{Pos: diag.Pos{File: name, Line: 2, Col: len(before) + 1}, Len: len(marked)}
		list := diag.List{{Code: "HX101", At: at, Msg: mixed(r, 3) + "\nfake.c:1:1: error: none", Notes: []diag.Note{{Msg: mixed(r, 2)}}, Help: mixed(r, 2)}}
		source := []byte("\n" + before + marked + after + "|\n")
		var b strings.Builder
		require.NoError(t, diag.Text(&b, list, func(string) []byte { return source }))
		text := b.String()
		require.True(t, utf8.ValidString(text), "%q", text)
		for _, c := range text {
			require.True(t, c == '\n' || c == '\t' || c == ' ' || unicode.IsPrint(c), "%q in %q", c, text)
		}
		lines := strings.Split(text, "\n")
		require.True(t, strings.HasPrefix(lines[0], "d/") && strings.Contains(lines[0], ":2:"), "%q", text)
		require.True(t, strings.HasPrefix(lines[1], "  "), "%q", text)
		shown, mark := lines[2], lines[3]
		require.Equal(t, width(shown[:strings.Index(shown, "@")]), width(mark[:strings.Index(mark, "^")]), "%s", text)
		require.Equal(t, strings.Count(shown[:strings.Index(shown, "@")], "\t"), strings.Count(mark, "\t"), "%s", text)
		require.Less(t, width(shown), 200, "%s", text)

		for _, format := range []string{"json", "sarif"} {
			b.Reset()
			require.NoError(t, diag.Print(&b, format, list, func(string) []byte { return source }))
			for _, c := range b.String() {
				require.True(t, c == '\n' || c == ' ' || unicode.IsPrint(c), "%q in %s", c, b.String())
			}
			var doc any
			require.NoError(t, json.Unmarshal([]byte(b.String()), &doc))
			if format == "json" {
				want := strings.ToValidUTF8(list[0].Msg, "\ufffd")
				got := doc.([]any)[0].(map[string]any)["message"]
				require.Equal(t, len([]rune(list[0].Msg)), len([]rune(fmt.Sprint(got))), "%q %q", want, got)
			}
		}
	}
}
