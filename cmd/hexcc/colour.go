package main

import (
	"io"
	"os"
	"regexp"
)

// This file colours diagnostics on terminals. It knows their lines by how they begin, so that text without colours stays what it is.

// coloured reports whether what is written to w is to have colours: auto asks whether it is a terminal that has them, and whether the user wants any.
func coloured(when string, w io.Writer) bool {
	switch when {
	case "always":
		return true
	case "never":
		return false
	}
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && os.Getenv("TERM") != ""
}

var (
	// A headLine is that of a diagnostic: its place, or none, and what it is.
	headLine = regexp.MustCompile(`(?m)^((?:[^\s][^\n]*?: )?)(error|warning|remark|note|help): `)
	// A caretLine is what stands below a line of a source.
	caretLine = regexp.MustCompile(`(?m)^( *\| *)([\^~][\^~ ]*)$`)
)

// The colours, as of gcc.
var colours = map[string]string{
	"error": "\x1b[1;31m", "warning": "\x1b[1;35m", "remark": "\x1b[1;36m", "note": "\x1b[1;36m", "help": "\x1b[1;32m",
}

const (
	bold     = "\x1b[1m"
	green    = "\x1b[1;32m"
	colorEnd = "\x1b[0m"
)

// colour returns the text of diagnostics with colours.
func colour(text string) string {
	text = headLine.ReplaceAllStringFunc(text, func(head string) string {
		m := headLine.FindStringSubmatch(head)
		place := ""
		if m[1] != "" {
			place = bold + m[1] + colorEnd
		}
		return place + colours[m[2]] + m[2] + ":" + colorEnd + " "
	})
	return caretLine.ReplaceAllString(text, "${1}"+green+"${2}"+colorEnd)
}
