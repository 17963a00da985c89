package machine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseLevels reads machines, and mistakes, each at its line.
func TestParseLevels(t *testing.T) {
	text := "# Intel Core i5-3330\nmachine i5-3330 gops=48 launch=1e-6 tiles=4\n\nlevel memory gbs=26 # DDR3-1600, two channels\nlevel L3 bytes=6M\nlevel L2 bytes=512K gbs=768\n"
	l, err := ParseLevels("i5.txt", text)
	require.NoError(t, err)
	require.Equal(t, Levels{Name: "i5-3330", Gops: 48, Gops32: 96, Launch: 1e-6, Tiles: 4,
		Levels: []Level{{"memory", 0, 26}, {"L3", 6 << 20, 0}, {"L2", 512 << 10, 768}}}, l)
	again, err := ParseLevels("again", l.String())
	require.NoError(t, err)
	require.Equal(t, l, again)
	for _, x := range []struct{ from, to, want string }{
		{"machine i5-3330", "machine", "i5.txt:2: 'machine' is not followed by a name"},
		{"gops=48", "gops=fast", "i5.txt:2: gops: 'fast' is not a number above 0"},
		{"gops=48", "gops=NaN", "i5.txt:2: gops: 'NaN' is not a number above 0"},
		{"gops=48", "", "i5.txt: a line is missing that names the machine"},
		{"tiles=4", "tiles=1.5", "i5.txt:2: tiles is not a whole number"},
		{"gbs=768", "gbs=768 gbs=1", "i5.txt:6: 'gbs=1': known are bytes, gbs, each once"},
		{"bytes=6M", "bytes=6G", "i5.txt:5: bytes: \"6G\" is not a number"},
		{"bytes=512K", "bytes=8M", "i5.txt:6: level L2 holds more than L3, which is outside of it"},
		{"level L3", "cache L3", "i5.txt:5: 'cache' is neither machine nor level"},
		{"level L2", "level L3", "i5.txt:6: level L3 is there twice"},
		{" gbs=26", "", "i5.txt: level memory, the outer one, is memory"},
		{"level L3 bytes=6M\nlevel L2 bytes=512K gbs=768\n", "", "i5.txt: there are fewer than two levels"},
		{"level L2 bytes=512K gbs=768\n", "machine x\n", "i5.txt:6: the machine is named twice"},
	} {
		_, err := ParseLevels("i5.txt", strings.Replace(text, x.from, x.to, 1))
		require.ErrorContains(t, err, x.want)
	}
}

// TestLevels checks those of all devices and of CPUs: inner levels move more, and hold less.
func TestLevels(t *testing.T) {
	all := []Levels{AnyCPU.Levels(), CPU{First: 32 << 10, Cache: 1 << 20, Last: 1 << 20, Line: 64, Cores: 2}.Levels()}
	for _, d := range Devices() {
		all = append(all, d.Levels())
	}
	for _, l := range all {
		require.Empty(t, l.lacks(), l.Name)
		require.GreaterOrEqual(t, l.Gops32, l.Gops, l.Name)
		for i, x := range l.Levels[1:] {
			require.Greater(t, x.GBs, l.Levels[i].GBs, l.Name)
			require.Positive(t, x.Bytes)
		}
		again, err := ParseLevels("again", l.String())
		require.NoError(t, err)
		require.Equal(t, l.Tile().Bytes, again.Tile().Bytes)
	}
	require.Len(t, all[0].Levels, 3)
	require.Len(t, all[1].Levels, 2)
}
