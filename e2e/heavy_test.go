package e2e_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/internal/heavy"
)

// watchdog is far above what a translation takes on a busy machine, and far below what they took that it is for.
const watchdog = 3 * time.Minute

// TestHeavy translates programs that once took from half a minute to ten: none may end otherwise than translated or
// with an error that has its code, nor look at more tile sizes than is stated. make bench prints the time of all of them.
func TestHeavy(t *testing.T) {
	if testing.Short() {
		t.Skip("programs that are much work")
	}
	for _, test := range []struct {
		name   string
		target hexcc.Target
		code   diag.Code // of the error; "": none
	}{
		{"star-6d", hexcc.CUDA, ""},
		{"star-6d", hexcc.OpenMP, ""},
		{"box-3d-r4", hexcc.OpenMP, ""},
		{"d3q27-index", hexcc.CUDA, ""},
		{"periodic-3d", hexcc.CUDA, ""},
		{"minus-30000", hexcc.CUDA, "HX008"},
		{"minus-30000", hexcc.OpenMP, "HX008"},
		{"lines-statements", hexcc.OpenMP, ""},
	} {
		t.Run(test.name+"/"+string(test.target), func(t *testing.T) {
			text := heavy.Get(test.name).Text
			var res *hexcc.Result
			var err error
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				res, err = hexcc.Compile(hexcc.Source{Name: test.name + ".c", Text: []byte(text)}, hexcc.Options{Target: test.target})
			}()
			select {
			case <-ended:
			case <-time.After(watchdog):
				t.Fatalf("no end after %v", watchdog)
			}
			if test.code == "" {
				require.NoError(t, err)
				if res.Choice != nil {
					require.Less(t, res.Choice.Tried, 17_000, "sizes that were looked at")
				}
				return
			}
			var list diag.List
			require.True(t, errors.As(err, &list), "%v", err)
			require.Equal(t, test.code, list[0].Code)
		})
	}
}

// TestRegionsAtOnce checks that the regions of a file come out as each does alone, and what was made in their order.
func TestRegionsAtOnce(t *testing.T) {
	text := heavy.Regions(6)
	var order []string
	src := hexcc.Source{Name: "regions.c", Text: []byte(text)}
	all, err := hexcc.Compile(src, hexcc.Options{Dump: func(pass string, made hexcc.Product) { order = append(order, pass) }})
	require.NoError(t, err)
	require.Len(t, all.Regions, 6)
	for i, r := range all.Regions {
		alone, err := hexcc.Compile(src, hexcc.Options{Region: string(rune('1' + i))})
		require.NoError(t, err)
		require.Equal(t, alone.Schedule.String(), r.Schedule.String())
		require.Equal(t, alone.GPU.String(), r.GPU.String())
	}
	require.Equal(t, "scop", order[0])
	for i, pass := range order[1:] {
		require.True(t, i == 0 || pass == order[i] || i%6 == 0, "%v", order)
	}
}
