package main

import (
	"flag"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"

	"example.org/gatekeep/internal/config"
	"example.org/gatekeep/internal/proxy"
)

func main() {
	path := flag.String("config", "gatekeep.conf", "settings file")
	flag.Parse()
	settings, err := config.Load(*path)
	if err != nil {
		log.Fatalf("cannot start: %v", err)
	}
	handler := proxy.New(settings)
	go reloadOnHangup(*path, handler)
	log.Fatal(http.ListenAndServe(settings.Listen, handler))
}

// A broken file must never take down a proxy that is running.
func reloadOnHangup(path string, handler *proxy.Handler) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGHUP)
	for range signals {
		settings, err := config.Load(path)
		if err != nil {
			log.Printf("keeping old settings: %v", err)
			continue
		}
		handler.Swap(settings)
	}
}
