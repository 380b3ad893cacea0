package proxy

import (
	"net"
	"net/http"
	"sync/atomic"

	"example.org/gatekeep/internal/balance"
	"example.org/gatekeep/internal/config"
	"example.org/gatekeep/internal/limit"
)

type Handler struct {
	state atomic.Pointer[state]
}

type state struct {
	pool    *balance.Pool
	limiter *limit.Limiter
}

func New(settings config.Config) *Handler {
	handler := &Handler{}
	handler.Swap(settings)
	return handler
}

// Swap lets requests that are under way finish with the state they started with.
func (h *Handler) Swap(settings config.Config) {
	old := h.state.Swap(&state{balance.NewPool(settings), limit.New(settings.PerSecond, settings.Burst)})
	if old != nil {
		old.pool.Close()
	}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	now := h.state.Load()
	client, _, _ := net.SplitHostPort(r.RemoteAddr)
	if !now.limiter.Allow(client) {
		w.Header().Set("Retry-After", "1")
		http.Error(w, "slow down", http.StatusTooManyRequests)
		return
	}
	forward(now.pool, w, r)
}
