package poly

import ("testing";"fmt")

func TestQuick(t *testing.T) {
	for _, s := range []string{
		"{ [i] : 0 <= i < 10 }", "[N] -> { S[i, j] : 0 <= i, j < N and exists e: i = 2e }",
		"{ S[t,i] -> A[(t+1) mod 2, i+1] : 0 <= t < 10 }", "{ [i] : exists e, f: i = 4e + 6f }",
		"{ [i] : exists e: 3e <= i <= 3e+1 and 5 e >= 2i }", "{ [i] : not (i >= 3 and i <= 5) }",
		"{ [5] }", "{ [i, j] : i = max(j, 3) }", "{ [A[i] -> B[j]] : i < j }", "[N] -> { : N >= 1 }", "{ [i] : i != 3 }",
		"[N, T] -> { S[t, i] -> A[(t+1) mod 2, i] : 0 <= t < T and (i >= 1 or i = -3) and exists e: t = 2e }",
		"{ [i] : exists (a, b = floor((i)/2): a = 3b and 2 <= a <= 12) }",
		"{ [i] : 2i = 3 }", "{ [i] : floor(i/2) + }", "{ [i] : j > 3 }", "{ [i] : (i+1) and i > 0 }", "{ [i }",
		"{ S[t, i, j] -> [T, p, S0, t', i] : T = floor((t+3)/6) and p = 0 and t' = t mod 6 and S0 = floor((i + 5)/8) }",
	} {
		x, err := ParseSet(s)
		if err != nil {
			y, err2 := ParseMap(s)
			if err2 != nil { fmt.Println(s, "=>", err, err2); continue }
			fmt.Println(s, "=>", y)
			z, err := ParseMap(y.String())
			if err != nil || !z.IsEqual(y) { t.Error(z, err) }
			continue
		}
		fmt.Println(s, "=>", x)
		z, err := ParseSet(x.String())
		if err != nil || !z.IsEqual(x) { t.Error(z, err) }
	}
}
