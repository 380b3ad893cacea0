package balance

import (
	"sync"

	"example.org/gatekeep/internal/config"
)

type Pool struct {
	mutex    sync.Mutex
	backends []*Backend
	stop     chan struct{}
}

func NewPool(settings config.Config) *Pool {
	pool := &Pool{stop: make(chan struct{})}
	for _, one := range settings.Backends {
		backend := &Backend{URL: one.URL, weight: one.Weight}
		backend.up.Store(true)
		pool.backends = append(pool.backends, backend)
		go probe(backend, settings.ProbePath, settings.ProbeInterval, pool.stop)
	}
	return pool
}

// Pick spreads turns smoothly: each candidate gains its weight, the richest pays the sum of all.
func (p *Pool) Pick() *Backend {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var best *Backend
	total := 0
	for _, backend := range p.backends {
		if !backend.up.Load() {
			continue
		}
		backend.credit += backend.weight
		total += backend.weight
		if best == nil || backend.credit > best.credit {
			best = backend
		}
	}
	if best != nil {
		best.credit -= total
	}
	return best
}

func (p *Pool) Close() { close(p.stop) }
