package poly

// What operations have as second operands in records, beside sets and relations: see record_on.go.

// A paramValue is a value for a parameter.
type paramValue struct {
	name  string
	value int64
}

// A place is a point, for values of the parameters.
type place struct {
	params map[string]int64
	point  []int64
}
