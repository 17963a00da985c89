package model

import (
	"sync"

	"github.com/hexcc/hexcc/machine"
	"github.com/hexcc/hexcc/schedule"
)

// A Memo makes each choice once for regions that are equal but for where they stand in the source: it remembers
// what Launcher.Choose, ChooseSpace, ChooseUntiled, ChooseOverlapped and NewOutlook returned, by all that they depend on. Errors are not remembered, since they
// say where the region stands. Several goroutines may use a Memo at once; a nil one remembers nothing.
type Memo struct {
	lock sync.Mutex
	made map[string]*memory
	// Made is how many choices were made, and not remembered. It is to be read when nobody makes one.
	Made int
}

// A memory is one choice; its lock is held while it is made, so that who asks meanwhile waits.
type memory struct {
	sync.Mutex
	value any // nil: not made, or made with an error
}

// ChooseSpace is the function ChooseSpace.
func (m *Memo) ChooseSpace(c *schedule.Canonical, d machine.Device, typical Typical, asked Asked) (Estimate, error) {
	return remember(m, func() (Estimate, error) { return ChooseSpace(c, d, typical, asked) }, "space", c, d, typical, asked)
}

// ChooseUntiled is the function ChooseUntiled.
func (m *Memo) ChooseUntiled(c *schedule.Canonical, d machine.Device, typical Typical, asked Asked) (Estimate, error) {
	return remember(m, func() (Estimate, error) { return ChooseUntiled(c, d, typical, asked) }, "untiled", c, d, typical, asked)
}

// ChooseOverlapped is the function ChooseOverlapped, for the dependences of c.
func (m *Memo) ChooseOverlapped(c *schedule.Canonical, deps []schedule.Dependence, groups schedule.Groups, d machine.Device, typical Typical, asked Asked, wish *int) (Estimate, error) {
	return remember(m, func() (Estimate, error) { return ChooseOverlapped(c, deps, groups, d, typical, asked, wish) }, "overlapped", c, groups, d, typical, asked, wish)
}

// Outlook is the function NewOutlook.
func (m *Memo) Outlook(c *schedule.Canonical, d machine.Device, typical Typical, choice *Choice, boxes schedule.Sizes, asked Asked) (*Outlook, error) {
	var hybrid *Expected
	if choice != nil {
		hybrid = choice.expected()
	}
	return remember(m, func() (*Outlook, error) { return NewOutlook(c, d, typical, choice, boxes, asked) },
		"outlook", c, d, typical, hybrid, boxes, asked)
}

// remember returns what choose returned for the first of equal args, which are all that it depends on.
func remember[T any](m *Memo, choose func() (T, error), args ...any) (T, error) {
	if m == nil {
		return choose()
	}
	x := m.at(shape(args...))
	x.Lock()
	defer x.Unlock()
	if x.value != nil {
		return x.value.(T), nil
	}
	m.count()
	value, err := choose()
	if err == nil {
		x.value = value
	}
	return value, err
}

// at returns the memory of key.
func (m *Memo) at(key string) *memory {
	m.lock.Lock()
	defer m.lock.Unlock()
	if m.made == nil {
		m.made = map[string]*memory{}
	}
	if m.made[key] == nil {
		m.made[key] = &memory{}
	}
	return m.made[key]
}

func (m *Memo) count() {
	m.lock.Lock()
	m.Made++
	m.lock.Unlock()
}
