package proxy

import (
	"net/http/httptest"
	"testing"
)

func TestAddressIsAppendedToTheChain(t *testing.T) {
	r := httptest.NewRequest("GET", "/", nil)
	r.RemoteAddr = "192.0.2.9:1234"
	r.Header.Set("X-Forwarded-For", "192.0.2.1")
	if got := rewritten(r).Get("X-Forwarded-For"); got != "192.0.2.1, 192.0.2.9" {
		t.Fatal(got)
	}
}
