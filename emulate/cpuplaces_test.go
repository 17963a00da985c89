package emulate

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// places hold what a map would.
func TestPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	var p places
	for range 50 {
		p.clear()
		want, at := map[int64]bool{}, rng.Int64N(2000)-1000
		for range 200 {
			b := at + rng.Int64N(41) - 20
			require.Equal(t, want[b], p.contain(b), b)
			p.add(b)
			want[b] = true
			at += rng.Int64N(3) - 1
		}
		for b := at - 300; b <= at+300; b++ {
			require.Equal(t, want[b], p.contain(b), b)
		}
	}
}
