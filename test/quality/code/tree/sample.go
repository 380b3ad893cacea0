// Package sample is an example.
package sample

import "fmt"

const (
	// Limit is how many.
	Limit = 10
	other
)

// Number is any number.
type Number interface {
	~int | ~float64
	String() string
}

type Stack[T any] struct {
	items []T
	inner struct{ a int }
}

type (
	// Handler handles.
	Handler func(a string) error
	ID      = string
	pair    struct{ a, b int }
)

// Push adds an item.
func (s *Stack[T]) Push(item T) { s.items = append(s.items, item) }

func (s Stack[T]) Len() int {
	type local struct{ x int }
	f := func(a int) int { return a }
	return f(len(s.items))
}

func (*pair) noName() {}

func Map[T, U any](
	in []T,
	f func(T) U,
) (out []U, err error) {
	raw := `
func inString() {}
type InString struct {}
`
	_ = raw // func inComment() {}
	return nil, fmt.Errorf("func quoted() {}")
}

func external(a, b int) int

func init() {}

var (
	global     = 1
	callback   = func() {}
)
