package opencl_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/internal/cases"
	"github.com/hexcc/hexcc/internal/oracle"
	"github.com/hexcc/hexcc/internal/tool"
	"github.com/hexcc/hexcc/internal/whole"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/scop"
)

// These tests run what is printed on an OpenCL device: in CI that is PoCL, which
// makes one of the CPU.

// cache is where PoCL keeps the kernels that it has built.
var cache string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "hexcc-pocl-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	cache = dir
	for name, value := range map[string]string{"POCL_CACHE_DIR": dir, "HEXCC_OPENCL_DEVICE": ""} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return m.Run()
}

// needDevice skips the test where programs cannot be linked with OpenCL or there
// is no device, except in CI, where it fails.
func needDevice(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("sh", "-c", "echo '#include <CL/cl.h>\nint main(void) { return clGetPlatformIDs(0, 0, 0) == -1001; }' | "+
		"gcc -DCL_TARGET_OPENCL_VERSION=120 -x c - -o "+filepath.Join(cache, "probe")+" -lOpenCL && "+filepath.Join(cache, "probe")).CombinedOutput(); err != nil {
		tool.Missing(t, "no OpenCL (Debian: pocl-opencl-icd ocl-icd-opencl-dev): the printed kernels are not run: %v\n%s", err, out)
	}
}

// A translation is a region and what became of it.
type translation struct {
	scop  *scop.Program
	names opencl.Names
	files opencl.Files
}

// translate translates C text with small tiles.
func translate(t *testing.T, base, text string, o hexcc.Options) translation {
	t.Helper()
	o.Target = hexcc.OpenCL
	return translationOf(base, whole.Narrow(t, base, text, o))
}

func translationOf(base string, res *hexcc.Result) translation {
	return translation{res.Scop, opencl.Names{Base: base}, res.OpenCL}
}

// write puts the files of tr into a new folder and returns it.
func (tr translation) write(t *testing.T) string {
	return whole.Write(t, tr.files.Named(tr.names.Base)...)
}

// object compiles the file that runs the kernels, without a warning.
func (tr translation) object(t *testing.T, dir string) string {
	object := filepath.Join(dir, "kernel.o")
	tool.Quiet(t, "gcc", "-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic", "-c", filepath.Join(dir, opencl.RunFile(tr.names.Base)), "-o", object)
	return object
}

// optimised are the cases that are also run optimised, which takes long to build.
var optimised = []string{"jacobi-1d", "asymmetric", "jacobi-2d"}

// TestCases runs cases of testdata, in CI every fourth, on the device, and compares all arrays
// with what the original program makes of them, bit for bit, at several sizes.
func TestCases(t *testing.T) {
	needDevice(t)
	cases.EachNth(t, 4, 0, func(t *testing.T, base, text string) {
		t.Parallel()
		compare(t, translate(t, base, text, hexcc.Options{NoAlias: true, Strategy: hexcc.Hybrid}), 5, slices.Contains(optimised, base))
	})
}

// TestFused runs cases with products fused on the device, and compares all arrays with what the interpreter makes of the same
// calls of fma, bit for bit.
func TestFused(t *testing.T) {
	needDevice(t)
	for _, base := range []string{"heat-2d", "asymmetric"} {
		t.Run(base, func(t *testing.T) {
			t.Parallel()
			tr := translate(t, base, cases.Input(t, base), hexcc.Options{NoAlias: true, Strategy: hexcc.Hybrid, FMA: true})
			require.Contains(t, tr.files.Kernel, " fma(")
			for _, f := range tr.files.Named(base) {
				require.Contains(t, f.Text, "Made with --fma: products are fused with the sums that they feed.", f.Name)
			}
			compare(t, tr, 3, false)
		})
	}
}

// compare runs tr and its original at several sizes: on the device as the host
// usually builds for it, and then optimised, if that is asked for.
func compare(t *testing.T, tr translation, sizes int, optimised bool) {
	t.Helper()
	ours := tr.build(t)
	opaque := sync.OnceValue(func() *oracle.Binary { return tr.opaque().build(t) })
	for i, x := range oracle.Trials(t, tr.scop, sizes) {
		x.Check(t, "as usual", ours.Run(t, x.Before))
		if !optimised || i%2 == 0 {
			continue
		}
		if diff := x.After.Compare(ours.Run(t, x.Before, optimise)); diff.Differ > 0 {
			t.Logf("%s: the device's optimiser changes %d of %d elements", x.Before.Sizes(), diff.Differ, diff.Elements)
			x.Check(t, "optimised, with opaque conditions", opaque().Run(t, x.Before, optimise))
		}
	}
}

// optimise is the environment in which the device optimises. PoCL 3.1 then makes
// wrong code where it can tell how conditions around barriers depend on each other.
const optimise = "HEXCC_OPENCL_OPTIONS="

// build compiles tr with a driver.
func (tr translation) build(t *testing.T) *oracle.Binary {
	dir := tr.write(t)
	translated := *tr.scop
	translated.Source = []byte(tr.files.Host)
	return oracle.CompileC(t, &translated, "-I", dir, tr.object(t, dir), "-lOpenCL")
}

var (
	signature = regexp.MustCompile(`(?m)^(  "hexcc_\w+_phase\d+\()([^"]*)(\)\\n",\n  "\{\\n",\n)`)
	number    = regexp.MustCompile(`(?:^|, )(int|long) (\w+)`)
	uniform   = regexp.MustCompile(`"  const (int|long) (S\d+ =)|for \((int|long) (S\d+ =)`)
)

// opaque returns tr with kernels that mean the same, but in which no compiler can
// tell what the conditions on tiles have to do with each other: all numbers that
// they look at are volatile.
func (tr translation) opaque() translation {
	text := signature.ReplaceAllStringFunc(tr.files.Run, func(s string) string {
		m := signature.FindStringSubmatch(s)
		copies := ""
		params := number.ReplaceAllStringFunc(m[2], func(p string) string {
			q := number.FindStringSubmatch(p)
			copies += fmt.Sprintf("  \"  volatile %s %s = %s_given;\\n\",\n", q[1], q[2], q[2])
			return p + "_given"
		})
		return m[1] + params + m[3] + copies
	})
	tr.files.Run = uniform.ReplaceAllStringFunc(text, func(s string) string {
		if strings.HasPrefix(s, "for") {
			return strings.Replace(s, "(", "(volatile ", 1)
		}
		return strings.Replace(s, "const", "volatile", 1)
	})
	return tr
}
