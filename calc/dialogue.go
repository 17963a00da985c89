package calc

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// The prompts of a dialogue: for a statement, and for the rest of one.
const (
	promptFirst = "> "
	promptMore  = ". "
)

// Converse runs statements as they are typed, line by line, until in ends. It shows prompts if prompts is not nil. After
// a mistake, which report is told, it goes on with the next line.
func (c *Calculator) Converse(file string, in io.Reader, prompts io.Writer, report func(error)) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	pending, before, count := "", 0, 0 // a statement without an end yet, and where it starts
	prompt := promptFirst
	for {
		if prompts != nil {
			fmt.Fprint(prompts, prompt)
		}
		if !lines.Scan() {
			break
		}
		pending += lines.Text() + "\n"
		count++
		n := completeSize(pending)
		if n > 0 {
			if err := c.Run(file, pending[:n], before); err != nil {
				report(err)
			}
			pending, before = pending[n:], count-1
		}
		prompt = promptMore
		if strings.TrimSpace(blankComments(pending)) == "" {
			pending, before, prompt = "", count, promptFirst
		}
	}
	if prompts != nil {
		fmt.Fprintln(prompts)
	}
	if strings.TrimSpace(blankComments(pending)) != "" {
		if err := c.Run(file, pending, before); err != nil {
			report(err)
		}
	}
	return lines.Err()
}

// completeSize returns the length of the statements in text up to the last semicolon that ends one, or 0.
func completeSize(text string) int {
	end, depth, inString := 0, 0, false
	for i, r := range blankComments(text) {
		switch {
		case r == '"':
			inString = !inString
		case r == '\n':
			inString = false
		case inString:
		case r == '{':
			depth++
		case r == '}':
			depth = max(depth-1, 0)
		case r == ';' && depth == 0:
			end = i + 1
		}
	}
	return end
}
