package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// This file reads the table of commands and flags that --help prints, for pages and scripts that are made of it.

// A commandDoc is a command as --help shows it.
type commandDoc struct {
	name, help string
	args       []argDoc
	flags      []flagDoc
}

// An argDoc is an argument that is no flag.
type argDoc struct {
	name, help string
	optional   bool
	values     []string // known ones
}

// A flagDoc is a flag: -o BASE or --target=cuda.
type flagDoc struct {
	name, short string // without dashes; short may be ""
	help        string
	value       string // what stands for its value; "": it has none
	values      []string
	file        bool // the value is a path
	env         string
}

// commandDocs returns all commands that are shown, in the order of --help.
func commandDocs(app *kong.Application) (docs []commandDoc) {
	for _, node := range app.Children {
		if node.Hidden {
			continue
		}
		d := commandDoc{name: node.Name, help: node.Help}
		for _, p := range node.Positional {
			a := argDoc{name: p.Name, help: p.Help, optional: !p.Required}
			switch {
			case node.Name == "help":
				a.values = helpTopics()
			case node.Name == "completion":
				a.values = shells
			}
			d.args = append(d.args, a)
		}
		for _, f := range node.Flags {
			if !f.Hidden {
				d.flags = append(d.flags, newFlagDoc(f))
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// filePlaces are words for values that are paths.
var filePlaces = []string{"FILE", "DIR", "BASE", "OUT", "PAGE"}

func newFlagDoc(f *kong.Flag) flagDoc {
	d := flagDoc{name: f.Name, help: f.Help}
	if f.Short != 0 {
		d.short = string(f.Short)
	}
	if len(f.Envs) > 0 {
		d.env = f.Envs[0]
	}
	if f.IsBool() && f.PlaceHolder == "" {
		return d
	}
	if d.value = f.PlaceHolder; d.value == "" {
		if d.value = f.Default; d.value == "" {
			d.value = strings.ToUpper(f.Name)
		}
	}
	if f.Enum != "" {
		d.values = strings.Split(f.Enum, ",")
	} else if f.Name == "target" {
		d.values = targetNames
	}
	d.file = slices.ContainsFunc(filePlaces, func(p string) bool { return strings.HasPrefix(d.value, p) })
	return d
}

// targetNames are the values of --target, where they are not said to kong.
var targetNames = []string{"cuda", "opencl", "ptx", "openmp", "c", "mpi", "mpi+cuda"}

// spelled returns the flag as the user writes it.
func (f flagDoc) spelled() string {
	text := "--" + f.name
	if f.value != "" {
		text += "=" + f.value
	}
	if f.short != "" {
		text = "-" + f.short + ", " + text
	}
	return text
}

// shared returns the flags that so many commands have alike, and without those what each has of its own.
func shared(docs []commandDoc, least int) (common []flagDoc, own [][]flagDoc) {
	count := map[string]int{}
	for _, d := range docs {
		for _, f := range d.flags {
			count[f.name+"\n"+f.help]++
		}
	}
	seen := map[string]bool{}
	for _, d := range docs {
		var mine []flagDoc
		for _, f := range d.flags {
			key := f.name + "\n" + f.help
			if count[key] < least {
				mine = append(mine, f)
			} else if !seen[key] {
				seen[key] = true
				common = append(common, f)
			}
		}
		own = append(own, mine)
	}
	return common, own
}
