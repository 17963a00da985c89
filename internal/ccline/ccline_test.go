package ccline

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	for _, x := range []struct{ words, want string }{
		{"gcc -c a.c", "gcc [a.c] compile"},
		{"ccache distcc gcc-12 a.c b.o -o p -lm", "gcc-12 after ccache distcc [a.c] link -o p"},
		{"/usr/bin/ccache /opt/x/gcc -S a.c", "/opt/x/gcc after /usr/bin/ccache [a.c] compile"},
		{"gcc -E a.c -c", "gcc [a.c] preprocess"},
		{"gcc -MM a.c", "gcc [a.c] preprocess"},
		{"gcc -c -MD -MF a.c b.c", "gcc [b.c] compile depends"},
		{"gcc -fsyntax-only -c a.c", "gcc [a.c] check"},
		{"gcc -### -c a.c", "gcc [a.c] check"},
		{"gcc -o a.c b.c", "gcc [b.c] link -o a.c"},
		{"gcc -ob.c c.c", "gcc [c.c] link -o b.c"},
		{"gcc -x c a -x none b d.c", "gcc [a d.c] link"},
		{"gcc -xc++ a.c -x assembler b.c", "gcc [a.c++] link"},
		{"gcc -c -", "gcc [] compile"},
		{"gcc -xc -c -", "gcc [-] compile"},
		{"g++ -c a.c b.cc c.C d.cpp", "g++ [a.c++ b.cc++ c.C++ d.cpp++] compile"},
		{"clang++-19 -c a.c", "clang++-19 [a.c++] compile"},
		{"clang-19 -c a.c", "clang-19 [a.c] compile"},
		{"mpicc -c a.c", "mpicc [a.c] compile"},
		{"gcc -x c -c a.h", "gcc [a.h] compile"},
		{"gcc -c a.h a.S a.f90 a.cu a.i", "gcc [a.i(pre)] compile"},
		{"gcc -Xlinker a.c -T b.c -u c.c -include d.c -isystem e.c e", "gcc [] link include d.c dialect -isystem e.c"},
		{"gcc -fopenmp -c a.c", "gcc [a.c] compile openmp dialect -fopenmp"},
		{"gcc -fopenmp -fno-openmp -c a.c", "gcc [a.c] compile dialect -fopenmp -fno-openmp"},
		{"clang -fopenmp=libomp -c a.c", "clang [a.c] compile openmp dialect -fopenmp=libomp"},
		{"gcc -fopenmp-simd -c a.c", "gcc [a.c] compile"},
		{"gcc -g -c a.c", "gcc [a.c] compile debug"},
		{"gcc -g3 -g0 -c a.c", "gcc [a.c] compile"},
		{"gcc -Wall -c a.c", "gcc [a.c] compile warns"},
		{"gcc -Wl,-O1 -Wa,x -c a.c", "gcc [a.c] compile"},
		{"gcc -DA -D B=2 -UA -DC -Wp,-DD,-UB,-MD,x.d -Xpreprocessor -DE -c a.c", "gcc [a.c] compile depends define C D E undefine A B"},
		{"gcc -DF(x)=x -DF=2 -c a.c", "gcc [a.c] compile define F=2"},
		{"gcc -Ia -I b -iquote c -iquoted -c a.c", "gcc [a.c] compile dirs c d a b"},
		{"gcc -std=gnu99 -ansi -mavx -O3 -pthread --sysroot /x -c a.c", "gcc [a.c] compile dialect -std=gnu99 -ansi -mavx -O3 -pthread --sysroot /x"},
		{"gcc --include pre.h --define-macro=X --output=o --compile a.c", "gcc [a.c] compile -o o define X include pre.h"},
		{"gcc -fprofile-dir=x -fdiagnostics-color -fplugin=y -c a.c", "gcc [a.c] compile"},
		{"gcc -I", "gcc [] link dirs "},
		{"gcc", "gcc [] link"},
		{"ccache", "ccache [] link"},
		{"gcc -dumpbase a.c b.c", "gcc [b.c] link"},
	} {
		require.Equal(t, x.want, describe(Parse(strings.Split(x.words, " "))), x.words)
	}
	require.Empty(t, Parse([]string{"gcc", ""}).Inputs)
	require.Equal(t, "-ansi", Parse([]string{"gcc", "-std=c99", "-ansi"}).Standard)
	require.True(t, Parse([]string{"/usr/bin/clang-19"}).IsClang())
	require.False(t, Parse([]string{"gcc"}).IsClang())
}

// describe writes a line as the table of TestParse has it.
func describe(l Line) string {
	text := l.Compiler
	if len(l.Wrappers) > 0 {
		text += " after " + strings.Join(l.Wrappers, " ")
	}
	var inputs []string
	for _, in := range l.Inputs {
		name := l.Args[in.At]
		if in.Cxx {
			name += "++"
		}
		if in.Preprocessed {
			name += "(pre)"
		}
		inputs = append(inputs, name)
	}
	text += fmt.Sprint(" ", inputs, " ", []string{"link", "compile", "preprocess", "check"}[l.Stage])
	if l.Output != "" {
		text += " -o " + l.Output
	}
	for _, f := range []struct {
		name string
		is   bool
	}{{"openmp", l.OpenMP}, {"debug", l.Debug}, {"warns", l.Warns}, {"depends", l.Depends}} {
		if f.is {
			text += " " + f.name
		}
	}
	for _, list := range []struct {
		name string
		of   []string
	}{{"dirs", l.Dirs}, {"define", l.Defines}, {"undefine", l.Undefines}, {"include", l.Includes}, {"dialect", l.Dialect}} {
		if len(list.of) > 0 {
			text += " " + list.name + " " + strings.Join(list.of, " ")
		}
	}
	return text
}

func TestWithout(t *testing.T) {
	for _, x := range []struct{ args, want string }{
		{"-c -MD -MF x.d -MT t -MQ q -MP -MG a.c -MMD", "-c a.c"},
		{"-MFx.d -MTt a.c", "a.c"},
		{"-Wp,-MD,x.d -c a.c", "-c a.c"},
		{"-Wp,-DX,-MMD,x.d,-UY a.c", "-Wp,-DX,-UY a.c"},
		{"-Wp,-MD,x.d,-MT,t,-DX a.c", "-Wp,-DX a.c"},
		{"-o -MD a.c", "-o -MD a.c"},
		{"-D -MD a.c -MF", "-D -MD a.c"},
		{"- -MD", "-"},
	} {
		require.Equal(t, x.want, strings.Join(Without(strings.Fields(x.args)), " "), x.args)
	}
	require.Equal(t, "-c -O2 a.c", strings.Join(NotLinked(strings.Fields("-c -O2 -lm -L. -l m a.c b.o -Wl,-x -Xlinker y -o out -shared lib.a")), " "))
}
