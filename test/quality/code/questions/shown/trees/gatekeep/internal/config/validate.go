package config

import "errors"

func validate(settings Config) error {
	if len(settings.Backends) == 0 {
		return errors.New("at least one backend is needed")
	}
	for _, backend := range settings.Backends {
		if backend.Weight < 1 || backend.Weight > 1000 {
			return errors.New("weight must be between 1 and 1000")
		}
	}
	return nil
}
