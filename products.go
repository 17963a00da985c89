package hexcc

import (
	"fmt"
	"strings"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/cuda"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/openmp"
	"github.com/hexcc/hexcc/report"
	"github.com/hexcc/hexcc/schedule"
)

// Version is the version of hexcc.
const Version = "0.1.0"

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

// Products returns what was made in the form that package report takes.
func (r *Region) Products() report.Products {
	loops := ""
	if r.Mapped != nil {
		loops = r.Mapped.String()
	}
	return report.Products{
		Loops: loops, Scop: r.Scop, Inlined: r.Inlined, Fission: r.Fission, Regrouped: r.Regrouped, Folded: r.Folded, Deps: r.Deps, Space: r.Space, Cone: r.Cone,
		Strategy: string(r.Strategy), Outlook: r.Outlook, Choice: r.Choice, Schedule: r.Schedule, Proofs: r.Proofs, GPU: r.GPU, CPU: r.CPU, Ranks: r.Ranks, Together: r.Together, Ranking: r.Ranking, Target: string(r.Target), Streams: r.Streams, Clauses: r.Clauses, Kept: r.Kept,
	}
}

// Page returns all that was made of src in the form that package report makes a page of.
func (r *Result) Page(src Source, base string) report.Page {
	if r.Region != nil && r.Target.isCPU() {
		return report.Page{
			Version: Version, Name: src.Name, Source: src.Text, Regions: r.AllProducts(),
			Kernel: r.C.Whole, File: ctext.InLanguage(openmp.CFile(base), r.Scop), Spans: r.C.Spans, Places: r.C.Places,
		}
	}
	if r.Region != nil && r.Target.isOpenCL() {
		return report.Page{
			Version: Version, Name: src.Name, Source: src.Text, Regions: r.AllProducts(),
			Kernel: r.OpenCL.Kernel, File: opencl.KernelFile(base), Spans: r.OpenCL.Spans, Places: r.OpenCL.Places,
		}
	}
	return report.Page{
		Version: Version, Name: src.Name, Source: src.Text, Regions: r.AllProducts(),
		Kernel: r.Files.Kernel, File: cuda.KernelFile(base), Spans: r.Files.Spans, Places: r.Files.Places,
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
