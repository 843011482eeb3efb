//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const kindCgroups = "cgroup removed, memory 1 MB (OOM), pids.max 1, a foreign process in it"

// cgroupFaults meet the cgroups of containers.
var cgroupFaults = []Fault{
	onCgroup("cgroup removed", "cgroup.procs", []int{4, 5}, func(_ *bed, file string) error {
		return unix.Rmdir(filepath.Dir(file))
	}),
	onCgroup("memory 1 MB", "memory.limit_in_bytes", []int{4, 5}, func(_ *bed, file string) error {
		return os.WriteFile(file, []byte("1048576"), 0)
	}),
	onCgroup("pids.max 1", "pids.max", []int{4, 5}, func(_ *bed, file string) error {
		return os.WriteFile(file, []byte("1"), 0)
	}),
	onCgroup("foreign process in a cgroup", "cgroup.procs", []int{4}, func(b *bed, file string) error {
		b.foreign = exec.Command("sleep", "600")
		if err := b.foreign.Start(); err != nil {
			return err
		}
		pid := b.foreign.Process.Pid
		b.waited.Store(pid, true)
		return os.WriteFile(file, []byte(strconv.Itoa(pid)), 0)
	}),
}

// onCgroup does something with a file of one of the case's cgroups that have it.
func onCgroup(name, file string, codes []int, do func(b *bed, file string) error) Fault {
	return Fault{
		Kind: kindCgroups,
		Name: name,
		Fits: withTestbed,
		Inject: func(b *bed) error {
			var found []string
			for _, path := range b.cgroups() {
				for _, each := range []string{file, unified[file]} {
					if _, err := os.Stat(filepath.Join(path, each)); err == nil && each != "" {
						found = append(found, filepath.Join(path, each))
					}
				}
			}
			if len(found) == 0 {
				return errAbsent
			}
			chosen := found[b.Pick%uint64(len(found))]
			b.note("%s", chosen)
			if do(b, chosen) != nil {
				return errRefused
			}
			return nil
		},
		Codes: codes,
		// A cgroup with a foreign process in it is not removed.
		Leaves: strings.HasPrefix(name, "foreign"),
	}
}

// unified gives the names of files in cgroups of version 2, if they differ.
var unified = map[string]string{"memory.limit_in_bytes": "memory.max"}

// withdraw ends the foreign process, as its owner would on learning of it.
func (b *bed) withdraw() {
	if b.foreign != nil {
		b.foreign.Process.Kill()
		b.foreign.Wait()
		b.waited.Delete(b.foreign.Process.Pid)
		b.foreign = nil
	}
}
