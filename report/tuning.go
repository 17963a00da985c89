package report

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"math"

	"github.com/hexcc/hexcc/ctext"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/tune"
)

// This file makes a page of what was measured: a picture of what each candidate takes beside what the model expects of it, and a table.

//go:embed page/tuning.html
var tuningText string

var tuningTemplate = template.Must(template.Must(pageTemplate.Clone()).New("tuning").Parse(tuningText))

// A Tuning is what a page of measurements shows.
type Tuning struct {
	Version, Name string // of hexcc; of the source file
	About         string // what was measured, where and at what sizes
	Summary       string // what is fastest
	Unit          string // of what the model expects
	Outcomes      []tune.Outcome
	Ended         string // why the search ended before all were measured; "": it did not
}

// TuningPage returns the page as one file that needs no other. Equal values give equal files.
func TuningPage(t Tuning) []byte {
	d := tuningData{Title: "Tuning of " + diag.Printable(t.Name), Version: t.Version, Made: ctext.Made, CSS: template.CSS(pageCSS), About: t.About, Summary: t.Summary, Unit: t.Unit, Ended: t.Ended} // CSS is ours, and constant
	ranked := tune.Ranked(t.Outcomes)
	best, chosen := math.Inf(1), ""
	if b := (&tune.Result{Outcomes: t.Outcomes}).Best(); b != nil {
		best, chosen = b.Best(), b.Name
	}
	for _, o := range ranked {
		row := tuningRow{Name: o.Name, Bound: o.Bound}
		if o.Expected > 0 {
			row.Expected = fmt.Sprintf("%.4g", o.Expected)
		}
		if o.Rejected != nil {
			row.Why = fmt.Sprintf("%s: %s", o.Rejected.Kind, o.Rejected.Why)
		} else {
			row.Seconds, row.Ratio = fmt.Sprintf("%.4g", o.Best()), fmt.Sprintf("%.2f", o.Best()/best)
			row.Chosen = o.Name == chosen
		}
		d.Rows = append(d.Rows, row)
	}
	if picture := scatter(ranked, t.Unit); picture != nil {
		d.Picture = template.HTML(picture.inline("scatter", "Seconds measured, and what the model expects", // ours: texts in it are escaped
			fmt.Sprintf("A point for each of %d candidates that were measured and of which the model expects something.", len(ranked))))
	}
	var out bytes.Buffer
	if err := tuningTemplate.Execute(&out, d); err != nil {
		panic(fmt.Sprintf("report: page of measurements of %s: %v", t.Name, err)) // plain data always fits
	}
	return out.Bytes()
}

type tuningData struct {
	Title, Version, Made, About, Summary, Unit, Ended string
	CSS                                               template.CSS
	Picture                                           template.HTML
	Rows                                              []tuningRow
}

type tuningRow struct {
	Name, Seconds, Ratio, Expected, Bound, Why string
	Chosen                                     bool
}

const (
	scatterWide, scatterHigh = 860.0, 460.0
	scatterLeft              = 74.0
	scatterBase              = 48.0
)

// scatter draws a point for each outcome that has a time and an expected one, on axes with even ratios; nil: there are none.
func scatter(outcomes []tune.Outcome, unit string) *drawing {
	var some []tune.Outcome
	x, y := newRatios(), newRatios()
	for _, o := range outcomes {
		if o.Expected > 0 && !math.IsInf(o.Best(), 1) && o.Best() > 0 {
			some = append(some, o)
			x.add(o.Expected)
			y.add(o.Best())
		}
	}
	if some == nil {
		return nil
	}
	d := &drawing{w: scatterWide, h: scatterHigh}
	d.rect(0, 0, d.w, d.h, attrs{"fill", ink.paper})
	right, bottom := d.w-24, d.h-scatterBase
	at := func(o tune.Outcome) point {
		return point{scatterLeft + x.part(o.Expected)*(right-scatterLeft), bottom - y.part(o.Best())*(bottom-24)}
	}
	for _, v := range x.ticks() {
		p := scatterLeft + x.part(v)*(right-scatterLeft)
		d.line(point{p, 24}, point{p, bottom}, attrs{"stroke", ink.grid})
		d.text(p, bottom+16, fmt.Sprintf("%.3g", v), style{size: 12, fill: ink.faint, anchor: "middle"})
	}
	for _, v := range y.ticks() {
		p := bottom - y.part(v)*(bottom-24)
		d.line(point{scatterLeft, p}, point{right, p}, attrs{"stroke", ink.grid})
		d.text(scatterLeft-8, p+4, fmt.Sprintf("%.3g", v), style{size: 12, fill: ink.faint, anchor: "end"})
	}
	d.text(right, d.h-10, "expected by the model, "+unit, style{size: 13, fill: ink.text, anchor: "end"})
	d.text(8, 16, "seconds measured", style{size: 13, fill: ink.text})
	groups := map[string]int{}
	for i, o := range some {
		if _, known := groups[o.Group]; !known {
			groups[o.Group] = len(groups)
			k := groups[o.Group]
			p := point{right - 110, 36 + 18*float64(k)}
			d.circle(p, 5, attrs{"fill", statementInk(k)})
			d.text(p.x+10, p.y+4, o.Group, style{size: 12, fill: ink.text})
		}
		d.note(fmt.Sprintf("%s: %.4g s, expected %.4g", o.Name, o.Best(), o.Expected), func() {
			more := attrs{"fill", statementInk(groups[o.Group]), "fill-opacity", 0.75}
			if i == 0 {
				more = append(more, "stroke", ink.axis, "stroke-width", 3)
			}
			d.circle(at(o), 6, more)
		})
	}
	return d
}

// ratios is an axis on which equal ratios are equally far apart.
type ratios struct{ lo, hi float64 }

func newRatios() *ratios { return &ratios{math.Inf(1), 0} }

func (r *ratios) add(v float64) { r.lo, r.hi = min(r.lo, v), max(r.hi, v) }

// part returns where v is, from 0 to 1, with a little room at both ends.
func (r *ratios) part(v float64) float64 {
	lo, hi := math.Log(r.lo/1.1), math.Log(r.hi*1.1)
	return (math.Log(v) - lo) / (hi - lo)
}

// ticks returns 1, 2 and 5 times powers of ten; where fewer than three of them fit the axis, multiples of the greatest of these
// numbers of which three do.
func (r *ratios) ticks() (all []float64) {
	lo, hi := r.lo/1.1, r.hi*1.1
	for e := math.Floor(math.Log10(r.lo)); e <= math.Ceil(math.Log10(r.hi)); e++ {
		for _, m := range []float64{1, 2, 5} {
			if v := m * math.Pow(10, e); v >= lo && v <= hi {
				all = append(all, v)
			}
		}
	}
	for step := math.Pow(10, math.Floor(math.Log10(hi))); len(all) < 3; step /= 10 {
		for _, m := range []float64{5, 2, 1} {
			if len(all) >= 3 {
				break
			}
			all = nil
			for v := math.Ceil(lo/(m*step)) * m * step; v <= hi; v += m * step {
				all = append(all, math.Round(v/(m*step))*m*step)
			}
		}
	}
	return all
}
