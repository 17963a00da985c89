package calc_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/calc"
)

// readText returns the value of an expression in which read "m" is text.
func readText(text, expression string) (string, error) {
	var out strings.Builder
	c := &calc.Calculator{Out: &out, ReadFile: func(string) ([]byte, error) { return []byte(text), nil }}
	err := c.Run("t.iscc", expression, 0)
	return strings.TrimSpace(out.String()), err
}

// TestReadMatrices: PolyLib's matrices, unions and lists of them, and PIP's problems, in which unknowns and parameters are at least 0 unless it is said.
func TestReadMatrices(t *testing.T) {
	const context = "2 4\n 1 1 0 -1\n 1 -1 1 0\n-1\n"
	for _, x := range []struct{ text, want string }{
		{"# a comment\n3 4\n0 1 -1 0 # i0 = i1\n1 1 0 -1\n1 -1 0 163\n", "{ [i, i] : 1 <= i <= 163 }"},
		{"1 2\n1 -1\n", "{ [] : false }"},
		{"0 3", "{ [i] }"},
		{"2\n1 3\n0 1 -5\n2 3\n1 1 0 1 -1 9\n", "{ [i] : i = 5 or 0 <= i <= 9 }"},
		{context + "2 6\n1 1 0 -1 0 0\n1 0 1 0 -1 -123456789012345678901234567890\n", "[p0, p1] -> { [i, j] : 1 <= p0 <= p1 and i >= p0 and i >= 0 and j >= p1 + 123456789012345678901234567890 }"},
		{"0 3\n-1\n1 4\n1 1 1 2\n", "[p0] -> { [i] : p0 >= 0 and i >= 0 and i + p0 + 2 >= 0 }"},
		{"0 3\n-1\n1 4\n1 1 1 2\nUrs_parms\n", "[p0] -> { [i] : i >= 0 and i + p0 + 2 >= 0 }"},
		{"0 3\n-1\n1 4\n1 1 1 2\nUrs_unknowns\n", "[p0] -> { [i] : p0 >= 0 and i + p0 + 2 >= 0 }"},
		{"0 3\n-1\n1 4\n1 1 1 2\nUrs_unknowns\nUrs_parms\n", "[p0] -> { [i] : i + p0 + 2 >= 0 }"},
		{"0 2\n-1\n1 3\n1 -1 7\n", "{ [i] : 0 <= i <= 7 }"},
		{"[n] -> { : n mod 2 = 0 }\n\n-1\n\n[n] -> { [i] : n <= i }", "[n] -> { [i] : n mod 2 = 0 and 0 <= n <= i }"},
		{"{ [a] : a < 9 }\n-1\n1 4\n1 1 -1 0\n", "[p0] -> { [i] : 0 <= p0 <= 8 and i >= p0 }"},
	} {
		got, err := readText(x.text, fmt.Sprintf(`(read "m") = (%s);`, x.want))
		require.NoError(t, err, x.text)
		require.Equal(t, "True", got, x.text)
	}
	got, err := readText("1 3\n0 1 0\n{ [x] : Exists (y : x = 2y && 0 <= y) }\n", `L := read "m"; L[0] <= L[1]; typeof L;`)
	require.NoError(t, err)
	require.Equal(t, "True\nlist", got)
	for _, x := range []struct{ text, want string }{
		{"1 3\n2 1 0", "m:2:1: error: a row starts with 0, an equation, or 1, what is at least 0"},
		{"2 3\n1 1 0", "m:2:6: error: expected a matrix of 2 rows and 3 columns, found 'end of file'"},
		{"1 3\n1 x 0", "m:2:3: error: expected a matrix of 1 rows and 3 columns, found 'x'"},
		{"1 1\n1", "m:1:3: error: 1 is no number of columns: from 2 to 1000"},
		{"99999999999999999999 3", "m:1:1: error: 99999999999999999999 is no number of rows: from 0 to 1000"},
		{"2\n0 3\n0 4", "m:3:1: error: a polyhedron of 2 unknowns beside one of 1"},
		{"0 3\n-1\n0 4\nMaximize", "m:4:1: error: unknown option 'Maximize': there are Urs_parms and Urs_unknowns"},
		{"0 3\n-1\n0 2", "m:3:1: error: a matrix of 2 columns has no place for the 1 parameters of the context"},
		{"0 3\n4\n0 4", "m:3:4: error: expected number of rows, found 'end of file'"},
		{"0 3\n-1\n{ [i] -> [i] }", "m:3:1: error: expected a set that has points"},
		{"1 3\n0 1 0\n{ [x] : y }", "m:3:9: error: expected a constraint, found an expression"},
	} {
		_, err := readText(x.text, `read "m";`)
		require.ErrorContains(t, err, x.want, x.text)
	}
}

// TestRandomMatrices: of random matrices, points are in the set if and only if they satisfy the rows.
func TestRandomMatrices(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		unknowns := 1 + rnd.IntN(3)
		var text strings.Builder
		rows := rnd.IntN(4)
		fmt.Fprintln(&text, rows, unknowns+2)
		matrix := make([][]int64, rows)
		for i := range matrix {
			matrix[i] = append(matrix[i], int64(rnd.IntN(5)/4)^1)
			for range unknowns + 1 {
				matrix[i] = append(matrix[i], rnd.Int64N(9)-4)
			}
			fmt.Fprintln(&text, strings.Trim(fmt.Sprint(matrix[i]), "[]"))
		}
		for range 20 {
			point := make([]int64, unknowns)
			for i := range point {
				point[i] = rnd.Int64N(9) - 4
			}
			holds := "True"
			for _, row := range matrix {
				v := row[unknowns+1]
				for i, x := range point {
					v += row[1+i] * x
				}
				if v < 0 || row[0] == 0 && v != 0 {
					holds = "False"
				}
			}
			got, err := readText(text.String(), fmt.Sprintf(`{ [%s] } <= (read "m");`, strings.ReplaceAll(strings.Trim(fmt.Sprint(point), "[]"), " ", ", ")))
			require.NoError(t, err, text.String())
			require.Equal(t, holds, got, "%s%v", text.String(), point)
		}
	}
}
