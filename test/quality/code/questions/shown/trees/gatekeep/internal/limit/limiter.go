// Package limit keeps one token bucket for each client.
package limit

import (
	"sync"
	"time"
)

type Limiter struct {
	mutex   sync.Mutex
	rate    float64
	burst   float64
	buckets map[string]*bucket
}

type bucket struct {
	tokens float64
	filled time.Time
}

func New(perSecond float64, burst int) *Limiter {
	return &Limiter{rate: perSecond, burst: float64(burst), buckets: map[string]*bucket{}}
}

func (l *Limiter) Allow(client string) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	now := time.Now()
	b, ok := l.buckets[client]
	if !ok {
		l.forgetIdle(now)
		b = &bucket{l.burst, now}
		l.buckets[client] = b
	}
	b.tokens = min(l.burst, b.tokens+now.Sub(b.filled).Seconds()*l.rate)
	b.filled = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// Without this, every address that ever called would stay in memory.
func (l *Limiter) forgetIdle(now time.Time) {
	for client, b := range l.buckets {
		if now.Sub(b.filled) > 10*time.Minute {
			delete(l.buckets, client)
		}
	}
}
