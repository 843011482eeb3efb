//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// process is a process of the case's commands.
type process struct {
	pid, parent int
	state       byte // as in proc_pid_stat(5)
	args        []string
}

func (p *process) String() string {
	return fmt.Sprintf("%d %c %s", p.pid, p.state, strings.Join(p.args, " "))
}

// descendants are all processes below this one, which is where orphans come to.
func descendants() (list []*process) {
	children := map[int][]*process{}
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p := readProcess(pid); p != nil {
			children[p.parent] = append(children[p.parent], p)
		}
	}
	list = children[os.Getpid()]
	for i := 0; i < len(list); i++ {
		list = append(list, children[list[i].pid]...)
	}
	for _, p := range list {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p.pid))
		p.args = strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
	}
	return list
}

func readProcess(pid int) *process {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:])
	parent, _ := strconv.Atoi(string(fields[1]))
	return &process{pid: pid, parent: parent, state: fields[0][0]}
}

// alive returns the descendants that have not ended; ended ones that were left to this process are reaped.
func (b *bed) alive() (list []*process) {
	for _, p := range descendants() {
		switch {
		case p.state != 'Z' && !b.waitedFor(p.pid):
			list = append(list, p)
		case p.state == 'Z' && p.parent == os.Getpid() && !b.waitedFor(p.pid):
			unix.Wait4(p.pid, nil, unix.WNOHANG, nil)
		}
	}
	return list
}

// ofCommand returns the live descendants of the disturbed command, including the ones that it left.
func (b *bed) ofCommand() (list []*process) {
	for _, p := range b.alive() {
		if b.command == nil || p.pid != b.command.Process.Pid {
			list = append(list, p)
		}
	}
	return list
}

// plugins are the programs of algorithms, by what they are called.
func (b *bed) plugins() []*process {
	return slices.DeleteFunc(b.ofCommand(), func(p *process) bool {
		return !slices.ContainsFunc(p.args, func(arg string) bool {
			base := filepath.Base(arg)
			return base == "cc-dcqcn" || base == "rocelab-cc" || base == "cc-"+pythonPlugin || base == "cc-"+muteForm
		})
	})
}

// isDaemon reports whether a process is called as a daemon of a testbed is.
func isDaemon(p *process) bool {
	return slices.Contains([]string{"nicd", "switchd", "wand", "poold", "pool"}, filepath.Base(p.args[0]))
}

// daemons are the daemons, and firsts the ones that are the first process of their container, as all are except in
// pools.
func (b *bed) daemons() []*process {
	return slices.DeleteFunc(b.ofCommand(), func(p *process) bool { return !isDaemon(p) })
}

// firsts are the first processes of PID namespaces.
func (b *bed) firsts() []*process {
	return slices.DeleteFunc(b.ofCommand(), func(p *process) bool {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.pid))
		for line := range strings.Lines(string(status)) {
			if ids, ok := strings.CutPrefix(line, "NSpid:"); ok {
				all := strings.Fields(ids)
				return len(all) < 2 || all[len(all)-1] != "1"
			}
		}
		return true
	})
}

// stages returns the processes that set a container up: the built-in launcher's, and runc.
func (b *bed) stages() []*process {
	return slices.DeleteFunc(b.ofCommand(), func(p *process) bool {
		base := filepath.Base(p.args[0])
		return base != "rocelab-container-init" && base != "runc"
	})
}
