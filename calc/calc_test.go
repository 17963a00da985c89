package calc_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/calc"
	"github.com/hexcc/hexcc/poly"
)

// readFiles are files for read.
var readFiles = map[string]string{
	"three.st":  "domain: \"{ A[i] : 0 <= i < 3 }\"\nchild:\n  schedule: \"[{ A[i] -> [-i] }]\"\n",
	"three.in":  "# a relation\n{ A[i] -> [-i] : 0 <= i < 3 }\n{ : }\n{ [i] -> unroll[x] }\n",
	"flow.st":   "{ domain: \"{ A[] }\" }",
	"set":       "# a set\n{ A[i] : 0 <= i < 3 } # end\n",
	"wrong.st":  "domain: \"{ A[i] : 0 <= i < n }\"\n",
	"wrong.set": "\n{ A[i] : 0 <= i < n }\n",
}

// run returns what a program prints, and its mistake.
func run(text string) (string, error) {
	var out bytes.Buffer
	c := &calc.Calculator{Out: &out, ReadFile: func(name string) ([]byte, error) {
		if name == "two.iscc" {
			return []byte("A := { [i] : 0 <= i < 2 };\ncard A;"), nil
		}
		if text, ok := readFiles[name]; ok {
			return []byte(text), nil
		}
		return nil, fmt.Errorf("open %s: %w", name, os.ErrNotExist)
	}}
	err := c.Run("t.iscc", text, 0)
	return strings.TrimSpace(out.String()), err
}

// sameValue reports whether a program of one expression has the value that want describes: sets may print in many ways.
func sameValue(text, want string) bool {
	_, err := run(fmt.Sprintf("assert((%s) = %s);", strings.TrimSuffix(text, ";"), want))
	return err == nil
}

// TestOperations checks the value of each operation.
func TestOperations(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"1 + 2 * 3;", "9"}, // all operators bind alike
		{"-2 - -3;", "1"},
		{"True * False + True;", "True"},
		{`"n" + 1 + { [0] };`, "n1{ [0] }"},
		{"(1, \"a\", True)[1];", "a"},
		{"(1, \"a\", (True, { [i] }));", `(1, "a", (True, { [i] }))`},
		{"();", "()"},
		{"{ [i] : 0 <= i < 3 } + { [i] : i = 3 };", "{ [i] : 0 <= i <= 2; [i] : i = 3 }"},
		{"coalesce ({ [i] : 0 <= i < 3 } + { [i] : i = 3 });", "{ [i] : 0 <= i <= 3 }"},
		{"{ [i] : 0 <= i < 9 } * { [i] : i >= 4 } - { [6] };", "{ [i] : 4 <= i <= 5; [i] : 7 <= i <= 8 }"},
		{"{ [i] -> [i + 1] }({ [3] });", "{ [4] }"},
		{"{ [i] -> [2i] }({ [i] -> [i + 1] });", "{ [i] -> [2i + 2] }"},
		{"{ [i] -> [i + 1] } . { [i] -> [2i] };", "{ [i] -> [2i + 2] }"},
		{"{ [i] -> [i + 1] } before { [i] -> [2i] };", "{ [i] -> [2i + 2] }"},
		{"{ [i] -> [2i] } after { [i] -> [i + 1] };", "{ [i] -> [2i + 2] }"},
		{"{ [i] -> [i + 1] }^-1;", "{ [i0] -> [i0 - 1] }"},
		{"{ [i] -> [i + 1] }^5;", "{ [i] -> [i + 5] }"},
		{"{ [i] -> [i + 2] }^-3;", "{ [i0] -> [i0 - 6] }"},
		{"({ [i] -> [i + 1] }^+)[1];", "True"},
		{"{ [i] -> [i + 1] }^+ = { [i] -> [j] : j > i };", "True"}, // a list of a value and a boolean is the value
		{"{ A[i] : i > 0 } -> { B[] };", "{ A[i] -> B[] : i >= 1 }"},
		{"{ A[i] : i > 0 } cross { B[] };", "{ [A[i] -> B[]] : i >= 1 }"},
		{"{ [i] -> [j] } * { [2] };", "{ [i] -> [j] : i = 2 }"},
		{"{ [i] -> [j] } ->* { [2] };", "{ [i] -> [2] }"},
		{"{ [i] -> [i] : i >= 0 } - { [i] : i > 3 };", "{ [i] -> [i] : 0 <= i <= 3 }"},
		{"{ [i] -> [i] : i >= 0 } ->- { [i] : i > 3 };", "{ [i] -> [i] : 0 <= i <= 3 }"},
		{"{ [i] : 0 <= i < 9 } % { [i] : i >= 0 };", "{ [i] : i <= 8 }"},
		{"{ [i] : 0 <= i < 9 } gist { [i] : i >= 0 };", "{ [i] : i <= 8 }"},
		{"{ [i] -> [j] : 0 <= i < 9 } % { [i] : i >= 0 };", "{ [i] -> [j] : i <= 8 }"},
		{"{ [i] : i > 3 } <= { [i] : i > 2 };", "True"},
		{"{ [i] : i > 3 } >= { [i] : i > 2 };", "False"},
		{"{ [i] : i > 3 } < { [i] : i > 3 };", "False"},
		{"{ [i] : i > 2 } > { [i] : i > 3 };", "True"},
		{"{ [i] : i > 3 } = { [i] : i >= 4 };", "True"},
		{"{ [i] -> [j] : i > 3 } <= { [i] -> [j] };", "True"},
		{"1 = 1;", "True"},
		{`"a" = "b";`, "False"},
		{"{ [i, j] : 0 <= i, j < 2 } << { [0, 1] };", "{ [i, j] -> [0, 1] : i = 0 and j = 0 }"},
		{"{ [0, 1] } >> { [i, j] : 0 <= i, j < 2 };", "{ [0, 1] -> [0, 0] }"},
		{"coalesce ({ [i] : 0 <= i < 2 } <<= { [i] : 0 <= i < 2 });", "{ [i] -> [i'] : i >= 0 and i <= i' <= 1 }"},
		{"{ S[i] -> [i] } << { T[j] -> [2j] };", "{ S[i] -> T[j] : i <= 2j - 1 }"},
		{"coalesce ({ S[i] -> [i] } >>= { T[j] -> [2j] });", "{ S[i] -> T[j] : i >= 2j }"},
		{"dom { A[i] -> B[j] : 0 <= i < j < 9 };", "{ A[i] : 0 <= i <= 7 }"},
		{"domain { A[i] -> B[j] : 0 <= i < j < 9 };", "{ A[i] : 0 <= i <= 7 }"},
		{"ran { A[i] -> B[j] : 0 <= i < j < 9 };", "{ B[j] : 1 <= j <= 8 }"},
		{"range { A[i] -> B[j] : 0 <= i < j < 9 };", "{ B[j] : 1 <= j <= 8 }"},
		{"deltas { [i, j] -> [i + 1, j - 2] };", "{ [1, -2] }"},
		{"lexmin { [i, j] : 1 <= i < j <= 9 };", "{ [i, j] : i = 1 and j = 2 }"},
		{"lexmax { [i, j] : 1 <= i < j <= 9 };", "{ [i, j] : i = 8 and j = 9 }"},
		{"lexmin { [i] -> [j] : j >= 2i };", "{ [i] -> [2i] }"},
		{"lexmax { [i] -> [j] : j <= 2i };", "{ [i] -> [2i] }"},
		{"sample { A[i] : 7 <= i <= 7 };", "{ A[7] }"},
		{"sample { A[i] -> B[i] : 7 <= i <= 7 };", "{ A[7] -> B[7] }"},
		{"sample [n] -> { A[i] : n = 3 and i = n };", "[n] -> { A[3] : n = 3 }"},
		{"sample { [i] : 1 <= 3i <= 2 };", "{ }"},
		{"scan { [i, j] : 0 <= i < j < 3 };", "{ [0, 1]; [0, 2]; [1, 2] }"},
		{"scan { A[i] -> [i + 1] : 0 <= i < 2 };", "{ A[0] -> [1]; A[1] -> [2] }"},
		{"identity { A[i] : i > 0 };", "{ A[i] -> A[i] : i >= 1 }"},
		{"id { A[] };", "{ A[] -> A[] }"},
		{"wrap { A[i] -> B[j] : i < j };", "{ [A[i] -> B[j]] : j >= i + 1 }"},
		{"unwrap { [A[i] -> B[j]] : i < j };", "{ A[i] -> B[j] : j >= i + 1 }"},
		{"wrap { [A[i] -> B[j]] -> C[] };", "{ [[A[i] -> B[j]] -> C[]] }"},
		{"identity { [A[] -> B[j]] };", "{ [A[] -> B[j]] -> [A[] -> B[j]] }"},
		{"zip { [A[i] -> B[j]] -> [C[i + j] -> D[]] };", "{ [A[i] -> C[k]] -> [B[k - i] -> D[]] }"},
		{"curry { [A[i] -> B[j]] -> C[i + j] };", "{ A[i] -> [B[j] -> C[i + j]] }"},
		{"uncurry { A[i] -> [B[j] -> C[i + j]] };", "{ [A[i] -> B[j]] -> C[i + j] }"},
		{"domain_map { A[i] -> B[j] : i < j };", "{ [A[i] -> B[j]] -> A[i] : i < j }"},
		{"range_map { A[i] -> B[j] : i < j };", "{ [A[i] -> B[j]] -> B[j] : i < j }"},
		{"deltas_map { A[i] -> A[j] : i < j };", "{ [A[i] -> A[j]] -> A[j - i] : i < j }"},
		{"{ A[i] -> B[j] : i < j } cross { [] -> C[k] };", "{ [A[i] -> []] -> [B[j] -> C[k]] : i < j }"},
		{"{ A[i] -> B[j] : i < j } cross_range { A[i] -> C[i] };", "{ A[i] -> [B[j] -> C[i]] : i < j }"},
		{"{ A[i] -> B[j] : i < j } cross_domain { C[k] -> B[k] };", "{ [A[i] -> C[j]] -> B[j] : i < j }"},
		{"{ P[A[i] -> B[j]] } cross { C[] };", "{ [P[A[i] -> B[j]] -> C[]] }"},
		{"sample { P[A[i] -> [B[j] -> C[]]] : i = 3 and j = 4 };", "{ P[A[3] -> [B[4] -> C[]]] }"},
		{"card { [A[i] -> B[j]] -> [k] : 0 <= k < i + j };", "{ [A[i] -> B[j]] -> (i + j) : i + j >= 1 }"},
		{"sum { [A[i] -> [B[j] -> C[]]] -> i * j : 0 <= j < 4 };", "{ A[i] -> 6*i }"},
		{"complement { [i] : i > 0 };", "{ [i] : i <= 0 }"},
		{"params [n] -> { [i] : 0 <= i < n };", "[n] -> { : n >= 1 }"},
		{"params [n] -> { [i] -> [j] : 0 <= i < n };", "[n] -> { : n >= 1 }"},
		{"aff { [i, 2i] : 0 <= i < 9 };", "{ [i, 2i] }"},
		{"poly ({ [i] : 0 <= i < 3 } + { [7] });", "{ [i] : 0 <= i <= 7 }"},
		{"card { A[i] : 0 <= i < 3; B[j, k] : 0 <= j, k < 2 };", "{ 7 }"},
		{"card [n] -> { [i] -> [j] : 0 <= j <= i < n };", "[n] -> { [i] -> (i + 1) : 0 <= i <= n - 1 }"},
		{"card [n] -> { [i] : 0 <= i < n } + { 3 };", "[n] -> { n + 3 : n >= 1; 3 : n <= 0 }"},
		{"2 * { [i] -> i } - { [i] -> 1 } * 3;", "{ [i] -> (6*i - 3) }"},
		{"{ [i] -> i } * { [i] -> i + 1 };", "{ [i] -> (i^2 + i) }"},
		{"{ [i] -> i } * { [i] : i > 3 };", "{ [i] -> i : i >= 4 }"},
		{"{ [i] -> i : 0 < i } % { [i] : i > 0 };", "{ [i] -> i }"},
		{"{ [i] -> i : 3 < i } @ { [i] : 3 <= i <= 5 };", "{ [i] -> 4 : i = 4; [i] -> 5 : i = 5 }"},
		{"sum [n] -> { [i] -> i : 0 <= i <= n };", "[n] -> { 1/2*n^2 + 1/2*n : n >= 0 }"},
		{"{ [k] -> [i] : 1 <= i <= k } . { [n] -> 2 * n : n >= 1 };", "{ [k] -> (k^2 + k) : k >= 1 }"},
		{"{ [n] -> 2 * n : n >= 1 }({ [i] : 0 <= i <= 3 });", "{ 12 }"},
		{"{ [n] -> 2 * n : n >= 1 }({ [k] -> [i] : 1 <= i <= k });", "{ [k] -> (k^2 + k) : k >= 1 }"},
		{"dom { [n] -> 2 * n : n >= 1 };", "{ [n] : n >= 1 }"},
		{"coalesce { [n] -> 1 : n >= 1 or n = 0 };", "{ [n] -> 1 : n >= 0 }"},
		{"{ [i] -> i } == ({ [i] -> i - 1 } + { [i] -> 1 });", "True"},
		{"typeof { [i] };", "set"},
		{"typeof { [i] -> [i] };", "map"},
		{"typeof card { [i] };", "piecewise quasipolynomial"},
		{"typeof 1;", "value"},
		{"typeof (1 = 1);", "boolean"},
		{`typeof "1";`, "string"},
		{"typeof (1, 2);", "list"},
		{"assert({ [i] } = { [j] });", ""},
		{"A := 3; print A; A + A;", "3\n6"},
		{"schedule := 3; schedule + schedule;", "6"},
		{"A := { [i] : 0 <= i < 2 }; # not B\n# nothing\nA * A; # A again", "{ [i] : 0 <= i <= 1 }"},
		{`source "two.iscc"; A;`, "{ 2 }\n{ [i] : 0 <= i <= 1 }"},
		{"codegen { A[i] -> [-i] : 0 <= i < 3 };", "for (int c0 = -2; c0 <= 0; c0 += 1)\n  A(-c0);"},
		{"codegen { A[i] -> [i] : 0 <= i < 9 } * { A[i] : i < 1 } using { [i] -> unroll[x] };", "A(0);"},
		{"typeof codegen { A[i] -> [i] : 0 <= i < 3 };", "string"},
		{"codegen { };", ""},
		{`read "set";`, "{ A[i] : 0 <= i <= 2 }"},
		{`S := read "three.st"; typeof S; domain S = read "set"; codegen S;`, "schedule\nTrue\nfor (int c0 = -2; c0 <= 0; c0 += 1)\n  A(-c0);"},
		{`codegen read "three.in";`, "A(2);\nA(1);\nA(0);"},
		{`read "flow.st";`, "domain: \"{ A[] }\""},
		{"{ } + { [i] -> [j] };", "{ [i] -> [j] }"}, // an empty set is any empty thing
		{"card { };", "{ 0 }"},
		{"{ : };", "{ : }"},
		{"[n] -> { n : n > 3 };", "[n] -> { n : n >= 4 }"},
		{"coalesce ({ S[] -> [0]; T[i] -> [i] } << { S[] -> [0]; T[i] -> [i] });",
			"{ S[] -> T[i] : i >= 1; T[i] -> S[] : i <= -1; T[i] -> T[i'] : i' >= i + 1 }"},
	} {
		got, err := run(c.text)
		if err != nil {
			got = err.Error()
		}
		if got != c.want && !sameValue(c.text, c.want) {
			t.Errorf("%s\ngives %s\nnot   %s", c.text, got, c.want)
		}
	}
}

// TestFlow checks dataflow on a loop that writes and reads A[0] in turn.
func TestFlow(t *testing.T) {
	got, err := run(`
		W := { S[i] -> A[0] : 0 <= i < 5 };
		R := { T[i] -> A[0] : 0 <= i < 5; T[i] -> B[i] : i = 3 };
		O := { S[i] -> [i, 0]; T[i] -> [i, 1] };
		assert(any W before R under O = { S[i] -> T[j] : 0 <= i <= j < 5 });
		assert((last W before R under O)[0] = { S[i] -> T[i] : 0 <= i < 5 });
		(last W before R under O)[1];`)
	require.NoError(t, err)
	require.Equal(t, "{ T[i] -> B[3] : i = 3 }", got)
	// A reader of several elements has a last writer of each.
	_, err = run(`
		W := { S[i] -> A[i] : 0 <= i < 9 };
		R := { T[i] -> A[i]; T[i] -> A[i + 1] };
		O := { S[i] -> [i]; T[i] -> [9] };
		F := last W before R under O;
		assert(F[0] = { S[i] -> T[i] : 0 <= i < 9; S[i] -> T[i - 1] : 0 <= i < 9 });
		assert(F[1] = (R ->- ran W));`)
	require.NoError(t, err)
}

// margin is what stands before the lines of a program in messages.
var margin = regexp.MustCompile(`\n *\d* \| `)

// TestMistakes pins messages with their places.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"A;", "1:1: error: A has no value\nA;\n^"},
		{"1 +;", "1:4: error: expected an expression, found ;\n1 +;\n   ^"},
		{"[n];", "1:1: error: [ starts parameters, as in [n] -> { .. }, but no { follows\n[n];\n^"},
		{"1 2;", "1:3: error: expected an operator or ;, found 2\n1 2;\n  ^"},
		{"1", "1:2: error: expected an operator or ;, found the end\n1\n ^"},
		{"\n\tcard { [i] : 0 <= j };", "2:20: error: j is not defined\n\tcard { [i] : 0 <= j };\n\t                  ^"},
		{"{ [i] :\n  i > };", "2:7: error: expected an expression or a constraint, found }\n  i > };\n      ^"},
		{"{ [i] : i > 3;", "1:1: error: { without }\n{ [i] : i > 3;\n^"},
		{"{ [i] } + 3;", "1:9: error: there is no + of a set and a value\n{ [i] } + 3;\n        ^"},
		{"card 3;", "1:1: error: there is no card of a value\ncard 3;\n^"},
		{"codegen { [i] };", "1:9: error: codegen needs a map, not a set\ncodegen { [i] };\n        ^"},
		{"codegen { A[i] -> [i] } using 3;", "1:31: error: using needs a map, not a value\ncodegen { A[i] -> [i] } using 3;\n                              ^"},
		{`codegen (read "three.st") using { };`, "1:33: error: options go with a map: a schedule has its own, in its bands\ncodegen (read \"three.st\") using { };\n                                ^"},
		{"codegen := 3;", "1:9: error: expected an expression, found :=\ncodegen := 3;\n        ^"},
		{"read 3;", "1:6: error: expected the name of a file in quotes, found 3\nread 3;\n     ^"},
		{`read "none";`, "1:1: error: read: open none: file does not exist\nread \"none\";\n^"},
		{"vertices({ [i] });", "1:1: error: vertices is an operation of iscc that this calculator does not have\nvertices({ [i] });\n^"},
		{"card := 3;", "1:6: error: expected an expression, found :=\ncard := 3;\n     ^"},
		{"assert(1 = 2);", "1:1: error: assertion failed\nassert(1 = 2);\n^"},
		{"assert 3;", "1:8: error: assert needs a boolean, not a value\nassert 3;\n       ^"},
		{"(1, 2)[2];", "1:7: error: the list has 2 elements, the first one at 0\n(1, 2)[2];\n      ^"},
		{"3(4);", "1:2: error: a value cannot be applied\n3(4);\n ^"},
		{"{ [i] -> [i] }(3);", "1:15: error: a map cannot be applied to a value\n{ [i] -> [i] }(3);\n              ^"},
		{"{ [i] }^2;", "1:1: error: ^ needs a map, not a set\n{ [i] }^2;\n^"},
		{"{ [i] -> [i] }^0;", "1:15: error: the power 0 of a relation\n{ [i] -> [i] }^0;\n              ^"},
		{"deltas { [i] -> [] };", "1:1: error: not a relation of tuples of the same length: { [i] -> [] }\ndeltas { [i] -> [] };\n^"},
		{"unwrap { [i] };", "1:1: error: not a set of pairs: { [i] }\nunwrap { [i] };\n^"},
		{"zip { [[] -> []] -> [] };", "1:1: error: not a relation of pairs to pairs: { [[] -> []] -> [] }\nzip { [[] -> []] -> [] };\n^"},
		{`source "none";`, "1:1: error: source: open none: file does not exist\nsource \"none\";\n^"},
		{`"abc`, "1:1: error: expected an expression, found a string without an end\n\"abc\n^"},
		{"sum { [i] -> i };", "1:1: error: poly: a sum over infinitely many points\nsum { [i] -> i };\n^"},
	} {
		_, err := run(c.text)
		require.Error(t, err, c.text)
		require.Equal(t, "t.iscc:"+c.want, margin.ReplaceAllString(err.Error(), "\n"), c.text)
	}
	_, err := run("\n\nread \"wrong.st\";")
	require.Equal(t, "wrong.st:1:28: error: n is not defined", strings.SplitN(err.Error(), "\n", 2)[0])
	_, err = run("\n\nread \"wrong.set\";")
	require.Equal(t, "wrong.set:2:19: error: n is not defined", strings.SplitN(err.Error(), "\n", 2)[0])
	_, err = run("scan { [i] };")
	limit := (*poly.LimitError)(nil)
	require.True(t, errors.As(err, &limit))
}

// TestConverse checks a dialogue: statements over lines, several on a line, and mistakes.
func TestConverse(t *testing.T) {
	var out bytes.Buffer
	c := &calc.Calculator{Out: &out, Name: true}
	in := "A := { [i] :\n 0 <= i < 3 };\n card A; B;\n\n$0 + { 1 };\nprint \"x;y\"; # comment\n{ [;\n};3"
	err := c.Converse("-", strings.NewReader(in), &out, func(err error) { fmt.Fprintln(&out, err) })
	require.NoError(t, err)
	require.Equal(t, strings.TrimLeft(`
> . > $0 := { 3 }
-:3:10: error: B has no value
 card A; B;
         ^
> > $1 := { 4 }
> x;y
> . -:7:4: error: expected an expression or a constraint, found ;
{ [;
   ^
. 
-:8:2: error: expected an operator or ;, found the end
3
 ^
`, "\n"), margin.ReplaceAllString(out.String(), "\n"))
}

// FuzzRun checks that no program makes the calculator panic.
func FuzzRun(f *testing.F) {
	for _, text := range []string{
		"A := { [i] : 0 <= i < 5 }; card A; A * A - A; lexmin A; assert(A = A);",
		"{ [i] -> [i + 1] }^3; ({ [i] -> [i] }^+)[0]; typeof (1, \"a\")[0];",
		"[n] -> { [i] -> n*i : 0 <= i < n } @ { [i] }; sum { [i] -> i : 0 < i < 4 };",
		"any { A[] -> B[] } before { C[] -> B[] } under { A[] -> [0]; C[] -> [1] };",
		"print -3; # c\nsource \"x\"; { [A[] -> B[]] } % { };",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) < 200 {
			run(text)
		}
	})
}
