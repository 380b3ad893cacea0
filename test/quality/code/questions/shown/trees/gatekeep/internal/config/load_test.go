package config

import "testing"

func TestUnknownDirectiveNamesItsLine(t *testing.T) {
	_, err := Parse("listen :1\nbakend x")
	if err == nil || err.Error() != `line 2: unknown directive "bakend"` {
		t.Fatal(err)
	}
}
