package limit

import "testing"

func TestBurstIsSpentThenRefused(t *testing.T) {
	limiter := New(0.001, 2)
	for i, want := range []bool{true, true, false} {
		if got := limiter.Allow("192.0.2.1"); got != want {
			t.Fatal(i, got)
		}
	}
}
