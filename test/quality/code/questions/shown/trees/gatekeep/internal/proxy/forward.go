package proxy

import (
	"io"
	"log"
	"net/http"

	"example.org/gatekeep/internal/balance"
)

const tries = 3

// forward asks another backend if one can't be reached, but only for requests that are safe to repeat.
func forward(pool *balance.Pool, w http.ResponseWriter, r *http.Request) {
	for try := 0; try < tries; try++ {
		backend := pool.Pick()
		if backend == nil {
			break
		}
		answer, err := send(backend.URL, r)
		if err == nil {
			relay(w, answer)
			return
		}
		log.Printf("upstream %s did not answer: %v", backend.URL, err)
		backend.MarkDown()
		if !repeatable(r.Method) {
			break
		}
	}
	http.Error(w, "no backend available", http.StatusBadGateway)
}

func repeatable(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}

func send(base string, r *http.Request) (*http.Response, error) {
	out, err := http.NewRequestWithContext(r.Context(), r.Method, base+r.URL.RequestURI(), r.Body)
	if err != nil {
		return nil, err
	}
	out.Header = rewritten(r)
	return http.DefaultTransport.RoundTrip(out)
}

func relay(w http.ResponseWriter, answer *http.Response) {
	defer answer.Body.Close()
	for name, values := range answer.Header {
		w.Header()[name] = values
	}
	w.WriteHeader(answer.StatusCode)
	io.Copy(w, answer.Body)
}
