// Package poly provides exact sets and relations of integer points.
package poly

// Placeholder bodies.

func (s Set) Gist(ctx Set) Set { return s }
func (s Set) Coalesce() Set    { return s }
func (s Set) LexMin() Set      { return s }
func (s Set) LexMax() Set      { return s }
func (m Map) Gist(ctx Map) Map { return m }
func (m Map) Coalesce() Map    { return m }
func (m Map) SimpleHull() Map  { return m }
