package balance

import "sync/atomic"

type Backend struct {
	URL    string
	weight int
	credit int
	up     atomic.Bool
	failed atomic.Int32
}

func (b *Backend) MarkDown() { b.up.Store(false) }
