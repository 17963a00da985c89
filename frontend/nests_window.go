package frontend

import "modernc.org/cc/v4"

// This file writes out loops over the neighbours of a point before their nest is taken apart, where conditions in them keep reads inside of the array:
//
//	for (i = 0; i < n; i++) {                      for (i = 0; i < n; i++) {
//	  double s = 0;                                  double s = 0;
//	  for (d = -1; d <= 1; d++)              =>      if (i - 1 >= 0 && i - 1 < n) s += A[i - 1];
//	    if (i + d >= 0 && i + d < n)                 if (i >= 0 && i < n) s += A[i];
//	      s += A[i + d];                             if (i + 1 >= 0 && i + 1 < n) s += A[i + 1];
//	  B[i] = s;                                      B[i] = s;
//	}                                              }
//
// Each turn has conditions of its own then, which nests_parts.go decides.

// withGuardedTurns returns ss with such loops written out; any says whether there were some.
func (nr *nestReader) withGuardedTurns(ss []stmt) (out []stmt, any bool) {
	for _, s := range ss {
		switch s := s.(type) {
		case block:
			items, more := nr.withGuardedTurns(s.items)
			out, any = append(out, block{s.where, items}), any || more
			continue
		case ifStmt:
			then, more := nr.withGuardedTurns(flatten([]stmt{s.then}))
			s.then, any = block{s.then.at(), then}, any || more
			if s.orElse != nil {
				orElse, more := nr.withGuardedTurns(flatten([]stmt{s.orElse}))
				s.orElse, any = block{s.orElse.at(), orElse}, any || more
			}
			out = append(out, s)
			continue
		case forStmt:
			turns := turnsOf(s)
			if !nr.isWindow(s) || jumps(s.body, "'break'") || !contains(block{items: withoutContinue(s.body)}, func(s stmt) bool { return guardsElements(s, turns) }) {
				break
			}
			any = true
			for _, v := range nr.valuesOf(s) {
				turn, _ := nr.withGuardedTurns(turnOf(s, v))
				out = append(out, block{s.where, turn})
			}
			continue
		}
		out = append(out, s)
	}
	return out, any
}

// turnsOf returns the variables that f and the loops in it count.
func turnsOf(f forStmt) (turns []*cc.Declarator) {
	eachStmt(f, func(s stmt) {
		if f, ok := s.(forStmt); ok {
			turns = append(turns, iteratorOf(f))
		}
	})
	return turns
}
