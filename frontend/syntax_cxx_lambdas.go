package frontend

// A cxxLambda is a function without a name that a variable holds.
type cxxLambda struct{}
