package device_test

import (
	"os"
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

// TestRun compares what the kernels do on the device with the interpreter, and
// asks for devices and options that do not exist.
func TestRun(t *testing.T) {
	t.Setenv("POCL_CACHE_DIR", t.TempDir())
	d, err := device.Open("")
	if err != nil && os.Getenv("CI") != "true" {
		t.Skip("no OpenCL: ", err)
	}
	require.NoError(t, err)
	defer func() { require.NoError(t, d.Close()) }()
	res, err := hexcc.Compile(hexcc.Source{Name: "f.c", Text: []byte(text)}, hexcc.Options{Tile: &schedule.Sizes{H: 1, W: []int64{4}}})
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
