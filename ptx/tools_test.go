package ptx

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/machine"
)

// fake writes an llc of that version, which knows sm_20 and sm_80 and prints the
// PTX, and an opt beside it, and returns the llc.
func fake(t *testing.T, version, ptx string) string {
	t.Helper()
	dir := t.TempDir()
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
--version) echo "LLVM (http://llvm.org/):"; echo "  LLVM version %s";;
*-mcpu=help*) printf 'Available CPUs for this target:\n\n  sm_20 - Select the sm_20 processor.\n  sm_80 - Select the sm_80 processor.\n' >&2;;
*) cat >/dev/null; %s;;
esac
`, version, ptx)
	for name, text := range map[string]string{"llc": script, "opt": "#!/bin/sh\ncat\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777))
	}
	return filepath.Join(dir, "llc")
}

// wrong returns the diagnostic that err is.
func wrong(t *testing.T, err error) *diag.Diagnostic {
	t.Helper()
	var list diag.List
	require.ErrorAs(t, err, &list)
	require.Len(t, list, 1)
	require.Equal(t, 5, list[0].Code.Exit())
	return list[0]
}

// TestMissingTools checks what is said where LLVM is missing, too old, or does not know an architecture.
func TestMissingTools(t *testing.T) {
	_, err := Find("no-such-llc", "sm_80")
	d := wrong(t, err)
	require.EqualValues(t, "HX501", d.Code)
	require.Contains(t, d.Notes[0].Msg, "no-such-llc")
	require.Contains(t, d.Help, "apt-get install llvm")

	_, err = Find(fake(t, "13.0.1", ":"), "sm_80")
	d = wrong(t, err)
	require.EqualValues(t, "HX501", d.Code)
	require.Contains(t, d.Notes[0].Msg, "LLVM 13.0.1, which is too old")

	_, err = Find(fake(t, "16.0.6", ":"), "sm_90")
	d = wrong(t, err)
	require.EqualValues(t, "HX502", d.Code)
	require.Equal(t, "--target=ptx needs llc and opt of LLVM 16 or newer for sm_90", d.Msg)
	require.Contains(t, d.Notes[0].Msg, "LLVM 16.0.6, which does not know sm_90")

	_, err = Find("", "sm_31")
	require.EqualValues(t, "HX502", wrong(t, err).Code)

	llc := fake(t, "16.0.6", ":")
	require.NoError(t, os.Remove(filepath.Join(filepath.Dir(llc), "opt")))
	_, err = Find(llc, "sm_80")
	d = wrong(t, err)
	require.EqualValues(t, "HX501", d.Code)
	require.Contains(t, d.Notes[0].Msg, "there is no opt beside")

	t.Setenv("PATH", t.TempDir())
	_, err = Find("", "sm_80")
	require.Equal(t, "no llc was found", wrong(t, err).Notes[0].Msg)
}

// TestFailingTools checks that what a tool gets wrong is seen.
func TestFailingTools(t *testing.T) {
	for ptx, want := range map[string]string{
		`echo "LLVM ERROR: no" >&2; exit 1`:      "LLVM ERROR: no",
		`:`:                                      "is this PTX?",
		`printf '.version 7.0\n.target sm_20\n'`: "was asked for sm_80 and made code for sm_20",
		`printf '.version 6.0\n.target sm_80\n'`: "says that sm_80 is in PTX 6.0, and it is in 7.0",
		`printf '.version 7.0\n.target sm_80\n.extern .func f();\n'`: "line 3",
	} {
		tools, err := Find(fake(t, "16.0.6", ptx), "sm_80")
		require.NoError(t, err)
		_, err = tools.Compile("", "sm_80")
		d := wrong(t, err)
		require.EqualValues(t, "HX503", d.Code)
		require.Contains(t, d.Msg, want)
	}
}

// TestBrokenTools checks that a tool that crashes, does not end or prints what is no text is told of, and soon.
func TestBrokenTools(t *testing.T) {
	long, longAnswer := deadline, patience
	t.Cleanup(func() { deadline, patience = long, longAnswer })
	require.LessOrEqual(t, patience, 20*time.Second, "a user waits for each llc that is asked what it knows")
	for ptx, want := range map[string]string{
		`kill -SEGV $$`:                    "segmentation fault",
		`sleep 300`:                        "it ran longer than 3s",
		`head -c 5000 /dev/urandom`:        "llc wrote what is not read as PTX: ",
		`yes | head -c 100000`:             "PTX: ",
		`echo "out of memory" >&2; exit 1`: "out of memory",
	} {
		tools, err := Find(fake(t, "16.0.6", ptx), "sm_80")
		require.NoError(t, err)
		deadline = 3 * time.Second
		_, err = tools.Compile("", "sm_80")
		d := wrong(t, err)
		require.EqualValues(t, "HX503", d.Code)
		require.Contains(t, d.Msg, want)
		require.Contains(t, d.Help, "--llc")
	}
	for script, want := range map[string]string{
		"#!/bin/sh\nkill -SEGV $$\n":    "segmentation fault",
		"#!/bin/sh\nsleep 300\n":        "it ran longer than 1s",
		"#!/bin/sh\necho I am no llc\n": "does not say which LLVM it is of",
		"nonsense":                      "llc",
	} {
		llc := filepath.Join(t.TempDir(), "llc")
		require.NoError(t, os.WriteFile(llc, []byte(script), 0o777))
		deadline, patience = long, time.Second
		_, err := Find(llc, "sm_80")
		d := wrong(t, err)
		require.EqualValues(t, "HX501", d.Code)
		require.Contains(t, d.Notes[0].Msg, want)
		require.Contains(t, d.Help, "install LLVM")
	}
}

// TestTables compares what is known of versions of LLVM with those that there are,
// and with the architectures of --arch.
func TestTables(t *testing.T) {
	for _, d := range machine.Devices() {
		require.NotEmpty(t, firstPTX[d.Name], d.Name)
		require.GreaterOrEqual(t, firstLLVM[d.Name], oldestLLVM, d.Name)
	}
	require.Len(t, firstPTX, len(machine.Devices()))
	found := 0
	for v := oldestLLVM; v <= newestLLVM; v++ {
		path, err := exec.LookPath(fmt.Sprintf("llc-%d", v))
		if err != nil {
			continue
		}
		tools, err := ask(path)
		require.NoError(t, err)
		found++
		major, _, _ := strings.Cut(tools.Version, ".")
		require.Equal(t, strconv.Itoa(v), major)
		for arch, first := range firstLLVM {
			require.Equal(t, v >= first, slices.Contains(tools.archs, arch), "LLVM %d and %s", v, arch)
		}
	}
	if found == 0 && os.Getenv("CI") == "true" {
		t.Fatal("no llc-NN: .ci/run installs one")
	}
}
