// Package report shows what the other passes made: as text, as JSON, in isl
// notation, as pictures in SVG and as one HTML page. It takes no decision and changes nothing.
package report
