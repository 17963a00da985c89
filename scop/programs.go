package scop

import (
	"fmt"
	"strings"
)

// Programs are the regions of a file, as a product.
type Programs []*Program

func (ps Programs) String() string {
	texts := make([]string, len(ps))
	for i, p := range ps {
		texts[i] = p.String()
	}
	return strings.Join(texts, "\n")
}

// Verify checks each program.
func (ps Programs) Verify() error {
	for _, p := range ps {
		if err := p.Verify(); err != nil {
			return fmt.Errorf("region %d: %w", p.Region.Index+1, err)
		}
	}
	return nil
}
