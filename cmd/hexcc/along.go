package main

import (
	"github.com/alecthomas/kong"

	"github.com/hexcc/hexcc"
)

// An along is the value of --reassociate: a loop, or hexcc.AnyLoop where the flag has no value; "": it is not given.
type along string

// Decode reads the value, if there is one.
func (a *along) Decode(ctx *kong.DecodeContext) error {
	*a = hexcc.AnyLoop
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		*a = along(ctx.Scan.Pop().String())
	}
	return nil
}

// IsBool lets the flag stand without a value.
func (along) IsBool() bool { return true }

// arguments are those of a program: the value of --run, which may have none.
type arguments struct {
	given bool
	text  string
}

// Decode reads the value, if there is one.
func (a *arguments) Decode(ctx *kong.DecodeContext) error {
	if a.given = true; ctx.Scan.Peek().Type == kong.FlagValueToken {
		a.text = ctx.Scan.Pop().String()
	}
	return nil
}

// IsBool lets the flag stand without a value.
func (arguments) IsBool() bool { return true }
