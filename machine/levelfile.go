package machine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file reads levels of a machine from a text, a line for each:
//
//	# Intel Core i5-3330
//	machine i5-3330 gops=48 gops32=96 launch=1e-6 tiles=4
//	level memory gbs=26
//	level L3 bytes=6M gbs=100
//	level L2 bytes=512K gbs=768
//
// Levels go from outer to inner. What is left out is 0, gops32 is twice gops, and tiles is 1.

// A LevelError is a mistake in such a text, in a line that counts from 1; 0: what is missing in the whole.
type LevelError struct {
	File string
	Line int
	Msg  string
}

func (e *LevelError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Msg
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Msg)
}

// ParseLevels reads the levels of a machine from the text of a file. The error is a *LevelError.
func ParseLevels(file, text string) (Levels, error) {
	l := Levels{Tiles: 1}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if msg := l.read(words); msg != "" {
			return Levels{}, &LevelError{file, i + 1, msg}
		}
	}
	if msg := l.lacks(); msg != "" {
		return Levels{}, &LevelError{file, 0, msg}
	}
	if l.Gops32 == 0 {
		l.Gops32 = 2 * l.Gops
	}
	return l, nil
}

// read reads the words of a line, and returns what is wrong with them, "" if nothing is.
func (l *Levels) read(words []string) string {
	if len(words) < 2 || strings.Contains(words[1], "=") {
		return fmt.Sprintf("'%s' is not followed by a name", words[0])
	}
	switch words[0] {
	case "machine":
		if l.Name != "" {
			return "the machine is named twice"
		}
		l.Name = words[1]
		var tiles float64
		msg := figures(words[2:], map[string]*float64{"gops": &l.Gops, "gops32": &l.Gops32, "launch": &l.Launch, "tiles": &tiles}, nil)
		if tiles > 0 {
			l.Tiles = int64(tiles)
		}
		if msg == "" && (tiles != float64(int64(tiles)) || tiles > 1<<20) {
			return "tiles is not a whole number from 1 to 2^20"
		}
		return msg
	case "level":
		if slices.ContainsFunc(l.Levels, func(x Level) bool { return x.Name == words[1] }) {
			return fmt.Sprintf("level %s is there twice", words[1])
		}
		x := Level{Name: words[1]}
		msg := figures(words[2:], map[string]*float64{"gbs": &x.GBs}, map[string]*int64{"bytes": &x.Bytes})
		if n := len(l.Levels); msg == "" && n > 1 && l.Levels[n-1].Bytes > 0 && (x.Bytes == 0 || x.Bytes > l.Levels[n-1].Bytes) {
			return fmt.Sprintf("level %s holds more than %s, which is outside of it", x.Name, l.Levels[n-1].Name)
		}
		l.Levels = append(l.Levels, x)
		return msg
	}
	return fmt.Sprintf("'%s' is neither machine nor level", words[0])
}

// figures reads words such as gbs=26, each of which is known and there once. It returns what is wrong, "" if nothing is.
func figures(words []string, numbers map[string]*float64, bytes map[string]*int64) string {
	var known []string
	for name := range numbers {
		known = append(known, name)
	}
	for name := range bytes {
		known = append(known, name)
	}
	slices.Sort(known)
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		number, isBytes := numbers[name], bytes[name]
		switch {
		case isBytes != nil:
			v, err := bytesOf(value)
			if err != nil {
				return fmt.Sprintf("%s: %v", name, err)
			}
			*isBytes = v
		case number != nil:
			v, err := strconv.ParseFloat(value, 64)
			if err != nil || !(v > 0) || v > 1e15 {
				return fmt.Sprintf("%s: '%s' is not a number above 0", name, value)
			}
			*number = v
		default:
			return fmt.Sprintf("'%s': known are %s, each once, as in %s=26", word, strings.Join(known, ", "), known[len(known)-1])
		}
		delete(numbers, name)
		delete(bytes, name)
	}
	return ""
}

// lacks returns what l lacks to be levels of a machine, "" if nothing.
func (l *Levels) lacks() string {
	switch {
	case l.Name == "" || l.Gops == 0:
		return "a line is missing that names the machine, as in machine i5-3330 gops=48"
	case len(l.Levels) < 2:
		return "there are fewer than two levels, memory and what holds a tile, as in level memory gbs=26"
	case l.Levels[0].GBs == 0 || l.Levels[0].Bytes > 0:
		return fmt.Sprintf("level %s, the outer one, is memory: it has gbs, and no bytes", l.Levels[0].Name)
	case l.Tile().Bytes == 0:
		return fmt.Sprintf("level %s, the inner one, holds a tile: it has bytes", l.Tile().Name)
	}
	return ""
}

// String returns l as ParseLevels reads it.
func (l Levels) String() string {
	var b strings.Builder
	figure := func(name string, x float64) {
		if x > 0 {
			fmt.Fprintf(&b, " %s=%s", name, strconv.FormatFloat(x, 'g', -1, 64))
		}
	}
	b.WriteString("machine " + l.Name)
	figure("gops", l.Gops)
	figure("gops32", l.Gops32)
	figure("launch", l.Launch)
	figure("tiles", float64(l.Tiles))
	b.WriteString("\n")
	for _, x := range l.Levels {
		b.WriteString("level " + strings.ReplaceAll(x.Name, " ", "-"))
		if x.Bytes > 0 {
			fmt.Fprintf(&b, " bytes=%d", x.Bytes)
		}
		figure("gbs", x.GBs)
		b.WriteString("\n")
	}
	return b.String()
}
