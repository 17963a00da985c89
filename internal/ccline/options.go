package ccline

import "strings"

// This file knows which options of C compilers have their value in the next argument. gcc and clang agree on those that both have.

// apart are the options whose value is the next argument, unless it is joined to them.
var apart = set(
	"-o", "-x", "-I", "-D", "-U", "-L", "-l", "-u", "-T", "-z", "-A", "-B", "-F", "-e", "-arch", "-target", "-aux-info",
	"-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-imultilib", "-cxx-isystem",
	"-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xpreprocessor", "-Xassembler", "-Xclang", "-Xopenmp-target", "-mllvm", "-gcc-toolchain",
	"-dumpbase", "-dumpbase-ext", "-dumpdir", "-wrapper", "-framework", "-ivfsoverlay", "-working-directory", "-Tbss", "-Tdata", "-Ttext",
	"--param", "--sysroot", "--include", "--define-macro", "--undefine-macro", "--output", "--language", "--include-directory",
)

// long are options with two dashes, by what is shorter for them.
var long = map[string]string{
	"--include": "-include", "--define-macro": "-D", "--undefine-macro": "-U", "--output": "-o", "--language": "-x", "--include-directory": "-I",
	"--compile": "-c", "--assemble": "-S", "--preprocess": "-E", "--dependencies": "-M", "--user-dependencies": "-MM", "--std": "-std",
	"--write-dependencies": "-MD", "--write-user-dependencies": "-MMD", "--ansi": "-ansi",
}

// joined are options whose value may follow without a space.
var joined = []string{"-isystem", "-iquote", "-idirafter", "-include", "-MF", "-MT", "-MQ", "-MJ", "-I", "-D", "-U", "-x", "-o"}

// An Option is an argument that is one, with its value.
type Option struct {
	Name, Value string
	Words       int // arguments that it takes up: 2 where the value is apart
}

// Split reads the option at the start of args: there is one.
func Split(args []string) Option {
	word := args[0]
	if name, ok := long[word]; ok && !apart[word] {
		return Option{name, "", 1}
	}
	if name, value, given := strings.Cut(word, "="); given && long[name] != "" {
		return Option{long[name], value, 1}
	}
	if apart[word] {
		name := word
		if short := long[word]; short != "" {
			name = short
		}
		if len(args) > 1 {
			return Option{name, args[1], 2}
		}
		return Option{name, "", 1}
	}
	for _, name := range joined {
		if value, ok := strings.CutPrefix(word, name); ok && value != "" && !apart[word] {
			return Option{name, value, 1}
		}
	}
	return Option{word, "", 1}
}

func set(names ...string) map[string]bool {
	all := map[string]bool{}
	for _, n := range names {
		all[n] = true
	}
	return all
}
