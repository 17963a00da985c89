package device_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/emulate"
	"github.com/hexcc/hexcc/opencl"
	"github.com/hexcc/hexcc/opencl/device"
	"github.com/hexcc/hexcc/schedule"
	"github.com/hexcc/hexcc/scop"
)

const text = `
void f(int T, int n, double A[restrict 2][n], double c)
{
#pragma scop
  for (int t = 0; t < T; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = c * (A[t % 2][i - 1] + A[t % 2][i + 1]) / 3;
#pragma endscop
}
`

// TestMain gives PoCL a folder for what it compiles. It asks for that once.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "hexcc-pocl-")
	if err != nil {
		panic(err)
	}
	os.Setenv("POCL_CACHE_DIR", dir)
	status := m.Run()
	os.RemoveAll(dir)
	os.Exit(status)
}

// open opens a device until the end of the test.
func open(t *testing.T) *device.Device {
	t.Helper()
	d, err := device.Open("")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("no OpenCL: ", err)
	}
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// TestRun compares what the kernels do on the device with the interpreter, and
// asks for devices and options that do not exist.
func TestRun(t *testing.T) {
	d := open(t)
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(text)}, hexcc.Options{Target: hexcc.OpenCL, Tile: &schedule.Sizes{H: 1, W: []int64{4}}})
	require.NoError(t, err)
	part := opencl.Part{Program: res.GPU, Names: opencl.Names{Base: "f"}}
	program, err := d.Build(part, d.Usual)
	require.NoError(t, err)
	defer program.Close()
	request := emulate.Request{Program: res.GPU}
	for i, params := range [][]int64{{0, 0}, {1, 1}, {1, 5}, {7, 3}, {13, 97}, {6, 200}} {
		for version := range 2 {
			diff, err := request.Against(params, uint64(i), func(mem *scop.Memory) error { return program.Run(version, mem) })
			require.NoError(t, err)
			require.Zero(t, diff.Differ, "%v: first %s: %s for %s", params, diff.First, diff.A, diff.B)
		}
	}
	_, err = d.Build(part, "-DT=((")
	require.ErrorContains(t, err, "HX509")
	_, err = device.Open("nowhere")
	require.ErrorContains(t, err, "HX507")
}

// TestBuildAll checks that the kernels of several regions, built as one text, do what those of each do.
func TestBuildAll(t *testing.T) {
	d := open(t)
	both := text + strings.NewReplacer("f(", "g(", "/ 3", "- 7").Replace(text)
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(both)}, hexcc.Options{Target: hexcc.OpenCL, Tile: &schedule.Sizes{H: 1, W: []int64{4}}})
	require.NoError(t, err)
	var parts []opencl.Part
	for i, r := range res.Regions {
		parts = append(parts, opencl.Part{Program: r.GPU, Names: opencl.Names{Base: "f", Region: i}})
	}
	programs, err := d.BuildAll(parts, d.Usual)
	require.NoError(t, err)
	require.Len(t, programs, 2)
	for i, program := range programs {
		request := emulate.Request{Program: res.Regions[i].GPU}
		diff, err := request.Against([]int64{7, 40}, 1, func(mem *scop.Memory) error { return program.Run(i, mem) })
		require.NoError(t, err)
		require.Zero(t, diff.Differ, "region %d: first %s: %s for %s", i, diff.First, diff.A, diff.B)
		program.Close()
	}
}
