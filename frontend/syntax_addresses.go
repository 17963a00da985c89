package frontend

import "modernc.org/cc/v4"

// addresses are those of variables, and of members by their names.
type addresses struct {
	variables map[*cc.Declarator]bool
	fields    map[string]bool
	passed    map[*cc.FunctionDefinition]*addresses // to functions of the file
}

func newAddresses() *addresses {
	return &addresses{map[*cc.Declarator]bool{}, map[string]bool{}, map[*cc.FunctionDefinition]*addresses{}}
}

// add adds that of x.
func (as *addresses) add(x expr) {
	switch x := x.(type) {
	case ident:
		as.variables[x.decl] = true
	case memberExpr:
		as.fields[x.field.Name()] = true
	}
}
