package programs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hexcc/hexcc/internal/programs"
)

func TestText(t *testing.T) {
	archive := []byte("About.\n-- a.txt --\nno\n-- input.c --\nint x;\n-- b.c --\nint y;\n")
	require.Equal(t, "int x;\n", string(programs.Text("a.txtar", archive)))
	require.Equal(t, archive, programs.Text("a.c", archive))
	require.Nil(t, programs.Text("a.txtar", []byte("nothing\n")))
}

func TestInDouble(t *testing.T) {
	text := []byte("float a = 0.5f * 1.e-3f + f1(2.f, floats, 0x1f);")
	require.True(t, programs.HasFloats(text))
	text = programs.InDouble(text)
	require.Equal(t, "double a = 0.5 * 1.e-3 + f1(2., floats, 0x1f);", string(text))
	require.False(t, programs.HasFloats(text))
}
