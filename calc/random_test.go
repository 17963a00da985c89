package calc_test

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// productions are the ways to make an expression of a kind: s a set, m a relation, f a function, b a boolean, o any other.
// A letter after $ stands for an operand of that kind; those without are leaves.
var productions = map[byte][]string{
	's': {
		"{ }", "{ : }", "{ [i] : 0 <= i < 7 }", "{ [i, j] : 0 <= i < j <= 4 and i mod 2 = 0 }", "[n] -> { A[i] : 0 <= i < n }",
		"[n] -> { A[i] : 2i >= n; B[] }", "{ [A[i] -> B[j]] : 0 <= i <= j < 3 }", "{ [i] : i >= 0 }", "{ B[] }", "({ [1] }, True)",
		"aff $s", "coalesce $s", "complement $s", "deltas $m", "dom $m", "dom $f", "lexmax $s", "lexmin $s", "params $s", "params $m", "poly $s",
		"ran $m", "sample $s", "scan $s", "wrap $m", "$s + $s", "$s - $s", "$s * $s", "$s cross $s", "$s % $s", "$m($s)", "$s % $s",
	},
	'm': {
		"{ [i] -> [i + 1] : 0 <= i < 5 }", "{ A[i] -> B[] }", "[n] -> { A[i] -> A[j] : i < j < n }", "{ [i] -> [j] : 2j = i; [i] -> [i, i] }",
		"{ [] -> [i] : 0 <= i < 3 }", "{ A[i] -> [i] }", "{ [i, j] -> [j, i] }", "{ [i] -> A[2i] }", "{ }", "{ [A[i] -> B[]] -> [[] -> C[j]] : 0 <= i, j < 3 }",
		"aff $m", "coalesce $m", "complement $m", "identity $s", "domain_map $m", "range_map $m", "deltas_map $m", "curry $m", "uncurry $m", "zip $m", "$m cross $m", "$m cross_range $m", "$m cross_domain $m", "lexmax $m", "lexmin $m", "poly $m", "sample $m", "scan $m", "unwrap $s",
		"$m + $m", "$m - $m", "$m * $m", "$m - $s", "$m ->- $s", "$m * $s", "$m ->* $s", "$m . $m", "$m after $m", "$s -> $s", "$m % $m", "$m % $s",
		"$s << $s", "$s <<= $s", "$s >> $s", "$s >>= $s", "$m << $m", "$m <<= $m", "$m >> $m", "$m >>= $m", "$m^-1", "$m^2", "$m^+", "$m($m)",
		"any $m before $m under $m", "(last $m before $m under $m)[1]",
	},
	'f': {
		"{ 3 }", "[n] -> { n^2 : n > 0 }", "{ [i] -> 1/2*i : i >= 3 }", "[n] -> { A[i] -> n*floor(i/2) : 0 <= i < n }", "{ [i] -> infty }",
		"{ [A[i] -> B[j]] -> i }", "{ }",
		"card $s", "card $m", "coalesce $f", "sum $f", "$f + $f", "$f - $f", "$f * $f", "2 * $f", "$f * $s", "$m . $f", "$f % $s", "$f @ $s", "$f($s)", "$f($m)",
	},
	'b': {
		"True", "$s = $s", "$m = $m", "$s <= $s", "$m <= $m", "$s < $s", "$m > $m", "$f == $f", "$b + $b", "$b * $b", "($m^+)[1]",
	},
	'o': {"3", "-2", "0", "\"text\"", "()", "(1, 2, 3)", "X", "$0", "typeof $s", "assert $b", "codegen $m", "codegen $m using $m", "$s + \"\"", "$f + \"\""},
}

// program returns a random expression of a kind, nested at most so deep; now and then, a part is of a wrong kind.
func program(g *rand.Rand, kind byte, depth int) string {
	if g.IntN(30) == 0 {
		kind = "smfbo"[g.IntN(5)]
	}
	list := productions[kind]
	form := list[g.IntN(len(list))]
	for depth == 0 && strings.Contains(form, "$") {
		form = list[g.IntN(len(list))]
	}
	var text strings.Builder
	for i := 0; i < len(form); i++ {
		if form[i] == '$' && form != "$0" {
			i++
			text.WriteString("(" + program(g, form[i], depth-1) + ")")
			continue
		}
		text.WriteByte(form[i])
	}
	return text.String()
}

// TestRandomPrograms checks that no operation panics or runs on, whatever its operands are.
func TestRandomPrograms(t *testing.T) {
	const programs = 2000
	done := 0
	for seed := range uint64(programs) {
		if checkProgram(t, seed) {
			done++
		}
	}
	if done < programs/3 {
		t.Errorf("only %d of %d programs are right", done, programs)
	}
}

// checkProgram reports whether the program of a seed has a value.
func checkProgram(t *testing.T, seed uint64) bool {
	g := rand.New(rand.NewPCG(seed, 1))
	text := program(g, "smfbo"[g.IntN(5)], 1+int(seed%5))
	defer func() {
		if r := recover(); r != nil {
			t.Fatalf("seed %d: %s;\npanics: %v", seed, text, r)
		}
	}()
	start := time.Now()
	_, err := run(text + ";")
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("seed %d: %s;\ntook %v, %v", seed, text, d, err)
	}
	return err == nil
}

// FuzzPrograms checks random programs, chosen by the seed.
func FuzzPrograms(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkProgram(t, seed) })
}
