package mpi

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/mpirun"
	"github.com/hexcc/hexcc/schedule"
)

// This file runs random loops on ranks: nests that read rows of several arrays, under conditions or not, of all columns or some, of sizes that change, with pointers that exchange.

// randomLoop returns a function of that name with a loop that ranks run. Its pointers may exchange, and it has time loops if timed.
func randomLoop(r *rand.Rand, name string, timed bool) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	moves := r.IntN(2) == 0
	say("void %s(int n, int m, int steps, double A[n][m], double B[n][m], double C[n][m], void **last)\n{", name)
	factor, goes := "0.5", "e < 1e30 && k < steps"
	passes := !timed && r.IntN(3) == 0 // a scalar, from step to step, and no nest gathers
	if passes {
		factor, goes = "w", "k < steps"
	}
	say("    double e = 0, w = 0.75;\n    int k = 0, s = 0;\n#pragma scop\n    while (%s) {", goes)
	if passes {
		say("        w = 0.875 * w + 0.0625 * (k %% 3);")
	}
	if r.IntN(3) == 0 {
		say("        int some = 3 + (k / 2 * 3) %% (m - 3);")
	}
	sized := strings.Contains(b.String(), "some")
	arrays := []string{"A", "B", "C"}
	for range 3 + r.IntN(4) {
		r.Shuffle(3, func(i, j int) { arrays[i], arrays[j] = arrays[j], arrays[i] })
		to, from, other := arrays[0], arrays[1], arrays[2]
		lo, hi := 2+r.IntN(2), 2+r.IntN(2)
		columns := fmt.Sprintf("int j = %d; j < m - %d; j++", r.IntN(3), r.IntN(3))
		if sized && r.IntN(3) == 0 {
			columns = "int j = 0; j < some; j++"
		}
		rest := fmt.Sprintf(" + 0.25 * %s[i%+d][j]", []string{from, other}[r.IntN(2)], r.IntN(5)-2)
		guard := ""
		switch r.IntN(4) {
		case 0:
			guard = fmt.Sprintf("if (k %% %d == %d) ", 2+r.IntN(2), r.IntN(2))
		case 1:
			say("        s++;") // a nest of its own
		}
		if timed && r.IntN(3) == 0 { // a time loop
			turns := []string{"4", "7", "1 + k % 3 * 4"}[r.IntN(3)]
			reach := 1 + r.IntN(2)
			say("        for (int q = 0; q < %s; q++) {\n            for (int i = %d; i < n - %d; i++)\n                for (%s)\n                    %s[i][j] = 0.5 * %s[i - %d][j] + 0.25 * %s[i + %d][j] + 0.1 * %s[i%+d][j];", turns, lo, hi, columns, to, from, reach, from, r.IntN(2), other, r.IntN(3)-1)
			say("            for (int i = %d; i < n - %d; i++)\n                for (%s)\n                    %s[i][j] = %s[i][j];\n        }", lo, hi, columns, from, to)
			continue
		}
		switch r.IntN(6) {
		case 0: // a row at an end, with one of its columns
			say("        %s{\n        for (int j = 0; j < m; j++)\n            %s[0][j] = 0.5 * %s[%d][j];\n        for (int i = 0; i < n; i++)\n            %s[i][1] = 0.25 * %s[i][2];\n        }", guard, to, to, 1+r.IntN(2), to, to)
		case 1:
			say("        %s{\n        for (int i = 0; i < n; i++)\n            %s[i][%d] = 0.5 * %s[i][1];\n        }", guard, to, r.IntN(3), from)
		default:
			say("        %s{\n        for (int i = %d; i < n - %d; i++)\n            for (%s)\n                %s[i][j] = %s * %s[i%+d][j]%s;\n        }", guard, lo, hi, columns, to, factor, from, r.IntN(5)-2, rest)
		}
	}
	if moves {
		x, y := arrays[0], arrays[1]
		when := ""
		if r.IntN(2) == 0 {
			when = "if (k % 3 != 1) "
		}
		say("        %s{\n            double (*t)[m] = %s;\n            %s = %s;\n            %s = t;\n        }", when, x, x, y, y)
	}
	if !passes {
		say("        e = 0;\n        for (int i = 0; i < n; i++)\n            for (int j = 0; j < m; j++)\n                e = fmax(e, A[i][j] + B[i][j] - C[i][j]);")
	}
	say("        k++;\n    }\n#pragma endscop")
	say("    last[0] = A, last[1] = B, last[2] = C;\n}")
	return b.String()
}

// randomMain runs one of the functions on ranks, and the original on rank 0.
const randomMain = `
  {
    double *A = filled(all), *B = filled(all), *C = filled(all), *A2 = copied(A, all), *B2 = copied(B, all), *C2 = copied(C, all), *a, *b, *c;
    double e = 0, w = 0.75;
    int k = 0, s = 0;
    void *last[3];
    SHARE(FN, FN_A, A, a);
    SHARE(FN, FN_B, B, b);
    SHARE(FN, FN_C, C, c);
    start();
    if (FN(PASSED)) {
      MPI_Barrier(MPI_COMM_WORLD); // rank 0 has said why: mpirun ends all when one ends
      return 2;
    }
    end(WHICH);
    FN_gather(MPI_COMM_WORLD, n, m, FN_A, a, A);
    FN_gather(MPI_COMM_WORLD, n, m, FN_B, b, B);
    FN_gather(MPI_COMM_WORLD, n, m, FN_C, c, C);
    USER(n, m, steps, A2, B2, C2, last);
    check("USER A", A, last[0], all), check("USER B", B, last[1], all), check("USER C", C, last[2], all);
  }
`

// mainOf returns a program that runs functions loop0, loop1, .. of arrays A, B and C on ranks, and the originals.
func mainOf(t *testing.T, header string, functions int) string {
	head, _, _ := strings.Cut(haloMain, "int main(")
	main := head[:strings.Index(head, "double branches(")] + head[strings.Index(head, sentHead):] +
		"int main(int argc, char **argv)\n{\n  int level;\n  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);\n  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n" +
		"  const int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);\n  const size_t all = (size_t)n * m;\n  srand(7);\n"
	for k := range functions {
		user := fmt.Sprint("loop", k)
		name := user + "_mpi"
		if functions > 1 {
			name += fmt.Sprint("_", k)
		}
		main += strings.NewReplacer("FN", name, "PASSED", passed(t, header, name, map[string]string{"A": "a", "B": "b", "C": "c"}), "USER", user, "WHICH", fmt.Sprint(k)).Replace(randomMain)
	}
	return main + "  MPI_Finalize();\n  return wrong;\n}\n"
}

// fewRows has pointers that exchange, to arrays with fewer rows than others: some ranks have nothing of them.
const fewRows = `
#include <math.h>
void loop0(int n, int m, int steps, double A[n][m], double B[n - 5][m], double C[n - 5][m], void **last)
{
    double e = 0;
    int k = 0, s = 0;
#pragma scop
    while (e < 1e30 && k < steps) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                A[i][j] = 0.5 * A[i][j];
        s++;
        for (int i = 1; i < n - 6; i++)
            for (int j = 0; j < m; j++)
                B[i][j] = C[i - 1][j] + A[i + 1][j] - 0.5 * C[i + 1][j];
        e = 0;
        for (int i = 0; i < n - 5; i++)
            for (int j = 0; j < m; j++)
                e = fmax(e, A[i][j] + C[i][j]);
        if (k % 3 != 1) {
            double (*t)[m] = B;
            B = C;
            C = t;
        }
        k++;
    }
#pragma endscop
    last[0] = A, last[1] = B, last[2] = C;
}
`

// TestMPIHalosFewRows runs it, with null pointers to what ranks have nothing of.
func TestMPIHalosFewRows(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		p := compileLoops(t, l, fewRows, func(header string) string {
			text := strings.NewReplacer("check(\"loop0 B\", B, last[1], all), check(\"loop0 C\", C, last[2], all)", "check(\"loop0 B\", B, last[1], all - 5 * m), check(\"loop0 C\", C, last[2], all - 5 * m)").Replace(mainOf(t, header, 1))
			require.Contains(t, text, "all - 5 * m")
			return text
		}, asIs)
		p.requireSame(t, []int{7, 4}[i], 1, "11", "4", "7")
	}
}

// TestMPIHalosRandom compares random loops on 1, 2, 3 and 5 ranks with the originals: bits, and what is sent with what inspect says.
func TestMPIHalosRandom(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		sameOfRandom(t, l, rand.New(rand.NewPCG(uint64(i), 2026)), 8, false, [][]int{{1, 2, 5}, {3}}[i], "23")
	}
}

// TestMPITimeLoopsRandom does so with time loops in them, in tiles of ten or sixteen rows.
func TestMPITimeLoopsRandom(t *testing.T) {
	for i, l := range theMPIsByTurns(t) {
		sameOfRandom(t, l, rand.New(rand.NewPCG(uint64(i), 11)), 4, true, [][]int{{2, 4}, {3}}[i], "83")
	}
}

// sameOfRandom compares random loops, in so many functions, with the originals, on so many ranks each, with so many rows.
func sameOfRandom(t *testing.T, l mpirun.Library, r *rand.Rand, functions int, timed bool, sizes []int, rows string) {
	o := hexcc.Options{}
	if timed {
		o.Tile = &schedule.Sizes{H: 3, W: []int64{1, 8}}
	}
	source := "#include <math.h>\n"
	for k, tries := 0, 0; k < functions; tries++ {
		require.Less(t, tries, 12*functions, "too few are taken")
		text := randomLoop(r, fmt.Sprint("loop", k), timed)
		if timed && !strings.Contains(text, "q++") {
			continue
		}
		alone := o
		alone.Target, alone.Base = hexcc.MPI, "s"
		if _, err := hexcc.Compile(hexcc.Source{Name: "s.c", Text: []byte("#include <math.h>\n" + text)}, alone); err != nil {
			require.Contains(t, err.Error(), "HX311", text) // rows of which boxes that the loop has do not suffice, or tiles of its time loops have different ones
			continue
		}
		source += "\n" + text
		k++
	}
	p := compileLoopsAs(t, l, source, o, func(header string) string { return mainOf(t, header, functions) }, asIs)
	require.Len(t, p.loops, functions)
	for _, loop := range p.loops {
		require.Equal(t, timed, !loop.Plans[loop.Widest].OneByOne())
	}
	for _, size := range sizes {
		said, err := p.run(size, 1, rows, "9", "7")
		require.NoError(t, err, "%d ranks: %s\n%s", size, said, source)
		require.Equal(t, p.shouldSend(said, size), didSend(said, functions, size), "%d ranks: %s", size, source)
	}
}
