package frontend

import (
	"bytes"
	"strings"
)

// This file keeps #if and #endif together where stretches of a region are copied, each of which may hold one without the other:
//
//	#ifdef NONLINEAR
//	  a[i] = f(b[i]);
//	#else
//	  a[i] = b[i];        // a statement ends here, and what is copied of it
//	#endif
//
// A stretch begins and ends where the compiler reads the text, so that what is open at its end is closed there, and what is closed but was opened in front of it
// is opened by #if 1.

// balanced writes text, a stretch of the user's file from offset from on, with the directives that it lacks.
func (w *patchwork) balanced(text []byte, from int) {
	opened, closed := unmatchedConditionals(text)
	own := func(at int, text string) {
		w.pieces = append(w.pieces, stretch{w.text.Len(), at, true})
		w.text.WriteString(text)
	}
	if opened > 0 {
		own(from, "\n"+strings.Repeat("#if 1\n", opened))
	}
	w.pieces = append(w.pieces, stretch{w.text.Len(), from, false})
	w.text.Write(text)
	if closed > 0 {
		own(from+len(text), strings.Repeat("\n#endif", closed)+"\n")
	}
}

// unmatchedConditionals returns how many conditionals of the preprocessor must be opened in front of text, and how many closed behind it.
func unmatchedConditionals(text []byte) (before, behind int) {
	if bytes.IndexByte(text, '#') < 0 {
		return 0, 0
	}
	for i := 0; i < len(text); {
		if text[i] != '#' || !atLineStart(text, i) {
			i += notWordLen(text[i:])
			continue
		}
		end := directiveEnd(text, i)
		word := directiveWord(text[i:end])
		switch word {
		case "if", "ifdef", "ifndef":
			behind++
		case "else", "elif", "elifdef", "elifndef", "endif":
			if behind == 0 {
				before, behind = before+1, 1
			}
			if word == "endif" {
				behind--
			}
		}
		i = end
	}
	return before, behind
}
