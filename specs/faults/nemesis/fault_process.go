//go:build linux

package main

import (
	"slices"
	"syscall"
	"time"
)

const (
	kindContainers = "daemons, container init, set-up stage: KILL, TERM, SEGV, STOP, STOP/CONT"
	kindPlugins    = "plugins: KILL, TERM, STOP, one or all"
)

// How messages name who is at fault.
const (
	saysDaemon = `nicd|switchd|daemon|container`
	saysPlugin = `plugin|dcqcn|` + pythonPlugin
)

// containerFaults meet what runs in the containers of a testbed.
var containerFaults = slices.Concat(
	signals(kindContainers, "daemon", (*bed).daemons, withTestbed, []int{4}, saysDaemon),
	signals(kindContainers, "init", (*bed).firsts, withTestbed, []int{4, 5}, saysDaemon+"|"+saysPlugin),
	signals(kindContainers, "stage", (*bed).stages, whileStaging, []int{4}, ""),
)

// ofPlugins are the exit codes of a fault of a plugin: 4 if it struck a plugin-to-be that the host has not started yet.
var ofPlugins = []int{4, 5}

// pluginFaults meet algorithms that are programs of their own.
var pluginFaults = append(
	signals(kindPlugins, "plugin", (*bed).plugins, withPlugins, ofPlugins, saysPlugin),
	allPlugins("all plugins KILL", syscall.SIGKILL), allPlugins("all plugins STOP", syscall.SIGSTOP))

func allPlugins(name string, s syscall.Signal) Fault {
	return Fault{
		Kind: kindPlugins,
		Name: name,
		Fits: withPlugins,
		Inject: func(b *bed) error {
			list := b.plugins()
			if len(list) == 0 {
				return errAbsent
			}
			for _, p := range list {
				syscall.Kill(p.pid, s)
			}
			return nil
		},
		Codes: ofPlugins,
		Says:  saysPlugin,
	}
}

// signals are the faults of one signal to one of the processes that targets
// returns.
func signals(kind, who string, targets func(*bed) []*process, fits func(*Case) bool, codes []int, says string) []Fault {
	one := func(name string, codes []int, dumps bool, do func(b *bed, pid int) error) Fault {
		return Fault{
			Kind: kind,
			Name: who + " " + name,
			Fits: fits,
			Inject: func(b *bed) error {
				list := targets(b)
				if len(list) == 0 {
					return errAbsent
				}
				p := list[b.Pick%uint64(len(list))]
				b.note("%s is %s", who, p)
				if do(b, p.pid) != nil {
					return errAbsent
				}
				return nil
			},
			Codes: codes,
			Says:  says,
			Dumps: dumps,
		}
	}
	send := func(s syscall.Signal) func(*bed, int) error {
		return func(_ *bed, pid int) error { return syscall.Kill(pid, s) }
	}
	return []Fault{
		one("KILL", codes, false, send(syscall.SIGKILL)),
		one("TERM", codes, false, send(syscall.SIGTERM)),
		one("STOP", codes, false, send(syscall.SIGSTOP)),
		one("SEGV", codes, true, send(syscall.SIGSEGV)),
		one("STOP/CONT", nil, false, func(b *bed, pid int) error {
			err := syscall.Kill(pid, syscall.SIGSTOP)
			b.sleep(0, 1500*time.Millisecond)
			syscall.Kill(pid, syscall.SIGCONT)
			return err
		}),
	}
}
