package balance

import (
	"net/http"
	"time"
)

const downAfter = 3

// One good answer brings a server back; it takes three bad ones in a row to send it away.
func probe(backend *Backend, path string, every time.Duration, stop <-chan struct{}) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	client := http.Client{Timeout: every / 2}
	for {
		select {
		case <-stop:
			return
		case <-ticker.C:
			answer, err := client.Get(backend.URL + path)
			if err == nil {
				answer.Body.Close()
			}
			if err == nil && answer.StatusCode < 400 {
				backend.failed.Store(0)
				backend.up.Store(true)
			} else if backend.failed.Add(1) >= downAfter {
				backend.MarkDown()
			}
		}
	}
}
