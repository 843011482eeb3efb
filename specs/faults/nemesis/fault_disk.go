//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	kindRun    = "/run full by bytes"
	kindOthers = "/dev/shm, TMPDIR, the run folder's disk full"

	saysFull = "no space left|full|room|disk|runc" // which has no room to say more
)

// diskFaults are disks without room.
var diskFaults = []Fault{
	runFull("/run full", 0),
	runFull("/run nearly full", 128<<10),
	{
		Kind:   kindOthers,
		Name:   "TMPDIR full",
		Fits:   anywhere,
		Before: func(b *bed) error { return b.disk(b.temporary, 1<<20) },
		Inject: func(b *bed) error { return fill(b.temporary, 0) },
		Codes:  []int{4, 5},
	},
	{
		Kind:   kindOthers,
		Name:   "run folder's disk full",
		Fits:   inRuns,
		Before: func(b *bed) error { return b.disk(b.out(), 1<<20) },
		Inject: func(b *bed) error { return fill(b.out(), 0) },
		Codes:  []int{4},
		Says:   saysFull,
	},
	{
		Kind:   kindOthers,
		Name:   "/dev/shm full",
		Fits:   func(c *Case) bool { return c.Form != "destroy" && c.Phase == phaseStart },
		Before: func(b *bed) error { b.crampedShm = true; return nil },
		Inject: func(*bed) error { return nil },
		Codes:  []int{4, 5},
		Says:   saysFull,
	},
}

// runFull takes the room of the disk with the testbeds, but for less than spare bytes.
func runFull(name string, spare uint64) Fault {
	return Fault{
		Kind:   kindRun,
		Name:   name,
		Before: func(b *bed) error { return b.disk(b.state, 64<<20) },
		Inject: func(b *bed) error {
			if spare == 0 {
				return fill(b.state, 0)
			}
			return fill(b.state, int64(b.Pick%spare))
		},
		Codes: []int{4, 5},
		Says:  saysFull,
	}
}

// disk mounts a small file system.
func (b *bed) disk(path string, bytes int) error {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return err
	}
	if err := unix.Mount("nemesis", path, "tmpfs", 0, fmt.Sprintf("size=%d,mode=700", bytes)); err != nil {
		return err
	}
	b.mounts = append(b.mounts, path)
	return nil
}

// ballast is the file that fills a disk.
const ballast = ".ballast"

// fill takes all that is free of a disk but spare bytes.
func fill(path string, spare int64) error {
	f, err := os.Create(filepath.Join(path, ballast))
	if err != nil {
		return err
	}
	defer f.Close()
	block, total := make([]byte, 1<<20), int64(0)
	for size := len(block); size > 0; {
		n, err := f.Write(block[:size])
		total += int64(n)
		if err != nil {
			size /= 2
		}
	}
	return f.Truncate(max(0, total-spare))
}
