package scop

// Certain says, for each of the Accesses, whether every instance makes it: it
// stands in no operand that C may skip. Of the others some may have no element to access.
func (s *Stmt) Certain() []bool {
	made := map[*Access]bool{}
	for _, a := range s.Body {
		switch a := a.(type) {
		case Let:
			evaluated(a.Value, made)
		case Store:
			evaluated(a.Value, made)
			made[a.To] = true
		}
	}
	certain := make([]bool, len(s.Accesses))
	if len(s.When) > 0 {
		return certain // some instances make none
	}
	for i, acc := range s.Accesses {
		certain[i] = made[acc]
	}
	return certain
}

// evaluated adds the reads that the evaluation of e always makes.
func evaluated(e Expr, made map[*Access]bool) {
	switch e := e.(type) {
	case Read:
		made[e.From] = true
	case Unary:
		evaluated(e.X, made)
	case Binary:
		evaluated(e.X, made)
		if e.Op != "&&" && e.Op != "||" {
			evaluated(e.Y, made)
		}
	case Cast:
		evaluated(e.X, made)
	case Call:
		for _, x := range e.Args {
			evaluated(x, made)
		}
	case Cond:
		evaluated(e.C, made)
	}
}
