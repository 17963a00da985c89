// Package calc is a calculator for integer sets and relations in the language of iscc, the calculator of isl and barvinok.
//
// A program is a list of statements that end with a semicolon:
//
//	P := [n] -> { [i, j] : 0 <= i < n and i <= j < n };
//	card P;
//
// A Calculator runs statements (calc.go). parse.go has the grammar and makes trees, eval.go evaluates them, and the
// operations are rows of tables (operators.go). Values are those of package poly, numbers, booleans, strings and lists
// (value.go).
package calc
