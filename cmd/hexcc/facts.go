package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hexcc/hexcc/diag"
)

// This file tells in few lines what is tested when a translated program runs: a region of many arrays tests much, and a build that prints all of it hides what matters.

// mostFacts is how many remarks about facts of a file are told one by one.
const mostFacts = 3

// withFactsTogether returns list with one remark in place of those of a file about facts that are tested when the program runs, where these are many. It stands
// where the first of them does.
func withFactsTogether(list diag.List) (out diag.List) {
	facts := map[string][]string{} // by file, each once
	count := map[string]int{}
	for _, d := range list {
		if d.Fact == "" {
			continue
		}
		count[d.At.File]++
		if !slices.Contains(facts[d.At.File], d.Fact) {
			facts[d.At.File] = append(facts[d.At.File], d.Fact)
		}
	}
	told := map[string]bool{}
	for _, d := range list {
		switch file := d.At.File; {
		case d.Fact == "" || count[file] <= mostFacts:
			out = append(out, d)
		case !told[file]:
			told[file] = true
			out = append(out, &diag.Diagnostic{Severity: diag.Remark, Code: d.Code, At: d.At,
				Msg:  fmt.Sprintf("%s tested before the kernels run: %s", factsAre(len(facts[file])), strings.Join(facts[file], "; ")),
				Help: "where one does not hold the program does what --on-violated says, and runs the original loops by default; -v tells where each is needed"})
		}
	}
	return out
}

func factsAre(n int) string {
	if n == 1 {
		return "1 fact is"
	}
	return fmt.Sprintf("%d facts are", n)
}
