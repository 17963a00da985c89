package hexcc

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

// Version is the version of hexcc.
const Version = "0.1.0"

// Programs are the regions of a file, as a product.
type Programs []*scop.Program

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

// Dependences are the dependences of a program, as a product.
type Dependences []schedule.Dependence

func (ds Dependences) String() string {
	lines := make([]string, len(ds))
	for i, d := range ds {
		lines[i] = d.String()
	}
	return strings.Join(lines, "\n")
}

// Verify checks that each dependence is of a kind its accesses can have.
func (ds Dependences) Verify() error {
	for _, d := range ds {
		reads := 0
		for _, a := range []bool{d.SrcAccess.Write, d.DstAccess.Write} {
			if !a {
				reads++
			}
		}
		if reads == 2 || d.SrcAccess.Array != d.DstAccess.Array {
			return fmt.Errorf("%v: no write, or two arrays", d)
		}
	}
	return nil
}

// Proofs are what was proved of a schedule, as a product.
type Proofs []schedule.Proof

func (ps Proofs) String() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = fmt.Sprintf("%s: proved for all parameter values, %s", p.Name, p.Effort())
		switch {
		case p.Undecided != "":
			lines[i] = fmt.Sprintf("%s: undecided: %s", p.Name, p.Undecided)
		case !p.Holds:
			lines[i] = fmt.Sprintf("%s: does not hold: %s", p.Name, p.Violation)
		}
	}
	return strings.Join(lines, "\n")
}

// Verify checks that nothing holds without a test, but for the legality of a
// region that has no dependences, which prove knows, and full tiles where there are none.
func (ps Proofs) Verify() error {
	for _, p := range ps {
		if p.Holds && p.Tests == 0 && p.Name != "legality" && p.Name != "full tiles" && p.Name != "staging" {
			return fmt.Errorf("%s holds without a test", p.Name)
		}
	}
	return nil
}

// Products returns what was made in the form that package report takes.
func (r *Region) Products() report.Products {
	return report.Products{
		Scop: r.Scop, Deps: r.Deps, Space: r.Space, Cone: r.Cone,
		Strategy: string(r.Strategy), Outlook: r.Outlook, Choice: r.Choice, Schedule: r.Schedule, Proofs: r.Proofs, GPU: r.GPU,
	}
}

// Page returns all that was made of src in the form that package report makes a page of.
func (r *Result) Page(src Source, base string) report.Page {
	return report.Page{
		Version: Version, Name: src.Name, Source: src.Text, Regions: r.AllProducts(),
		Kernel: r.Files.Kernel, File: cuda.KernelFile(base), Spans: r.Files.Spans,
	}
}

// AllProducts returns those of all regions.
func (r *Result) AllProducts() []report.Products {
	all := make([]report.Products, len(r.Regions))
	for i, x := range r.Regions {
		all[i] = x.Products()
	}
	return all
}
