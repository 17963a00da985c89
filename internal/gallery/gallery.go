// Package gallery reads the programs of examples/gallery: whole applications in C, written as their fields write them.
package gallery

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Program is one of them. It prints a few numbers, and writes a picture of what it computes.
type Program struct {
	Name  string // heat-2d, of heat-2d.c
	Path  string
	About string // its first comment, without the usage
	Fixed bool   // its sizes are macros, N and T; else they are its first arguments
	text  string
}

// Read returns the programs in a folder, in the order of their names.
func Read(folder string) (all []Program, err error) {
	var paths []string
	for _, glob := range []string{"*.c", "*.cpp"} {
		found, err := filepath.Glob(filepath.Join(folder, glob))
		if err != nil {
			return nil, err
		}
		paths = append(paths, found...)
	}
	slices.Sort(paths)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		p := Program{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), Path: path, Fixed: sizeMacro.Match(text), text: string(text)}
		if p.About, err = about(string(text)); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no programs in %s", folder)
	}
	return all, nil
}

var sizeMacro = regexp.MustCompile(`(?m)^#ifndef N$`)

// IsCPlusPlus reports whether p is C++.
func (p Program) IsCPlusPlus() bool { return strings.HasSuffix(p.Path, ".cpp") }

// file returns the name of the program's file.
func (p Program) file() string { return filepath.Base(p.Path) }

// Sized returns how p is compiled and run for n points along a side and a number of steps.
func (p Program) Sized(n, steps int) (flags, args []string) {
	sizes := []string{fmt.Sprint(n), fmt.Sprint(steps)}
	if !p.Fixed {
		return nil, sizes
	}
	return []string{"-DN=" + sizes[0], "-DT=" + sizes[1]}, nil
}

var (
	firstComment = regexp.MustCompile(`^(?:/\*((?s:.*?))\*/|((?://.*\n)+))`)
	margin       = regexp.MustCompile(`(?m)^(?://| ?\*) ?`)
	usage        = regexp.MustCompile(`(?is)\n *usage:.*`)
)

// about returns the first comment of text, without its margin and the usage at its end.
func about(text string) (string, error) {
	m := firstComment.FindStringSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("it does not begin with a comment")
	}
	return strings.TrimSpace(usage.ReplaceAllString("\n"+margin.ReplaceAllString(m[1]+m[2], ""), "")), nil
}
