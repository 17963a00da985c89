package hexcc

import (
	"errors"
	"fmt"

	"github.com/hexcc/hexcc/cpu"
	"github.com/hexcc/hexcc/diag"
	"github.com/hexcc/hexcc/gpu/lower"
	"github.com/hexcc/hexcc/model"
	"github.com/hexcc/hexcc/schedule"
)

// This file chooses between two ways to run nests whose sweeps go up and down columns: a launch for each, in which blocks run columns in turn, or boxes that overlap, which hold
// whole columns, and all of a group of nests.

// mayHoldColumns reports whether that choice is ours.
func (u *unit) mayHoldColumns() bool {
	o := u.opts
	return (o.Strategy == "" || o.Strategy == Auto) && o.Tile == nil && u.Plan.File == "" && o.Order == nil && len(u.Scop.Stmts) > 1 && !u.streams() &&
		(o.Target.isCPU() || (o.Launch == "" || o.Launch == AnyLaunch) && o.Memory != lower.Global)
}

// betterColumns is how many times better boxes that hold columns have to be by the model, which knows little of either, than a launch for each nest.
const betterColumns = 1.2

// holdColumns turns to boxes that hold whole columns, where the choice is ours and the model expects more of them than of a launch for each sweep, in that space. It says so, and reports
// whether it did.
func (u *unit) holdColumns(swept *schedule.Canonical) (bool, error) {
	if !u.mayHoldColumns() {
		return false, nil
	}
	columns, err := schedule.Columns(u.Scop, u.Deps)
	if err != nil {
		return false, notTheirs(err)
	}
	if !columns.Column.Known {
		return false, nil
	}
	u.Space = columns
	better, sizes, groups, err := u.weighColumns(swept)
	if u.Space = swept; err != nil || better < betterColumns {
		return false, notTheirs(err)
	}
	u.instead = &tiles{strategy: Space, plan: u.Plan, space: swept, sizes: sizes}
	u.Space, u.Groups = columns, groups
	u.remarks = append(u.remarks, &diag.Diagnostic{Severity: diag.Remark, Code: "HX210", At: u.Scop.Start(),
		Msg:  fmt.Sprintf("%s, by boxes that overlap and hold whole columns: by the model that is %.1f times as fast as a launch for each nest", u.fused(schedule.Sizes{}), better),
		Help: "--strategy=space makes each nest a launch, in order along columns; --grid tells sizes that are typical"})
	return true, nil
}

// weighColumns returns how many times longer a launch for each nest takes by the model than boxes that hold columns and groups of nests, the sizes of the former as boxes of
// space, and the groups of the latter. Both are weighed as boxes that hold columns: of sweeps in boxes of space the model does not know how many points a block runs in turn.
func (u *unit) weighColumns(swept *schedule.Canonical) (better float64, sizes schedule.Sizes, groups schedule.Groups, err error) {
	if u.opts.Target.isCPU() {
		best, err := u.chooseBuffered()
		if err != nil {
			return 0, sizes, nil, err
		}
		apart, err := u.cpu().Overlapping(u.Space, u.Deps, alone(len(u.Scop.Stmts)), u.opts.Grid)
		if err == nil {
			sizes, err = u.cpu().Boxes(swept, u.opts.Grid)
		}
		return apart.PerPoint / best.PerPoint, sizes, best.Groups, err
	}
	best, err := u.chooseOverlapped()
	if err != nil {
		return 0, sizes, nil, err
	}
	apart, err := u.memo.ChooseOverlapped(u.Space, u.Deps, alone(len(u.Scop.Stmts)), u.device(), u.opts.Grid, u.asked(), new(model.NoStream))
	if err != nil {
		return 0, sizes, nil, err
	}
	e, err := u.memo.ChooseSpace(swept, u.device(), u.opts.Grid, u.asked())
	return apart.Seconds / best.Seconds, e.Sizes, best.Groups, err
}

// notTheirs returns err unless it says that boxes that overlap do not apply.
func notTheirs(err error) error {
	var list diag.List
	var conflict *model.ConflictError
	var none *cpu.BufferError
	if errors.As(err, &list) || errors.As(err, &conflict) || errors.As(err, &none) {
		return nil
	}
	return err
}
