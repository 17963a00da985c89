package machine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPhysicalCores reads folders like those of Linux: processors that are siblings are one core.
func TestPhysicalCores(t *testing.T) {
	for want, lists := range map[int][]string{0: nil, 1: {"0-1", "0-1"}, 2: {"0,2", "1,3", "0,2", "1,3"}, 3: {"0", "1", "2"}} {
		folder := t.TempDir()
		for i, list := range lists {
			dir := filepath.Join(folder, fmt.Sprintf("cpu%d", i), "topology")
			require.NoError(t, os.MkdirAll(dir, 0o777))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "thread_siblings_list"), []byte(list+"\n"), 0o666))
		}
		require.NoError(t, os.MkdirAll(filepath.Join(folder, "cpufreq"), 0o777))
		require.Equal(t, want, physicalCores(folder))
	}
}
