package frontend

import (
	"regexp"
	"slices"

	"modernc.org/cc/v4"
)

// This file tells functions of C++ that a loop of the host calls and that cannot be written anew, since a nest in them reads what a reference leads to.

// readsReference reports whether a loop in body, of fd, whose head is text[from:open], uses a number that is, in C++, a reference: regions name it as a pointer.
func (h *hostLoops) readsReference(fd *cc.FunctionDefinition, body stmt, from, open int) bool {
	if h.f.cxx == nil || from < 0 || open < from {
		return false
	}
	var references []*cc.Declarator
	for _, d := range parameters(fd) {
		if to := pointedTo(d.Type()); to == nil {
			continue
		} else if _, number := storedType(to); number && regexp.MustCompile(`&\s*`+regexp.QuoteMeta(d.Name())+`\b`).Match(h.f.text[from:open]) {
			references = append(references, d)
		}
	}
	return len(references) > 0 && contains(body, func(s stmt) bool {
		found := false
		if isLoop(s) {
			eachExprIn(s, func(e expr) {
				x, ok := e.(unary) // a vector is passed alike, and has subscripts
				found = found || ok && x.op == "*" && slices.Contains(references, variableOf(x.x))
			})
		}
		return found
	})
}
