package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWhyNot: each reason is that by which sizes lose.
func TestWhyNot(t *testing.T) {
	taken := Ranked{PerPoint: 1, Bound: boundWork, moved: 100}
	for _, x := range []struct {
		r     Ranked
		given bool
		want  string
	}{
		{Ranked{PerPoint: 1.1, Bound: boundRows}, false, "10 % slower, most of it for starts of rows"},
		{Ranked{PerPoint: 1.001}, false, "about as fast"},
		{Ranked{PerPoint: 0.98, moved: 150}, false, "2 % faster: too little to move 50 % more bytes from beyond the second level"},
		{Ranked{PerPoint: 0.98, moved: 90}, false, "2 % faster: too little to leave the sizes that are best in phases"},
		{Ranked{PerPoint: 0.5, moved: 150}, true, "50 % faster: other sizes were given"},
		{Ranked{}, false, "not weighed"},
	} {
		require.Equal(t, x.want, whyNot(x.r, taken, x.given))
	}
}
