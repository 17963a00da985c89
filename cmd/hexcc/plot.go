package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/report"
)

// Run draws the tiling.
func (c *plotCmd) Run(s *session) error {
	o, err := c.options()
	if err != nil {
		return err
	}
	res, err := s.compile(&c.sourceFlags, c.shows(c.targetFlags, c.mappingFlags), func(o *hexcc.Options) {
		if o.Target == hexcc.PTX {
			o.Stop = "kernels" // PTX takes LLVM, of which nothing is drawn
		}
	})
	if err != nil {
		return err
	}
	if err := tiled(res, "plot draws"); err != nil {
		return err
	}
	if err := knownParameters(o.Values, res); err != nil {
		return err
	}
	return s.deliver(c.Force, c.Output, report.Plot(o, res.AllProducts()...))
}

// tiled returns an error where a region has a schedule of the user's own, of whose tiles nothing is known.
func tiled(res *hexcc.Result, what string) error {
	for _, r := range res.Regions {
		if r.Mapped != nil {
			return fmt.Errorf("hexcc %s the tiles that hexcc makes, and --load-schedule has a schedule of its own: hexcc inspect shows its loops", what)
		}
	}
	return nil
}

// options returns what to draw; an error is a mistake of usage.
func (c *plotCmd) options() (o report.PlotOptions, err error) {
	for _, name := range c.Picture {
		if name == "all" {
			return o, fmt.Errorf("--picture=all: leave out --picture to draw all")
		}
		if !slices.Contains(report.PictureNames, name) {
			return o, fmt.Errorf("--picture=%s: pictures are %s", name, strings.Join(report.PictureNames, ", "))
		}
		if name == "ranks" && c.Target != "mpi" {
			return o, fmt.Errorf("--picture=ranks: with --target=%s there is none: there are no ranks; take --target=mpi", c.Target)
		}
		if why := report.NoPictureOnCPU[name]; why != "" && isCPU(c.Target) {
			there := slices.DeleteFunc(report.PicturesOnCPU(), func(name string) bool { return name == "ranks" && c.Target != "mpi" })
			return o, fmt.Errorf("--picture=%s: with --target=%s there is none: %s; pictures are %s", name, c.Target, why, strings.Join(there, ", "))
		}
	}
	o.Pictures = c.Picture
	o.Values, err = namedValues(c.Values)
	return o, err
}

// knownParameters returns an error if values are of a parameter that no region has.
func knownParameters(values map[string]int64, res *hexcc.Result) error {
	var have []string
	for _, r := range res.Regions {
		for _, p := range r.Scop.Params {
			have = append(have, p.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(have, name) {
			return fmt.Errorf("--values=%s=%d: there is no parameter %s, only %s", name, values[name], name, strings.Join(have, ", "))
		}
	}
	return nil
}

// mostValue is more than a picture shows of a domain.
const mostValue = 1 << 19

// namedValues reads values of parameters, such as n=40.
func namedValues(items []string) (map[string]int64, error) {
	values := map[string]int64{}
	for _, item := range items {
		name, text, found := strings.Cut(item, "=")
		v, err := strconv.ParseInt(text, 10, 64)
		if !found || err != nil || v < -mostValue || v > mostValue {
			return nil, fmt.Errorf("--values=%s: values of parameters are given by name, as in n=40,steps=12, up to %d", item, mostValue)
		}
		values[name] = v
	}
	return values, nil
}

// deliver writes what a command makes to a file, or to standard output where path is "" or "-".
func (s *session) deliver(force bool, path string, text []byte) error {
	if path == "" {
		path = "-"
	}
	return s.write(force, outFile{path: path, text: text})
}
