package frontend

// This file reads the facts that the user states about parameters: --assume='n>=1024'.

// given notes the facts of the options. A fact about variables that are no
// parameters of this region does not concern it.
func (fs *facts) given() {
	fr := fs.frame()
	for _, text := range fs.o.Assume {
		set, err := fr.parse(text)
		if err != nil {
			continue // checkFacts reports it if no region knows its names
		}
		constraints, ok := fr.rowsOf(set)
		if !ok {
			fs.note(factError(text, "is not a conjunction of affine comparisons"))
		}
		for _, constraint := range constraints {
			fs.rely(fact{constraint: constraint})
		}
	}
}
