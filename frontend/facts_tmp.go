package frontend

import "github.com/hexcc/hexcc/diag"

type fact struct {
	row    linear
	at     diag.Span
	remark *diag.Diagnostic
}

func (b *builder) rely(fs ...fact) {
	for _, f := range fs {
		b.assumed = append(b.assumed, f.row)
		f.remark.Msg += " only if " + b.frame().relation(f.row)
		b.errs = append(b.errs, f.remark)
	}
}
