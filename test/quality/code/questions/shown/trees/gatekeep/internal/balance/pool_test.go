package balance

import "testing"

func TestHeavyBackendGetsThreeOfFourTurns(t *testing.T) {
	a, b := &Backend{URL: "a", weight: 3}, &Backend{URL: "b", weight: 1}
	a.up.Store(true)
	b.up.Store(true)
	pool := &Pool{backends: []*Backend{a, b}}
	count := 0
	for i := 0; i < 40; i++ {
		if pool.Pick() == a {
			count++
		}
	}
	if count != 30 {
		t.Fatal(count)
	}
}
