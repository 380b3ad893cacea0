// Package config reads the settings file.
package config

import "time"

type Config struct {
	Listen        string
	Backends      []Backend
	PerSecond     float64
	Burst         int
	ProbePath     string
	ProbeInterval time.Duration
}

type Backend struct {
	URL    string
	Weight int
}

func defaults() Config {
	return Config{Listen: ":8000", PerSecond: 100, Burst: 200, ProbePath: "/", ProbeInterval: 10 * time.Second}
}
