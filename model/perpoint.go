package model

import "github.com/hexcc/hexcc/scop"

// InstancesPerPoint returns for each statement of p its instances in an iteration of the time loop, for each point of the box around the nests
// that have most loops: 1 of a nest over all of space, 1/4 of one over a quarter, about 0 of a border. They are those of very large grids, where
// what is known of parameters is left aside.
func InstancesPerPoint(p *scop.Program) []float64 {
	loops := 1
	for _, st := range p.Stmts {
		loops = max(loops, len(st.Iters))
	}
	params := make([]int64, len(p.Params))
	for i := range params {
		if !shrinks(p, i) {
			params[i] = 1 << (60 / loops) // so that there are fewer than 2^62 instances
		}
	}
	box := make([]Range, loops)
	empty := true
	instances := make([]float64, len(p.Stmts))
	for i, st := range p.Stmts {
		nest := scop.NewNest(st, params)
		lo, hi, ok := nest.Box()
		if !ok {
			continue
		}
		instances[i] = float64(pointsOf(nest, lo, hi))
		if len(st.Iters) < loops {
			continue
		}
		for d := range box {
			if empty {
				box[d] = Range{lo[d], hi[d]}
			}
			box[d] = Range{min(box[d].Lo, lo[d]), max(box[d].Hi, hi[d])}
		}
		empty = false
	}
	points := 1.0
	for _, r := range box {
		points *= float64(r.Hi-r.Lo) + 1
	}
	for i := range instances {
		instances[i] /= points
	}
	return instances
}
