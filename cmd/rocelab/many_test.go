//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// tiny is a scenario whose run takes a millisecond.
const tiny = `name: tiny
topology: {kind: star, hosts: 3}
traffic: [{kind: incast, senders: 2, size: 2KB}]
record: {off: true}
variants: [{name: a, algorithm: fixed}, {name: b, algorithm: fixed}]
`

// Above 100 runs a command prints how many there are and how long they take, in a pipe without a question. Tier:
// -short.
func TestManyRunsAreAnnounced(t *testing.T) {
	s := newShell(t)
	s.write("tiny.yaml", tiny)
	const reckoned = `rocelab: %s; estimate from [1-3] runs: ` +
		`\S+ a run, \S+ for all with \d+ at a time, \S+ \S?B of memory a run, \S+ of processor time in all%s`
	for _, c := range []struct{ line, want string }{
		{"run tiny.yaml --no-folder --seeds 50", ""},
		{"run tiny.yaml --no-folder --seeds 51", "102 runs"},
		{"run tiny.yaml --no-folder --variant b --seeds 101", "101 runs, because --seeds 101 means the seeds 1 to 101"},
		{"run tiny.yaml --no-folder --seeds 5,7", ""},
		{"compare tiny.yaml --variant b --algorithm fixed --seeds 101 --jobs 1",
			"101 runs, because --seeds 101 means the seeds 1 to 101"},
		{"sweep tiny.yaml --seeds 50 --jobs 1", ""},
		{"sweep tiny.yaml --seeds 102 --jobs 1", "104 runs, because --seeds 102 means the seeds 1 to 102"},
		{"sweep tiny.yaml --seeds 102 --jobs 1", ""}, // they are done
		{"tune switch.ecn.kmin=1KB,2KB tiny.yaml --variant a --seeds 2", ""},
		{"tune switch.ecn.kmin=1KB,2KB tiny.yaml --variant a --seeds 46 --jobs 1", "at most 138 runs"},
	} {
		t.Run(fmt.Sprintf("line=%s,want=%s", c.line, c.want), func(t *testing.T) {
			code := 0
			if strings.HasPrefix(c.line, "tune") {
				code = 3 // they come to the same
			}
			s.run(code, strings.Fields(c.line)...)
			want := regexp.MustCompile(`^$`)
			if c.want != "" {
				disk := "" // of commands that write run folders
				if strings.HasPrefix(c.line, "sweep") {
					disk = `, \S+ \S?B on disk in all`
				}
				want = regexp.MustCompile(`^` + fmt.Sprintf(reckoned, c.want, disk) + `$`)
			}
			if said := strings.Join(strings.Fields(s.stderr), " "); !want.MatchString(said) {
				t.Errorf("%s: %q, want %q", c.line, said, c.want)
			}
		})
	}
}

// On a terminal a number above 100 is asked about.
func TestManySeedsAreAskedAbout(t *testing.T) {
	s := newShell(t)
	s.write("tiny.yaml", tiny)
	for _, c := range []struct {
		flags, answer string
		code          int
		asks          bool
	}{
		{"--seeds 101", "n\n", 2, true},
		{"--seeds 101", "\n", 2, true},
		{"--seeds 101", "y\n", 0, true},
		{"--seeds 101 --yes", "", 0, false},
		{"--seeds 1..101", "", 0, false},
		{"--seeds 100", "", 0, false},
	} {
		keyboard, terminal := pseudoTerminal(t)
		if _, err := io.WriteString(keyboard, c.answer); err != nil {
			t.Fatal(err)
		}
		stdin := os.Stdin
		os.Stdin = terminal
		var stdout bytes.Buffer
		line := "run tiny.yaml --no-folder --variant a --progress none " + c.flags
		code := execute(s.ctx, strings.Fields(line), &stdout, terminal)
		os.Stdin = stdin
		terminal.Close()
		shown, _ := io.ReadAll(keyboard) // ends with an error, as the terminal is closed
		if code != c.code || strings.Contains(string(shown), "Go on? [y/N]") != c.asks {
			t.Errorf("%s: exit code %d, want %d; shows %q", c.flags, code, c.code, shown)
		}
	}
}

// pseudoTerminal returns both ends of a terminal.
func pseudoTerminal(t *testing.T) (keyboard, terminal *os.File) {
	t.Helper()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { keyboard.Close() })
	fd := int(keyboard.Fd())
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skip(err)
	}
	return keyboard, terminal
}
