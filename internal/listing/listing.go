// Package listing reads what compilers print of machine code: which instructions they made of which line of a C text. It knows GNU assembly, of gcc and clang,
// the PTX of nvcc, and what nvdisasm prints.
package listing

import (
	"path"
	"regexp"
	"strconv"
	"strings"
)

// A Function is the code of one.
type Function struct {
	Name         string
	Instructions []Instruction
}

// An Instruction is one of a function.
type Instruction struct {
	Label string // that it can be reached by, "" for none
	Text  string // operation and operands, apart by one space
	Line  int    // of the C text, 0 where it is of no line of that
}

// Operation returns the name of the operation, with its modifiers and without the predicate that it is executed under.
func (in Instruction) Operation() string {
	words := strings.Fields(in.Text)
	if strings.HasPrefix(words[0], "@") && len(words) > 1 {
		words = words[1:]
	}
	return strings.TrimSuffix(words[0], ";")
}

var (
	space      = regexp.MustCompile(`\s+`)
	fileLine   = regexp.MustCompile(`^\.file\s+(\d+)\s+"([^"]*)"(?:\s+"([^"]*)")?`)
	locLine    = regexp.MustCompile(`^\.loc\s+(\d+)\s+(\d+)`)
	inlinedLoc = regexp.MustCompile(`inlined_at\s+(\d+)\s+(\d+)`)
	labelLine  = regexp.MustCompile(`^([\w.$]+):`)
	entryLine  = regexp.MustCompile(`^(?:\.visible\s+|\.weak\s+)*\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$]+)`)
	label      = regexp.MustCompile(`[\w.$]+`)
)

// GNU returns the functions of assembly that gcc or clang prints with -g1, of those whose names begin with prefix, and which of their instructions
// are of lines of the file with this name. Labels that nothing names are left out.
func GNU(text, file, prefix string) []Function {
	files := filesOf(text, file)
	var r reader
	inside := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if comment := strings.Index(line, "\t#"); comment >= 0 {
			line = strings.TrimSpace(line[:comment])
		}
		if m := labelLine.FindStringSubmatch(line); m != nil {
			switch name := m[1]; {
			case !strings.HasPrefix(name, "."):
				if inside = strings.HasPrefix(name, prefix); inside {
					r.begin(name)
				}
			case inside:
				r.label = name
			}
			continue
		}
		switch {
		case !inside || line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, ".loc"):
			r.at(line, files)
		case strings.HasPrefix(line, ".size"):
			inside = false
		case !strings.HasPrefix(line, "."):
			r.add(line)
		}
	}
	return r.functions()
}

// PTX returns the kernels and functions of PTX that nvcc prints with -lineinfo.
func PTX(text, file string) []Function {
	files := filesOf(text, file)
	var r reader
	depth := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if m := entryLine.FindStringSubmatch(line); m != nil && depth == 0 {
			r.begin(m[1])
			continue
		}
		switch {
		case line == "{":
			depth++
		case line == "}":
			depth--
		case depth == 0 || line == "" || strings.HasPrefix(line, "//"):
		case strings.HasPrefix(line, ".loc"):
			r.at(line, files)
		case labelLine.MatchString(line):
			r.label = labelLine.FindStringSubmatch(line)[1]
		case !strings.HasPrefix(line, ".") && strings.HasSuffix(line, ";"):
			r.add(strings.TrimSuffix(line, ";"))
		}
	}
	return r.functions()
}

var (
	sassFile    = regexp.MustCompile(`^//## File "([^"]*)", line (\d+)`)
	sassInlined = regexp.MustCompile(`inlined at "([^"]*)", line (\d+)`)
	sassCode    = regexp.MustCompile(`^/\*[0-9a-f]+\*/\s+(.*?)\s*;`)
)

// SASS returns the kernels of what nvdisasm -gi -c prints.
func SASS(text, file string) []Function {
	var r reader
	inside, fresh := false, true // the next line that is said is that of another instruction
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if section, begins := strings.CutPrefix(line, ".section\t"); begins {
			name, code := strings.CutPrefix(strings.Split(section, ",")[0], ".text.")
			if inside = code; inside {
				r.begin(name)
			}
			continue
		}
		if !inside {
			continue
		}
		if m := sassFile.FindStringSubmatch(line); m != nil {
			if fresh {
				r.line, fresh = 0, false
			}
			if path.Base(m[1]) == file && r.line == 0 { // the innermost call comes first
				r.line = number(m[2])
			}
			if m := sassInlined.FindStringSubmatch(line); m != nil && path.Base(m[1]) == file && r.line == 0 {
				r.line = number(m[2])
			}
			continue
		}
		if m := sassCode.FindStringSubmatch(line); m != nil {
			r.add(m[1])
			fresh = true
		} else if m := labelLine.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[1], ".text.") {
			r.label = m[1]
		}
	}
	return r.functions()
}

// filesOf returns whether files are the one with this name, by their numbers.
func filesOf(text, file string) map[int]bool {
	files := map[int]bool{}
	for line := range strings.Lines(text) {
		if m := fileLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			name := m[2]
			if m[3] != "" {
				name = m[3]
			}
			files[number(m[1])] = path.Base(name) == file
		}
	}
	return files
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // what matched \d+ and is too long is no line
	return n
}

// A reader collects functions.
type reader struct {
	all   []Function
	line  int
	label string
}

func (r *reader) begin(name string) {
	r.all = append(r.all, Function{Name: name})
	r.line, r.label = 0, ""
}

// at takes the place that a directive says.
func (r *reader) at(line string, files map[int]bool) {
	m := locLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if files[number(m[1])] {
		r.line = number(m[2])
		return
	}
	r.line = 0
	if m := inlinedLoc.FindStringSubmatch(line); m != nil && files[number(m[1])] {
		r.line = number(m[2])
	}
}

func (r *reader) add(text string) {
	f := &r.all[len(r.all)-1]
	f.Instructions = append(f.Instructions, Instruction{r.label, space.ReplaceAllString(text, " "), r.line})
	r.label = ""
}

// functions returns those that have code, without labels that nothing names.
func (r *reader) functions() (all []Function) {
	for _, f := range r.all {
		named := map[string]bool{}
		for _, in := range f.Instructions {
			_, operands, _ := strings.Cut(in.Text, " ")
			for _, word := range label.FindAllString(operands, -1) {
				named[word] = true
			}
		}
		for i := range f.Instructions {
			if in := &f.Instructions[i]; !named[in.Label] {
				in.Label = ""
			}
		}
		if len(f.Instructions) > 0 {
			all = append(all, f)
		}
	}
	return all
}
