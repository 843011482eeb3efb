package result

import (
	"fmt"
	"time"
)

// HostCommand is a command that a host with its own stack ran.
type HostCommand struct {
	// Host is the host's name, Line what its shell was given.
	Host, Line string
	// Ended is set if it ended before the run did. After is its wall-clock running time, and Err its error, nil for
	// none.
	Ended bool
	After time.Duration
	Err   error
}

// commandFindings judges the commands of hosts: one that went on until the run ended, and
// one that ended well, are as they should be.
func commandFindings(commands []HostCommand) (fs []Finding) {
	for _, c := range commands {
		if c.Ended && c.Err != nil {
			fs = append(fs, Finding{Failed, Commands, fmt.Sprintf("host %s: %q: %v after %v", c.Host, c.Line, c.Err, c.After)})
		}
	}
	return fs
}
