package access

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

type recorder struct {
	http.ResponseWriter
	status int
	bytes  int
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(data []byte) (int, error) {
	n, err := r.ResponseWriter.Write(data)
	r.bytes += n
	return n, err
}

// Wrap writes one line for every exchange, with its duration in milliseconds.
func Wrap(next http.Handler, out io.Writer) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &recorder{ResponseWriter: w, status: 200}
		start := time.Now()
		next.ServeHTTP(seen, r)
		fmt.Fprintf(out, "%s %s %d %dB %dms\n", r.Method, r.URL.Path, seen.status, seen.bytes, time.Since(start).Milliseconds())
	})
}
