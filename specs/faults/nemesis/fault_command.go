//go:build linux

package main

import (
	"syscall"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
)

const (
	kindAsked  = "CLI: TERM, INT, HUP, 2 x INT, STOP/CONT"
	kindKilled = "CLI: KILL, also while stopped"
)

// commandFaults meet the command itself.
var commandFaults = []Fault{
	asked("TERM", syscall.SIGTERM),
	asked("INT", syscall.SIGINT),
	asked("HUP", syscall.SIGHUP),
	{
		Kind: kindAsked,
		Name: "CLI 2 x INT",
		Fits: anywhere,
		Inject: func(b *bed) error {
			if err := b.signal(syscall.SIGINT); err != nil {
				return err
			}
			b.sleep(100*time.Millisecond, 200*time.Millisecond)
			b.signal(syscall.SIGINT)
			return nil
		},
		Codes:  []int{130, 4},
		Leaves: true,
	},
	{
		Kind: kindAsked,
		Name: "CLI STOP/CONT",
		Fits: anywhere,
		Inject: func(b *bed) error {
			if err := b.signal(syscall.SIGSTOP); err != nil {
				return err
			}
			b.sleep(0, 4*time.Second)
			b.signal(syscall.SIGCONT)
			return nil
		},
	},
	{
		Kind:   kindKilled,
		Name:   "CLI KILL",
		Fits:   anywhere,
		Inject: func(b *bed) error { return b.signal(syscall.SIGKILL) },
		Codes:  []int{bySignal(syscall.SIGKILL)},
		Leaves: true,
	},
	{
		Kind: kindKilled,
		Name: "CLI STOP, KILL",
		Fits: anywhere,
		Inject: func(b *bed) error {
			if err := b.signal(syscall.SIGSTOP); err != nil {
				return err
			}
			b.sleep(0, time.Second)
			return b.signal(syscall.SIGKILL)
		},
		Codes:  []int{bySignal(syscall.SIGKILL)},
		Leaves: true,
	},
	{
		Kind:   "CLI: QUIT",
		Name:   "CLI QUIT",
		Fits:   func(c *Case) bool { return c.Phase != phaseStart }, // before main it is Go's alone
		Inject: func(b *bed) error { return b.signal(syscall.SIGQUIT) },
		Codes:  []int{exit.CodeQuit},
		Dumps:  true,
	},
}

// asked is a signal that asks the command to end. One that comes before the command
// has a handler ends it at once, and nothing is made by then.
func asked(name string, s syscall.Signal) Fault {
	return Fault{
		Kind:   kindAsked,
		Name:   "CLI " + name,
		Fits:   anywhere,
		Inject: func(b *bed) error { return b.signal(s) },
		Codes:  []int{130, 4, bySignal(s)},
	}
}

// bySignal is the exit code of what a signal ended.
func bySignal(s syscall.Signal) int { return 128 + int(s) }

// signal sends the command a signal.
func (b *bed) signal(s syscall.Signal) error {
	if err := b.command.Process.Signal(s); err != nil {
		return errAbsent
	}
	return nil
}

// sleep waits from least on, by a time of the case's choice below more.
func (b *bed) sleep(least, more time.Duration) {
	time.Sleep(least + time.Duration(b.Pick%uint64(more)))
}
