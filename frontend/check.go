package frontend

import "strings"

// checkAccess proves that a lies inside its array.
func (b *builder) checkAccess(n *nest, a *access, fr frame, facts []linear) {}

// oneLine returns s with each run of blanks and line ends as one blank.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func list(xs []string) string { return strings.Join(xs, ", ") }
