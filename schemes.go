package hexcc

import (
	"fmt"

	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file lists the tiling schemes. To add one, write its function in schedule, and its entry here; strategy.go chooses among them.

// A Strategy is a tiling scheme, by the name that --strategy has for it.
type Strategy string

// The strategies.
const (
	Auto    Strategy = "auto"    // Hybrid, or Space or Untiled where the model expects more of it
	Hybrid  Strategy = "hybrid"  // hexagons in time and one dimension of space, classical tiles in the others
	Space   Strategy = "space"   // boxes of space; each nest of each time step is a launch
	Untiled Strategy = "untiled" // the loops as they are, on GPUs: each nest of each time step is a launch, each point or short column of them a thread
	// Wavefront: parallelograms of time and space, which wait for each other on CPUs and run front by front on GPUs. Where space loops carry dependences, what Auto takes; on CPUs with threads also where the model expects more of it than of Hybrid.
	Wavefront Strategy = "wavefront"
	// Overlapped: boxes that compute what they need of their neighbours' points, too: nests one after the other, and iterations of the time loop, in one launch.
	Overlapped Strategy = "overlapped"
)

// Strategies returns the names that --strategy takes.
func Strategies() []Strategy { return []Strategy{Auto, Hybrid, Space, Untiled, Wavefront, Overlapped} }

// A scheme is what passes do one way for one scheme, and otherwise for others.
type scheme struct {
	about   string // what was done, in heads of files
	height  bool   // tiles span several steps of time
	slopes  bool   // distances have to be bounded by time
	global  bool   // tiles use no shared memory, whatever the options say
	parse   func(sizes string) (*schedule.Sizes, error)
	size    func(*unit) (Product, error) // chooses sizes, or checks those that are given
	arrange func(*unit) (*schedule.Schedule, error)
}

// scheme returns that of a strategy; where the choice is left to us, the one that is tried first.
func (s Strategy) scheme() scheme {
	switch s {
	case "", Auto, Hybrid:
		return scheme{"hybrid hexagonal/classical tiling", true, true, false, schedule.ParseSizes, (*unit).sizeHybrid, (*unit).arrangeHybrid}
	case Space:
		return scheme{"tiling of space only", false, false, false, schedule.ParseWidths, (*unit).sizeSpace, (*unit).arrangeSpace}
	case Untiled:
		return scheme{"loops that are not tiled", false, false, true, schedule.ParseWidths, (*unit).sizeUntiled, (*unit).arrangeUntiled}
	case Wavefront:
		return scheme{"wavefront tiling by parallelograms", true, true, false, schedule.ParseSizes, (*unit).sizeWavefront, (*unit).arrangeWavefront}
	case Overlapped:
		return scheme{"tiling by boxes that overlap", false, false, false, schedule.ParseOverlapped, (*unit).sizeOverlapped, (*unit).arrangeOverlapped}
	}
	panic(fmt.Sprintf("hexcc: unknown strategy %s", s))
}

// ParseTile reads tile sizes of s by name, such as "h=3,w0=5,w1=64". It returns nil for "auto" and "": the sizes are to be chosen.
func (s Strategy) ParseTile(text string) (*schedule.Sizes, error) { return s.scheme().parse(text) }

func (u *unit) arrangeSpace() (*schedule.Schedule, error) { return u.Plan.Space(u.Space, u.Sizes) }

func (u *unit) arrangeUntiled() (*schedule.Schedule, error) { return u.Plan.Untiled(u.Space, u.Sizes) }

func (u *unit) arrangeOverlapped() (*schedule.Schedule, error) {
	return u.Plan.Overlapped(u.overlap(), u.Sizes)
}

func (u *unit) arrangeWavefront() (*schedule.Schedule, error) {
	if u.opts.Target.isGPU() {
		return u.Plan.TileFronts(u.Space, u.Cone, u.Deps, u.Sizes)
	}
	return u.Plan.Wavefront(u.Space, u.Cone, u.Sizes)
}

func (u *unit) arrangeHybrid() (*schedule.Schedule, error) {
	if u.Plan.File == "" && u.opts.Target.isGPU() {
		tiles, err := schedule.HybridTiles(u.Space, u.Cone, u.Sizes)
		if err != nil {
			return nil, err
		}
		if u.shape() != nil {
			return u.Plan.Hybrid(u.Space, u.Cone, u.Sizes)
		}
		u.Sizes.Start = lower.NewCounter(u.Space, u.device(), u.mapping()).Start(tiles)
	}
	cone := u.Cone
	if u.Plan.File == "" && u.opts.Target.isCPU() {
		cone = model.Caches{CPU: machine.AnyCPU}.Aligned(u.Space, cone)
	}
	return u.Plan.Hybrid(u.Space, cone, u.Sizes)
}
