package advice

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/internal/nvcc"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/profile"
)

// Version is that of the JSON form of a Result.
const Version = 1

// A Result is what bounds the kernels of a file, and what to try. Its JSON form is documented in docs/profile.md.
type Result struct {
	Version int      `json:"version"`
	File    string   `json:"file"`
	Profile string   `json:"profile"` // the file of what was measured; "": nothing was
	Others  []string `json:"others"`  // kernels in it that are not of this file
	Notes   []string `json:"notes"`
	Regions []Region `json:"regions"`
}

// A Region is one region of the file.
type Region struct {
	Function string `json:"function"`
	Line     int    `json:"line"`
	Strategy string `json:"strategy"`
	Sizes    string `json:"sizes"`    // of tiles, as --tile has them
	Pipeline string `json:"pipeline"` // of rows that stream, as --pipeline has it; "": there is none
	Arch     string `json:"arch"`
	Part     string `json:"part"` // that the model is for
	Measured bool   `json:"measured"`

	Grid    []model.Value `json:"grid"`
	Updates int64         `json:"updates"` // of a run at these sizes

	Kernels    []Kernel             `json:"kernels"`
	Comparison []profile.Comparison `json:"comparison"` // by update
	Intensity  []profile.Intensity  `json:"intensity"`  // of what was measured
	Uncompared string               `json:"uncompared"` // why there is none; "" if there is
	Compared   string               `json:"compared"`   // what is taken as given for it; "" if nothing is
	Trials     []Trial              `json:"trials"`
}

// A Kernel is what is known of one.
type Kernel struct {
	Name       string                       `json:"name"`
	Measured   *profile.Measured            `json:"measured"` // null: it was not
	Counted    profile.Counted              `json:"counted"`
	Shares     map[profile.Resource]float64 `json:"shares"` // of what each resource can do
	Findings   []profile.Finding            `json:"findings"`
	Intensity  []profile.Intensity          `json:"intensity"` // of what is counted
	Comparison []profile.Comparison         `json:"comparison"`
}

// A Request asks for advice.
type Request struct {
	Source  hexcc.Source
	Options hexcc.Options // with Grid: the sizes of what was profiled
	Result  *hexcc.Result // of compiling Source with them
	Base    string        // what the files written were called; "": as Options have it
	Profile string        // the name of the profile; "": there is none
	Text    []byte        // its text
	NVCC    string        // the path of a compiler that is to say what kernels use; "": that is estimated
}

// New answers a request. The error, a diagnostic, says that the profile is of no use.
func New(q Request) (*Result, error) {
	out := &Result{Version: Version, File: q.Source.Name, Profile: q.Profile}
	base := ctext.Identifier(q.Base)
	if q.Base == "" {
		base = ctext.Identifier(filepath.Base(q.Options.Base))
	}
	var measured []*profile.Measured
	lines := map[string]int{}
	if q.Profile != "" {
		launches, err := profile.Parse(q.Profile, q.Text)
		if err != nil {
			return nil, err
		}
		for _, l := range slices.Backward(launches) {
			lines[l.Kernel] = l.Line
		}
		measured = profile.Group(launches)
		note := ""
		if base, note, err = chooseBase(q.Profile, base, measured); err != nil {
			return nil, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	var used map[string]nvcc.Usage
	if q.NVCC != "" {
		var err error
		if used, err = usages(q.NVCC, q.Result, q.Options.Base, q.Result.GPU.Device.Name); err != nil {
			return nil, err
		}
	}
	found := false
	for _, r := range q.Result.Regions {
		grid, err := model.NewGrid(r.Space, q.Options.Grid)
		if err != nil {
			return nil, err
		}
		counted := countAll(r, base, r.GPU.Device, grid)
		for i := range counted {
			if u, ok := used[partOf(counted[i].Kernel)]; ok {
				compiled(&counted[i], u, r.GPU.Device)
			}
		}
		var pairs []profile.Pair
		prefix := fmt.Sprintf("hexcc_%s_%d_", base, r.Scop.Region.Index)
		if pairs, measured, err = pairUp(q.Profile, prefix, measured, counted, lines); err != nil {
			return nil, err
		}
		found = found || len(pairs) > 0
		made, err := q.region(r, grid, counted, pairs)
		if err != nil {
			return nil, err
		}
		out.Regions = append(out.Regions, *made)
	}
	if q.Profile != "" && !found {
		return nil, useless(q.Profile, 1, "name the region with --region, or take all of the file", "it has no kernel of the regions that were translated")
	}
	for _, m := range measured {
		out.Others = append(out.Others, m.Kernel)
	}
	return out, nil
}

// region says what bounds the kernels of r, and what to try.
func (q *Request) region(r *hexcc.Region, grid model.Grid, counted []profile.Counted, pairs []profile.Pair) (*Region, error) {
	d := r.GPU.Device
	out := &Region{
		Function: r.Scop.Function, Line: r.Scop.UserLine(), Strategy: string(r.Strategy), Sizes: r.Sizes.String(), Arch: d.Name, Part: d.Part,
		Measured: len(pairs) > 0, Grid: grid.Values, Updates: grid.Points,
	}
	if r.Streams != nil {
		out.Pipeline = r.Streams.Fit().Shape.String()
	}
	if len(pairs) == 0 {
		for _, c := range counted {
			e := c.Evidence(d)
			out.Kernels = append(out.Kernels, Kernel{Name: c.Kernel, Counted: c, Intensity: c.Intensities(d), Shares: e.Shares, Findings: e.Classify()})
		}
	}
	for _, p := range pairs {
		e := p.Evidence(profile.DeviceOf(p.CC))
		out.Kernels = append(out.Kernels, Kernel{Name: p.Kernel, Measured: p.Measured, Counted: p.Counted, Intensity: p.Counted.Intensities(d), Shares: e.Shares, Findings: e.Classify(), Comparison: profile.CompareKernel(p)})
	}
	q.compare(out, grid, counted, pairs, d)
	s := &subject{Region: r, options: q.Options, counted: counted, several: len(q.Result.Regions) > 1}
	baseline := q.Result.Files.Kernel
	if s.several {
		res, _, err := alone(q.Source, q.Options, r, true)
		if err != nil {
			return nil, err
		}
		baseline = res.Files.Kernel
	}
	out.Trials = s.try(q.Source, out.findings(), baseline)
	return out, nil
}

// findings returns those of all kernels, the main ones of the kernels that take the longest first, each class and reason once.
func (r *Region) findings() (all []profile.Finding) {
	kernels := slices.Clone(r.Kernels)
	slices.SortStableFunc(kernels, func(a, b Kernel) int {
		switch x, y := a.seconds(), b.seconds(); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, main := range []bool{true, false} {
		for _, k := range kernels {
			for i, f := range k.Findings {
				if (i == 0) == main && !slices.ContainsFunc(all, func(g profile.Finding) bool { return f.Class == g.Class && f.Reason == g.Reason }) {
					all = append(all, f)
				}
			}
		}
	}
	return all
}

func (k Kernel) seconds() float64 {
	if k.Measured == nil {
		return 0
	}
	v, _ := k.Measured.Has(profile.Time)
	return v
}

// compare compares what was measured with what was expected, where the sizes are known.
func (q *Request) compare(out *Region, grid model.Grid, counted []profile.Counted, pairs []profile.Pair, d machine.Device) {
	switch {
	case len(pairs) == 0 && q.Profile != "":
		out.Uncompared = "the profile has no launch of its kernels"
	case len(pairs) == 0:
		out.Uncompared = "nothing was measured"
	case slices.ContainsFunc(grid.Values, func(v model.Value) bool { return v.From == "assumed" }):
		out.Uncompared = "the sizes of the run are not known: -DNAME=V or --grid gives them"
	default:
		n, note, why := profile.Updates(pairs, len(counted), grid.Points)
		if out.Compared, out.Uncompared = note, why; why == "" {
			of, ok := profile.DeviceOf(pairs[0].CC)
			out.Comparison = profile.Compare(pairs, n, ok && of.Name == d.Name)
			if ok {
				out.Intensity = pairs[0].Counted.MeasuredIntensities(of, out.Comparison)
			}
		}
	}
}

// JSON returns r in the form that docs/profile.md describes. Lists and maps are never null.
func (r *Result) JSON() []byte {
	full := *r
	full.Others, full.Notes, full.Regions = filled(r.Others), filled(r.Notes), slices.Clone(r.Regions)
	for i := range full.Regions {
		x := &full.Regions[i]
		x.Grid, x.Comparison, x.Intensity, x.Trials, x.Kernels = filled(x.Grid), filled(x.Comparison), filled(x.Intensity), filled(slices.Clone(x.Trials)), slices.Clone(x.Kernels)
		for j := range x.Trials {
			x.Trials[j].Without = filled(x.Trials[j].Without)
		}
		for j := range x.Kernels {
			k := &x.Kernels[j]
			k.Findings, k.Comparison, k.Intensity, k.Counted.Also = filled(k.Findings), filled(k.Comparison), filled(k.Intensity), filled(k.Counted.Also)
			if k.Measured != nil {
				m := *k.Measured
				m.Lacks, m.Stalls, m.Pipes = filled(m.Lacks), filledMap(m.Stalls), filledMap(m.Pipes)
				k.Measured = &m
			}
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(&full); err != nil {
		panic(fmt.Sprintf("advice: JSON of %s: %v", r.File, err)) // plain data always encodes
	}
	return out.Bytes()
}

func filled[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

func filledMap[K comparable](m map[K]float64) map[K]float64 {
	if m == nil {
		return map[K]float64{}
	}
	return maps.Clone(m)
}
