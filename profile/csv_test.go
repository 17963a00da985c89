package profile

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/diag"
)

const head = `"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device","CC",`

const details = head + `"Section Name","Metric Name","Metric Unit","Metric Value","Rule Name","Rule Type","Rule Description","Estimated Speedup Type","Estimated Speedup"
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Memory Throughput","%","78.50","","","","",""
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","GPU Speed Of Light Throughput","DRAM Throughput","%","78.50","","","","",""
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","GPU Speed Of Light Throughput","Duration","us","1,024.00"
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","SpeedOfLight","","","","SOLBottleneck","OPT","Memory is more heavily utilized than Compute, look at it.","global","12.5"
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","Memory Workload Analysis","Memory Throughput","Gbyte/s","1,250.00","","","","",""
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","Scheduler Statistics","One or More Eligible","%","31.20","","","","",""
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","Launch Statistics","Registers Per Thread","register/thread","168","","","","",""
"0","4711","s","127.0.0.1","void f<int>(float *, int)","1","7","(32, 4, 1)","(108, 1, 1)","0","9.0","Occupancy","Achieved Occupancy","%","n/a","","","","",""
`

// TestDetails reads --page details: metrics by their other names, of two units by one name, and advice that is none.
func TestDetails(t *testing.T) {
	launches, err := Parse("ncu.csv", []byte(details))
	require.NoError(t, err)
	require.Len(t, launches, 1)
	l := launches[0]
	require.Equal(t, "f", l.Kernel)
	require.EqualValues(t, 128, l.Threads())
	require.EqualValues(t, 108, l.Blocks())
	m := Group(launches)[0]
	require.InDelta(t, 1.024e-3, m.Values[Time], 1e-12)
	require.InDelta(t, 0.785, m.Values[DRAMShare], 1e-12)
	require.InDelta(t, 0.785, m.Values[MemoryShare], 1e-12)
	require.InDelta(t, 0.312, m.Values[IssueShare], 1e-12)
	require.EqualValues(t, 168, m.Values[Registers])
	bytes, ok := m.DRAMBytes()
	require.True(t, ok)
	require.InDelta(t, 1.28e9, bytes, 1)
	_, ok = m.Has(Occupied)
	require.False(t, ok, "n/a is no number")
	require.Contains(t, strings.Join(m.Lacks, "; "), "what warps wait for")
	require.Equal(t, "device memory", classesOf(m.Evidence(DeviceOf(m.CC)).Classify()))
}

// raw returns a file of --page raw.
func raw(names, units string, rows ...string) string {
	text := head + names + "\n" + `"","","","","","","","","","","",` + units + "\n"
	for _, row := range rows {
		text += `"0","4711","s","127.0.0.1","f(float *)","1","7","(32, 1, 1)","(8, 1, 1)","0","8.0",` + row + "\n"
	}
	return text
}

// TestNumbers reads numbers and units as locales and versions write them.
func TestNumbers(t *testing.T) {
	for _, x := range []struct {
		unit, text, other string // other: a number of the same file
		want              float64
	}{
		{"byte", "1,234.5", "1", 1234.5},
		{"byte", "1.234,5", "1", 1234.5},
		{"byte", "1 234,5", "1", 1234.5},
		{"byte", "1\u00a0234,5", "1", 1234.5},
		{"byte", "1\u202f234,5", "1", 1234.5},
		{"byte", "1'234.5", "1", 1234.5},
		{"byte", "1,234", "1", 1234},
		{"byte", "1,234", "2.50", 1234},
		{"byte", "1,234", "2,5", 1.234},
		{"byte", "1.234", "2,5", 1234},
		{"byte", "1.234", "2.5", 1.234},
		{"byte", "1,234,567", "1", 1234567},
		{"byte", "1.234.567", "1", 1234567},
		{"byte", "0,500", "1", 0.5},
		{"byte", "1.5e+03", "1", 1500},
		{"Kbyte", "2", "1", 2e3},
		{"MB", "2", "1", 2e6},
		{"Gbyte", "2", "1", 2e9},
		{"nsecond", "2", "1", 2e-9},
		{"us", "2", "1", 2e-6},
		{"ms", "2", "1", 2e-3},
		{"second", "2", "1", 2},
		{"Gbyte/second", "2", "1", 2e9},
		{"byte/nsecond", "2", "1", 2e9},
		{"cycle/nsecond", "1.41", "1", 1.41e9},
		{"Ghz", "1.41", "1", 1.41e9},
		{"Kbyte/block", "25.31", "1", 25310},
		{"inst", "2", "1", 2},
	} {
		launches, err := Parse("ncu.csv", []byte(raw(`"m","n"`, `"`+x.unit+`",""`, `"`+x.text+`","`+x.other+`"`)))
		require.NoError(t, err, "%v", x)
		require.InEpsilon(t, x.want, launches[0].Metrics["m"].Number, 1e-12, "%v", x)
	}
}

// TestWords: what is no number is left out, and says nothing of how numbers are written.
func TestWords(t *testing.T) {
	for _, word := range []string{"n/a", "", "nan", "12.4.0", "1-5", "1,2,3", "127.0.0.1", "(1, 2)", "CachePreferNone", "0x10", "1.5 (2.5; 3.5)", "1,5e999"} {
		launches, err := Parse("ncu.csv", []byte(raw(`"m","n"`, `"",""`, `"`+word+`","2,5"`)))
		require.NoError(t, err, word)
		require.NotContains(t, launches[0].Metrics, "m", word)
		require.InDelta(t, 2.5, launches[0].Metrics["n"].Number, 1e-12, word)
	}
}

// TestForms reads the same file with other ends of lines, a mark of bytes, semicolons, two tables.
func TestForms(t *testing.T) {
	text := raw(`"gpu__time_duration.sum"`, `"nsecond"`, `"1,500"`, `"2,500"`)
	for name, form := range map[string]string{
		"as it is": text, "CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "byte order mark": "\ufeff" + text, "semicolons": strings.ReplaceAll(text, `","`, `";"`),
		"what ncu says": "==PROF== Connected\nsome output, \"quoted\n" + text + "==WARNING== some, more\n", "blank line": text + "\n",
	} {
		launches, err := Parse("ncu.csv", []byte(form))
		require.NoError(t, err, name)
		require.Len(t, launches, 2, name)
		require.InDelta(t, 4e-6, Group(launches)[0].Values[Time], 1e-15, name)
	}
	launches, err := Parse("ncu.csv", []byte(text+text))
	require.NoError(t, err)
	require.Len(t, launches, 4)
}

// TestLaunches: counts of launches are added, shares weighted by time, and what one of them lacks is left out.
func TestLaunches(t *testing.T) {
	launches, err := Parse("ncu.csv", []byte(raw(`"gpu__time_duration.sum","dram__throughput.avg.pct_of_peak_sustained_elapsed","smsp__inst_executed.sum","launch__registers_per_thread"`,
		`"usecond","%","inst","register/thread"`, `"1","90","1,000","64"`, `"3","50","n/a","96"`)))
	require.NoError(t, err)
	m := Group(launches)[0]
	require.Equal(t, 2, m.Launches)
	require.InDelta(t, 4e-6, m.Values[Time], 1e-15)
	require.InDelta(t, 0.6, m.Values[DRAMShare], 1e-12)
	require.EqualValues(t, 96, m.Values[Registers])
	_, ok := m.Has(Instructions)
	require.False(t, ok)
}

// TestStalls: of several forms of what warps wait for one counts, and issued warps are no waiting.
func TestStalls(t *testing.T) {
	launches, err := Parse("ncu.csv", []byte(raw(
		`"smsp__average_warps_issue_stalled_barrier_per_issue_active.ratio","smsp__average_warps_issue_stalled_wait_per_issue_active.ratio","smsp__average_warps_issue_stalled_selected_per_issue_active.ratio","smsp__pcsamp_warps_issue_stalled_membar"`,
		`"inst","inst","inst",""`, `"3","1","1","9000"`)))
	require.NoError(t, err)
	m := Group(launches)[0]
	require.Equal(t, map[string]float64{"barrier": 0.6, "wait": 0.2, "selected": 0.2}, m.Stalls)
	e := &Evidence{Stalls: m.Stalls}
	require.Equal(t, []string{"barrier", "wait"}, e.Reasons())
}

// TestRefused: what is no profile is said, with its place.
func TestRefused(t *testing.T) {
	good := raw(`"gpu__time_duration.sum"`, `"nsecond"`, `"1,500"`)
	lines := strings.SplitAfter(good, "\n")
	for _, x := range []struct {
		text, want string
		line       int
	}{
		{"", "no row of names", 1},
		{"==ERROR== No kernels were profiled.\n", "no row of names", 1},
		{"==PROF== x\n" + lines[0] + lines[1], "no launch of a kernel", 2},
		{lines[0] + lines[2], "no row of units", 2},
		{good[:len(good)-20], "it is no CSV", 3},
		{good + `"1","4711","s"` + "\n", "a row of 3 values, below 12 names", 4},
		{raw(`"a","b"`, `"",""`, `"1.5","1,5"`), "which sign is decimal is not known", 3},
		{strings.Replace(details, `"Metric Name"`, `"Name"`, 1), `none "Metric Name"`, 2},
		{details + `"1","4711"` + "\n", "a row of 2 values", 10},
	} {
		_, err := Parse("ncu.csv", []byte(x.text))
		var d *diag.Diagnostic
		require.True(t, errors.As(err, &d), "%s: %v", x.want, err)
		require.Equal(t, diag.Code("HX020"), d.Code)
		require.Contains(t, d.Msg, x.want)
		require.Equal(t, x.line, d.At.Line, x.want)
	}
}

// TestNames strips kernels' names of what surrounds them.
func TestNames(t *testing.T) {
	for text, want := range map[string]string{
		"f(float *, int)": "f", "void f<int, g(3)>(float *)": "f", "f": "f", "_Z16hexcc_s_0_phase0Pfii": "hexcc_s_0_phase0", "_ZN1a1fEPf": "_ZN1a1fEPf", "_Z99f": "_Z99f", "void a::b::f(int)": "f", "hexcc_s_0_phase0(float *, int)": "hexcc_s_0_phase0",
		"void (anonymous namespace)::f<(int)3>(T1)": "f",
	} {
		require.Equal(t, want, PlainName(text), text)
	}
}

// FuzzParse: whatever is read is launches, or a diagnostic at a place in the text.
func FuzzParse(f *testing.F) {
	f.Add(details)
	f.Add(raw(`"gpu__time_duration.sum"`, `"nsecond"`, `"1,500"`))
	f.Fuzz(func(t *testing.T, text string) {
		launches, err := Parse("ncu.csv", []byte(text))
		var d *diag.Diagnostic
		if err == nil {
			require.NotEmpty(t, launches)
			for _, m := range Group(launches) {
				require.NotEmpty(t, m.Evidence(DeviceOf(m.CC)).Classify())
			}
			return
		}
		require.True(t, errors.As(err, &d), "%v", err)
		require.GreaterOrEqual(t, d.At.Line, 1)
		require.GreaterOrEqual(t, d.At.Col, 1)
	})
}
