//go:build linux && !mem

package process

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/specs/tier"
)

// A program that is run for its output is held as a plugin is: it ends in time, and the error describes how it failed.
func TestOutput(t *testing.T) {
	tier.Everyday(t)
	for _, c := range []struct{ script, want string }{
		{"echo a; echo b", ""},
		{"exit 3", "exited with code 3 when it was asked"},
		{"kill -9 $$", "was ended by signal: killed when it was asked"},
		{"sleep 600", "does not end within 1s"},
		{"kill -STOP $$", "does not end within 1s"},
		{"sleep 600 & echo a; echo b", ""},
	} {
		t.Run(c.script, func(t *testing.T) {
			out, err := Output(Options{StartLimit: time.Second}, "/bin/sh", "-c", c.script)
			var failed *Error
			switch {
			case c.want == "" && (err != nil || string(out) != "a\nb\n"):
				t.Errorf("%s: %q, %v", c.script, out, err)
			case c.want != "" && (!errors.As(err, &failed) || !strings.Contains(failed.Problem, c.want)):
				t.Errorf("%s: %v", c.script, err)
			}
		})
	}
	_, err := Output(Options{StartLimit: time.Second}, "/none/such")
	if err == nil || !strings.Contains(err.Error(), "/none/such") {
		t.Errorf("a program that is not there: %v", err)
	}
}
