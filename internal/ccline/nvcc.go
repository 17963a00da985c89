package ccline

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// This file reads command lines of nvcc, whose options have long and short names, and values after a space or =.

// nvccShort are the short names of options with values by their long ones.
var nvccShort = map[string]string{
	"--gpu-architecture": "-arch", "--gpu-code": "-code", "--generate-code": "-gencode", "--compiler-bindir": "-ccbin", "--compiler-options": "-Xcompiler", "--linker-options": "-Xlinker",
	"--ptxas-options": "-Xptxas", "--nvlink-options": "-Xnvlink", "--archive-options": "-Xarchive", "--output-file": "-o", "--output-directory": "-odir", "--include-path": "-I", "--define-macro": "-D",
	"--undefine-macro": "-U", "--pre-include": "-include", "--system-include": "-isystem", "--library": "-l", "--library-path": "-L", "--x": "-x", "--std": "-std", "--optimize": "-O", "--machine": "-m",
	"--maxrregcount": "-maxrregcount", "--threads": "-t", "--dependency-output": "-MF", "--dependency-target-name": "-MT", "--options-file": "-optf", "--cudart": "-cudart", "--relocatable-device-code": "-rdc",
}

// nvccFlags are short names of options without values by their long ones.
var nvccFlags = map[string]string{
	"--compile": "-c", "--device-c": "-dc", "--preprocess": "-E", "--generate-dependencies": "-M", "--generate-nonsystem-dependencies": "-MM", "--generate-dependencies-with-compile": "-MD",
	"--generate-nonsystem-dependencies-with-compile": "-MMD", "--generate-dependency-targets": "-MP", "--ptx": "-ptx", "--cubin": "-cubin", "--fatbin": "-fatbin", "--cuda": "-cuda", "--lib": "-lib", "--link": "-link", "--run": "-run",
	"--device-link": "-dlink", "--dryrun": "-dryrun", "--shared": "-shared", "--keep": "-keep", "--keep-dir": "-keep-dir",
}

var nvccApart = func() map[string]bool {
	all := set("-keep-dir", "-Xfatbin", "-Xcudafe", "-Xopencc", "-ldir")
	for _, short := range nvccShort {
		all[short] = true
	}
	return all
}()

// nvccJoined are those whose value may follow at once.
var nvccJoined = []string{"-I", "-D", "-U", "-L", "-l", "-O", "-m"}

// splitNVCC reads the option at the start of args.
func splitNVCC(args []string) Option {
	name, value, given := strings.Cut(args[0], "=")
	if short := nvccFlags[name]; short != "" && !given {
		return Option{short, "", 1}
	}
	if short := nvccShort[name]; short != "" {
		name = short
	}
	switch {
	case given && nvccApart[name] && !slices.ContainsFunc([]string{"-D", "-I", "-U", "-L", "-l"}, func(j string) bool { return strings.HasPrefix(args[0], j) && args[0] != j }):
		return Option{name, value, 1}
	case !given && nvccApart[name]:
		if name == "-O" || name == "-m" { // a value is joined, or there is none
			return Option{name, "", 1}
		}
		if len(args) > 1 {
			return Option{name, args[1], 2}
		}
		return Option{name, "", 1}
	}
	for _, j := range nvccJoined {
		if value, ok := strings.CutPrefix(args[0], j); ok && value != "" && !strings.HasPrefix(args[0], "-Xc") && !nvccWord[args[0]] {
			return Option{j, value, 1}
		}
	}
	return Option{args[0], "", 1}
}

// nvccWord are options that begin like those with a joined value.
var nvccWord = set("-lib", "-link", "-lineinfo", "-dlink", "-lto", "-ldir")

// An NVCC is what a command line of nvcc says.
type NVCC struct {
	Args   []string
	Inputs []Input // in C, C++ and CUDA, which is C++
	Stage  Stage
	Output string
	// Archs are the architectures that are named, as sm_80; "native" and others that are no number as they are.
	Archs                              []string
	Dirs, Defines, Undefines, Includes []string
	Depends                            string // -MD or -MMD; "": none
	DependsFile, DependsTarget         string // of -MF and -MT; "": not said
}

var archNumber = regexp.MustCompile(`^(?:sm|compute|lto)_([0-9]+)[af]?$`)

// ParseNVCC reads the arguments of nvcc, without option files.
func ParseNVCC(args []string) NVCC {
	l := NVCC{Args: args}
	language := ""
	var macros []macro
	for i := 0; i < len(args); {
		if args[i] == "" || args[i][0] != '-' {
			l.input(i, language)
			i++
			continue
		}
		o := splitNVCC(args[i:])
		switch o.Name {
		case "-o":
			l.Output = o.Value
		case "-x":
			language = o.Value
		case "-c", "-dc":
			l.Stage = max(l.Stage, Compile)
		case "-E", "-M", "-MM":
			l.Stage = max(l.Stage, Preprocess)
		case "-ptx", "-cubin", "-fatbin", "-cuda", "-dlink", "-dryrun", "-lib", "-run":
			l.Stage = Check
		case "-arch", "-code":
			l.addArchs(o.Value)
		case "-gencode":
			for part := range strings.SplitSeq(o.Value, ",") {
				if value, ok := strings.CutPrefix(part, "arch="); ok {
					l.addArchs(value)
				}
			}
		case "-I", "-isystem":
			l.Dirs = append(l.Dirs, strings.Split(o.Value, ",")...)
		case "-D", "-U":
			macros = add(macros, o.Name, o.Value)
		case "-include":
			l.Includes = append(l.Includes, o.Value)
		case "-MD", "-MMD":
			l.Depends = o.Name
		case "-MF":
			l.DependsFile = o.Value
		case "-MT":
			l.DependsTarget = o.Value
		}
		i += o.Words
	}
	l.Defines, l.Undefines = split(macros)
	return l
}

func (l *NVCC) addArchs(value string) {
	for a := range strings.SplitSeq(value, ",") {
		if m := archNumber.FindStringSubmatch(a); m != nil {
			a = "sm_" + m[1]
		}
		if !slices.Contains(l.Archs, a) {
			l.Archs = append(l.Archs, a)
		}
	}
}

// Least returns the lowest architecture that is named, which all others run; one that is no number comes first. "": none is named.
func (l NVCC) Least() (least string) {
	best := 0
	for _, a := range l.Archs {
		n, err := strconv.Atoi(strings.TrimPrefix(a, "sm_"))
		if err != nil {
			return a
		}
		if best == 0 || n < best {
			least, best = a, n
		}
	}
	return least
}

func (l *NVCC) input(at int, language string) {
	name := l.Args[at]
	in := Input{At: at, Name: name}
	switch {
	case language == "cu", language == "" && filepath.Ext(name) == ".cu":
		in.Cuda, in.Cxx = true, true
	case language == "c++", language == "" && endings[filepath.Ext(name)] == "c++":
		in.Cxx = true
	case language == "c", language == "" && filepath.Ext(name) == ".c":
	default:
		return
	}
	l.Inputs = append(l.Inputs, in)
}

// Alone returns the arguments by which one of the inputs, or what is made of it, is compiled, without what is about the other inputs,
// about linking, dependencies and outputs.
func (l NVCC) Alone() (rest []string) {
	for i := 0; i < len(l.Args); {
		if l.Args[i] == "" || l.Args[i][0] != '-' {
			i++
			continue
		}
		o := splitNVCC(l.Args[i:])
		if !slices.Contains([]string{"-o", "-odir", "-c", "-MD", "-MMD", "-MF", "-MT", "-MP", "-l", "-L", "-Xlinker", "-shared", "-link", "-x", "-t"}, o.Name) {
			rest = append(rest, l.Args[i:i+o.Words]...)
		}
		i += o.Words
	}
	return rest
}
