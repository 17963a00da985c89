package lower

import (
	"fmt"

	"github.com/hexcc/hexcc/diag"
)

// keeps returns the error that tiles overlap and an array that they write cannot be in shared memory, or nil.
func (p *plan) keeps() error {
	for _, array := range p.layouts.all {
		whole := p.layouts.array(array)
		if p.find(array) != nil || !p.private(whole) || whole.Scratch {
			continue
		}
		d := &diag.Diagnostic{Code: "HX218", At: p.scop.Start(), Msg: fmt.Sprintf("tiles that overlap keep what they compute in shared memory, and %s cannot be there", whole.Name),
			Help: "take another strategy, or write each subscript as one loop variable plus a constant"}
		if p.options.Strategy == Global {
			d.Help = "leave --memory=global out"
		}
		for _, r := range p.remarks {
			d.Notes = append(d.Notes, diag.Note{Msg: r})
		}
		return diag.List{d}
	}
	return nil
}

// fits returns the error that a block is too large for the device, or nil.
func (p *plan) fits() error {
	if n := p.size(); n > p.device.ThreadsPerBlock {
		return diag.List{{
			Code: "HX404", At: p.scop.Start(),
			Msg:  fmt.Sprintf("a block of %d x %d x %d has %d threads, and one of %s at most %d", p.threads[0], p.threads[1], p.threads[2], n, p.device.Name, p.device.ThreadsPerBlock),
			Help: "ask for fewer threads: each then runs more points",
		}}
	}
	bytes, limit := p.sharedBytes(), int64(p.device.SharedBytes)
	if bytes <= limit {
		return nil
	}
	d := &diag.Diagnostic{Code: "HX401", Msg: fmt.Sprintf("a tile needs %d bytes of shared memory, and a block of %s has %d", bytes, p.device.Name, limit)}
	d.At = p.scop.Start()
	for _, f := range p.staged {
		b := f.buffer
		d.Notes = append(d.Notes, diag.Note{Msg: fmt.Sprintf("%s takes %d bytes: %v elements of %s", b.Array.Name, b.Bytes(), b.Shape, b.Array.Elem)})
	}
	d.Help = "choose smaller tile sizes, or --tile=auto"
	return diag.List{d}
}

// sharedBytes returns the shared memory that a block takes.
func (p *plan) sharedBytes() (bytes int64) {
	for _, f := range p.staged {
		bytes += f.buffer.Bytes()
	}
	return bytes
}
