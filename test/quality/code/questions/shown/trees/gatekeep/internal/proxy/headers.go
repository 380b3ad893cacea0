package proxy

import (
	"net"
	"net/http"
	"strings"
)

var hopByHop = []string{"Connection", "Keep-Alive", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade"}

// rewritten drops what only concerns one connection and appends the caller's address.
func rewritten(r *http.Request) http.Header {
	header := r.Header.Clone()
	for _, name := range strings.Split(header.Get("Connection"), ",") {
		header.Del(strings.TrimSpace(name))
	}
	for _, name := range hopByHop {
		header.Del(name)
	}
	if address, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		if before := header.Get("X-Forwarded-For"); before != "" {
			address = before + ", " + address
		}
		header.Set("X-Forwarded-For", address)
	}
	return header
}
