// Package ccline reads the command lines of C compilers, as gcc and clang take them: which files they compile, in
// which language, by which macros and folders, and what is to come of it. It runs nothing, and reads no file.
package ccline

import (
	"path/filepath"
	"slices"
	"strings"
)

// A Line is what a command line says.
type Line struct {
	Wrappers []string // what stands before the compiler and runs it: ccache, distcc
	Compiler string   // a path or a name
	Args     []string // all after the compiler
	Inputs   []Input  // those in C and C++, in order
	Stage    Stage

	Output  string // of -o; "": none
	OpenMP  bool   // regions of OpenMP are compiled
	Debug   bool   // debugging information is asked for
	Warns   bool   // warnings are asked for
	Depends bool   // a file of dependencies is written beside

	Dirs      []string // those that #include looks in before folders of the system, in order: -iquote, then -I
	Defines   []string // -D, NAME or NAME=VALUE: those that hold at the end of the line
	Undefines []string // -U, those that hold at the end of the line
	Includes  []string // -include
	Standard  string   // the last -std or -ansi, as it is written; "": none
	// Dialect are the options by which the compiler's own macros, and the folders of its headers, differ: -std, -m, -f, -isystem and the like.
	Dialect []string
}

// A Stage is where a compiler stops.
type Stage int

// The stages.
const (
	Link       Stage = iota // a program is linked of what is compiled
	Compile                 // -c, -S
	Preprocess              // -E, -M, -MM: nothing is compiled
	Check                   // -fsyntax-only, -###: nothing is made
)

// An Input is a file in C or C++.
type Input struct {
	At   int    // its place in Args
	Name string // "-": standard input
	Cxx  bool   // it is C++
	Cuda bool   // it is CUDA, which is C++: of nvcc only
	// Preprocessed: it is what a preprocessor made.
	Preprocessed bool
}

// wrappers run the command that follows them.
var wrappers = set("ccache", "sccache", "distcc", "icecc", "buildcache")

// base returns the name of a program without folder, version and ending: clang++ of /usr/bin/clang++-19.
func base(program string) string {
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	return strings.TrimRight(strings.TrimRight(name, "0123456789."), "-")
}

// compilesCxx reports whether a compiler takes C for C++.
func compilesCxx(compiler string) bool {
	name := base(compiler)
	return strings.HasSuffix(name, "++") || slices.Contains([]string{"mpicxx", "mpiCC", "mpicxx.openmpi", "mpic++.openmpi", "icpc", "icpx"}, name)
}

// IsClang reports whether the compiler is called clang.
func (l Line) IsClang() bool { return strings.HasPrefix(base(l.Compiler), "clang") }

// endings are the languages of files by the ends of their names; those of others are linked, or in other languages.
var endings = map[string]string{
	".c": "c", ".i": "cpp-output",
	".cc": "c++", ".cp": "c++", ".cxx": "c++", ".cpp": "c++", ".CPP": "c++", ".c++": "c++", ".C": "c++", ".ii": "c++-cpp-output",
}

// Parse reads a command line, from the compiler or what runs it on, without response files. There is at least one word.
func Parse(words []string) Line {
	l := Line{}
	for len(words) > 1 && wrappers[base(words[0])] {
		l.Wrappers, words = append(l.Wrappers, words[0]), words[1:]
	}
	l.Compiler, l.Args = words[0], words[1:]
	language, stage := "", Link
	var quote, dirs []string
	var macros []macro
	for i := 0; i < len(l.Args); {
		word := l.Args[i]
		if word == "" || word[0] != '-' || word == "-" {
			l.input(i, language)
			i++
			continue
		}
		o := Split(l.Args[i:])
		switch o.Name {
		case "-o":
			l.Output = o.Value
		case "-x":
			if language = o.Value; language == "none" {
				language = ""
			}
		case "-c", "-S":
			stage = max(stage, Compile)
		case "-E", "-M", "-MM":
			stage = max(stage, Preprocess)
		case "-fsyntax-only", "-###":
			stage = Check
		case "-I":
			dirs = append(dirs, o.Value)
		case "-iquote":
			quote = append(quote, o.Value)
		case "-D", "-U":
			macros = add(macros, o.Name, o.Value)
		case "-Xpreprocessor":
			if o.Value != "" {
				if inner := Split([]string{o.Value}); inner.Name == "-D" || inner.Name == "-U" {
					macros = add(macros, inner.Name, inner.Value)
				}
			}
		case "-include":
			l.Includes = append(l.Includes, o.Value)
		default:
			l.flag(word, &macros)
		}
		if IsDialect(o.Name) {
			l.Dialect = append(l.Dialect, l.Args[i:i+o.Words]...)
		}
		i += o.Words
	}
	l.Stage, l.Dirs = stage, append(quote, dirs...)
	l.Defines, l.Undefines = split(macros)
	return l
}

// input takes a word for a file, in a language that -x says, or else by its name.
func (l *Line) input(at int, language string) {
	name := l.Args[at]
	if language == "" {
		language = endings[filepath.Ext(name)]
	}
	in := Input{At: at, Name: name}
	switch language {
	case "c":
		in.Cxx = endings[filepath.Ext(name)] == "c" && compilesCxx(l.Compiler)
	case "c++":
		in.Cxx = true
	case "cpp-output":
		in.Preprocessed = true
	case "c++-cpp-output":
		in.Cxx, in.Preprocessed = true, true
	default:
		return
	}
	l.Inputs = append(l.Inputs, in)
}

// flag reads an option that is one word.
func (l *Line) flag(word string, macros *[]macro) {
	switch word {
	case "-fopenmp", "-qopenmp", "-openmp", "-fiopenmp", "-mp":
		l.OpenMP = true
	case "-fno-openmp", "-qno-openmp", "-nomp":
		l.OpenMP = false
	case "-MD", "-MMD":
		l.Depends = true
	case "-g0":
		l.Debug = false
	}
	switch {
	case strings.HasPrefix(word, "-std="), word == "-ansi":
		l.Standard = word
	case strings.HasPrefix(word, "-fopenmp="):
		l.OpenMP = true
	case strings.HasPrefix(word, "-g") && word != "-g0" && !strings.HasPrefix(word, "-gcc-"):
		l.Debug = true
	case strings.HasPrefix(word, "-Wp,"):
		inner := strings.Split(word, ",")[1:]
		for i := 0; i < len(inner); {
			if inner[i] == "" {
				i++
				continue
			}
			o := Split(inner[i:])
			switch o.Name {
			case "-D", "-U":
				*macros = add(*macros, o.Name, o.Value)
			case "-MD", "-MMD":
				l.Depends = true
			}
			i += o.Words
		}
	case strings.HasPrefix(word, "-W") && !strings.HasPrefix(word, "-Wl,") && !strings.HasPrefix(word, "-Wa,"), strings.HasPrefix(word, "-pedantic"):
		l.Warns = true
	}
}

// A macro is what -D and -U say last of a name.
type macro struct{ option, name, text string }

func add(macros []macro, option, text string) []macro {
	name, _, _ := strings.Cut(text, "=")
	name, _, _ = strings.Cut(name, "(")
	macros = slices.DeleteFunc(macros, func(m macro) bool { return m.name == name })
	return append(macros, macro{option, name, text})
}

// split returns macros that are defined and that are not.
func split(macros []macro) (defines, undefines []string) {
	for _, m := range macros {
		if m.option == "-D" {
			defines = append(defines, m.text)
		} else {
			undefines = append(undefines, m.text)
		}
	}
	return defines, undefines
}

// IsDialect reports whether a compiler's own macros, or the folders of its headers, may depend on an option. A path where
// something is written is none.
func IsDialect(name string) bool {
	switch name {
	case "-ansi", "-isystem", "-idirafter", "-cxx-isystem", "-isysroot", "--sysroot", "-nostdinc", "-target", "-arch", "-pthread", "-undef", "-B", "-gcc-toolchain":
		return true
	case "-fsyntax-only", "-fopenmp-simd":
		return false
	}
	for _, start := range []string{"-fdiagnostics", "-fmessage-length", "-fdump", "-fprofile", "-ftest-coverage", "-fplugin", "-frandom-seed", "-fcolor", "-fno-diagnostics", "-fmax-errors", "-ferror-limit", "-fdebug-prefix-map", "-ffile-prefix-map", "-fmacro-prefix-map"} {
		if strings.HasPrefix(name, start) {
			return false
		}
	}
	for _, start := range []string{"-std", "-m", "-f", "-O", "--sysroot=", "--target=", "-B", "--gcc-toolchain="} {
		if strings.HasPrefix(name, start) && name != "-mllvm" {
			return true
		}
	}
	return false
}

// Without returns args without what writes dependencies, and where to.
func Without(args []string) []string { return without(args, 0) }

// without is Without of what a compiler gets, or of what -Wp, hands on to the preprocessor, where -MD has a value: then value is 1.
func without(args []string, value int) (rest []string) {
	for len(args) > 0 {
		word, words := args[0], 1
		switch {
		case word == "" || word[0] != '-' || word == "-":
			rest = append(rest, word)
		case word == "-MD" || word == "-MMD":
			words = min(1+value, len(args))
		case strings.HasPrefix(word, "-Wp,"):
			if inner := without(strings.Split(word, ",")[1:], 1); len(inner) > 0 {
				rest = append(rest, "-Wp,"+strings.Join(inner, ","))
			}
		default:
			o := Split(args)
			if words = o.Words; !slices.Contains([]string{"-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ", "-MJ"}, o.Name) {
				rest = append(rest, args[:words]...)
			}
		}
		args = args[words:]
	}
	return rest
}

// NotLinked returns args without what is for the linker, files included that are no options, but for sources, and without -o.
func NotLinked(args []string) (rest []string) {
	for len(args) > 0 {
		word, words := args[0], 1
		switch {
		case word == "" || word[0] != '-' || word == "-":
			if endings[filepath.Ext(word)] != "" || word == "-" {
				rest = append(rest, word)
			}
		case strings.HasPrefix(word, "-Wl,"), word == "-shared", word == "-static", word == "-pie", word == "-rdynamic", word == "-s":
		default:
			o := Split(args)
			if words = o.Words; !slices.Contains([]string{"-o", "-l", "-L", "-Xlinker", "-u", "-T", "-z", "-e"}, o.Name) && !strings.HasPrefix(word, "-l") && !strings.HasPrefix(word, "-L") {
				rest = append(rest, args[:words]...)
			}
		}
		args = args[words:]
	}
	return rest
}
