package config

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func Load(path string) (Config, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return Config{}, err
	}
	return Parse(string(text))
}

// Parse names the line of the first mistake it meets.
func Parse(text string) (Config, error) {
	settings := defaults()
	for number, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if err := apply(&settings, words); err != nil {
			return Config{}, fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	return settings, validate(settings)
}

func apply(settings *Config, words []string) (err error) {
	if len(words) < 2 {
		return fmt.Errorf("%s needs a value", words[0])
	}
	switch words[0] {
	case "listen":
		settings.Listen = words[1]
	case "backend":
		settings.Backends = append(settings.Backends, Backend{words[1], option(words, "weight", 1)})
	case "limit":
		settings.PerSecond, err = strconv.ParseFloat(words[1], 64)
		settings.Burst = option(words, "burst", settings.Burst)
	case "probe_path":
		settings.ProbePath = words[1]
	case "probe_interval":
		settings.ProbeInterval, err = time.ParseDuration(words[1])
	default:
		return fmt.Errorf("unknown directive %q", words[0])
	}
	return err
}

func option(words []string, name string, otherwise int) int {
	for _, word := range words {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			if number, err := strconv.Atoi(value); err == nil {
				return number
			}
		}
	}
	return otherwise
}
