package machine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseCPU reads processors by name, and mistakes.
func TestParseCPU(t *testing.T) {
	none, err := ParseCPU("")
	require.NoError(t, err)
	require.Nil(t, none)
	cpu, err := ParseCPU("l1=32K, l2=2M,l3=96M,cores=12")
	require.NoError(t, err)
	require.Equal(t, &CPU{First: 32 << 10, Cache: 2 << 20, Last: 8 << 20, Line: 64, Cores: 12}, cpu)
	cpu, err = ParseCPU("l2=524288")
	require.NoError(t, err)
	want := AnyCPU
	want.Cache = 512 << 10
	require.Equal(t, &want, cpu)
	cpu, err = ParseCPU("cores=8") // they share what four have otherwise
	require.NoError(t, err)
	require.Equal(t, AnyCPU.Last/2, cpu.Last)
	for _, wrong := range []string{
		"l1", "l1=", "l1=0", "l1=-4K", "l1=4k", "l1=1G", "l4=1M", "l1=32K,l1=32K", "l1=1K", "l1=64K,l2=32K", "cores=5000", "l2=99999999M", "fast", "native,l1=1K",
	} {
		_, err := ParseCPU(wrong)
		require.Error(t, err, wrong)
	}
}

// TestNativeCPU reads folders like those of Linux.
func TestNativeCPU(t *testing.T) {
	dir := t.TempDir()
	cache := func(index, level, kind, size, shared string) {
		sub := filepath.Join(dir, "index"+index)
		require.NoError(t, os.MkdirAll(sub, 0o777))
		for name, text := range map[string]string{"level": level, "type": kind, "size": size, "shared_cpu_list": shared} {
			require.NoError(t, os.WriteFile(filepath.Join(sub, name), []byte(text+"\n"), 0o666))
		}
	}
	_, err := nativeCPU(dir, 8)
	require.ErrorContains(t, err, "the system does not tell the caches: give them")
	cache("0", "1", "Data", "32K", "0,16")
	cache("1", "1", "Instruction", "64K", "0,16")
	cache("2", "2", "Unified", "1024K", "0")
	cpu, err := nativeCPU(dir, 8)
	require.NoError(t, err)
	require.Equal(t, &CPU{First: 16 << 10, Cache: 1 << 20, Last: 1 << 20, Line: 64, Cores: 8}, cpu)
	cache("3", "3", "Unified", "32768K", "0-7,16-23")
	cpu, err = nativeCPU(dir, 32)
	require.NoError(t, err)
	require.Equal(t, int64(2<<20), cpu.Last)
	cpu, err = nativeCPU(dir, 4) // of the 16 that share it, 4 are ours
	require.NoError(t, err)
	require.Equal(t, int64(8<<20), cpu.Last)
	cache("3", "3", "Unified", "266240K", "0-1") // of a processor with 52 cores, of which the machine has two
	cpu, err = nativeCPU(dir, 2)
	require.NoError(t, err)
	require.Equal(t, int64(16<<20), cpu.Last)
}
