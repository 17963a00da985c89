// Package report shows what the other passes made: as text, as JSON, in isl
// notation and as pictures in SVG. It takes no decision and changes nothing.
package report
