// Package ctext is what printers of languages of the C family share: names,
// integer and floating-point expressions, and what stands for the region in the
// user's source.
package ctext
