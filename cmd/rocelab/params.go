package main

import (
	"fmt"
	"strings"

	"github.com/rocelab/rocelab/testbed/many/comparison"
)

// params reads --set of commands that give an algorithm parameters.
func params(sets []string) (map[string]string, error) {
	given := map[string]string{}
	for _, s := range sets {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("--set %q: write name=value, such as rate=40Gbps", s)
		}
		if _, twice := given[name]; twice {
			return nil, fmt.Errorf("--set %s is given twice", name)
		}
		given[name] = value
	}
	return given, nil
}

// addParams adds the parameters of an entry to those from --set.
func addParams(given map[string]string, entry comparison.Entry) error {
	for name, value := range entry.Params {
		if _, twice := given[name]; twice {
			return fmt.Errorf("--set %s is given twice", name)
		}
		given[name] = value
	}
	return nil
}
