package device_test

import (
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/opencl/device"
)

// TestFirstAtOnce opens devices on several threads at the same time, before any other: in a process of its own, where the driver has not begun.
func TestFirstAtOnce(t *testing.T) {
	const inside = "HEXCC_TEST_FIRST"
	if os.Getenv(inside) == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFirstAtOnce$")
		cmd.Env = append(os.Environ(), inside+"=1")
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if d, err := device.Open(""); err == nil { // else there is none
				err = d.Close()
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}
