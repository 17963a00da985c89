package frontend

// This file reads variables that a loop around the region sets in its head, to the same value of its counter in each iteration:
//
//	for (int t = 0, now = t % 3, next = (t + 1) % 3; t < n; t++, now = t % 3, next = (t + 1) % 3) {
//	#pragma scop
//
// In the region, now is t % 3.

// withCounters returns the statements of a region with the values of variables that the heads of loops around them set.
func (sv *survey) withCounters(ss []stmt) []stmt {
	for _, s := range sv.r.around {
		f, ok := s.(forStmt)
		if !ok {
			continue
		}
		if values := valuesByHead(f); len(values) > 0 {
			for i, s := range ss {
				ss[i] = mapStmt(s, func(e expr) expr { return mapExpr(e, putting(values)) })
			}
		}
	}
	return ss
}
