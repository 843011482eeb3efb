//go:build linux

package main

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

const (
	kindRemoved = "a file or a folder of the state removed"
	kindGarbled = "a record truncated, garbled, replaced by garbage"
)

// recordFaults meet the files of a testbed.
var recordFaults = []Fault{
	onRecord(kindRemoved, "record removed", (*bed).records, func(_ *bed, path string) error {
		return os.Remove(path)
	}),
	onRecord(kindRemoved, "folder removed", (*bed).folders, func(_ *bed, path string) error {
		return os.RemoveAll(path)
	}),
	onRecord(kindGarbled, "record truncated", (*bed).records, func(b *bed, path string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return os.Truncate(path, int64(b.Pick/11%uint64(info.Size()+1)))
	}),
	onRecord(kindGarbled, "record garbled", (*bed).records, func(b *bed, path string) error {
		text, err := os.ReadFile(path)
		if err != nil || len(text) == 0 {
			return errAbsent
		}
		chance := rand.New(rand.NewPCG(b.Pick, 1))
		for range 1 + chance.IntN(8) {
			text[chance.IntN(len(text))] = byte(' ' + chance.IntN(95))
		}
		return os.WriteFile(path, text, 0o600)
	}),
	onRecord(kindGarbled, "record is garbage", (*bed).records, func(b *bed, path string) error {
		text := make([]byte, 1+b.Pick/11%4000)
		for i := range text {
			text[i] = byte(rand.New(rand.NewPCG(b.Pick, uint64(i))).Uint32())
		}
		return os.WriteFile(path, text, 0o600)
	}),
}

func onRecord(kind, name string, targets func(*bed) []string, do func(b *bed, path string) error) Fault {
	return Fault{
		Kind: kind,
		Name: name,
		Fits: withTestbed,
		Inject: func(b *bed) error {
			list := targets(b)
			if len(list) == 0 {
				return errAbsent
			}
			path := list[b.Pick%uint64(len(list))]
			b.note("%s", strings.TrimPrefix(path, b.state))
			if do(b, path) != nil {
				return errAbsent
			}
			return nil
		},
		Codes: []int{4},
	}
}

// records are the files with a testbed's records.
func (b *bed) records() []string {
	return b.below(func(d fs.DirEntry) bool {
		return strings.HasSuffix(d.Name(), ".json") || d.Name() == "runc.pid"
	})
}

// folders returns all folders of a testbed except the folders of the containers' files.
func (b *bed) folders() []string { return b.below(fs.DirEntry.IsDir) }

// below lists what a testbed's folder holds.
func (b *bed) below(want func(fs.DirEntry) bool) (list []string) {
	filepath.WalkDir(b.testbed(), func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == b.testbed():
		case d.IsDir() && (d.Name() == "rootfs" || d.Name() == "net"):
			return fs.SkipDir
		case want(d):
			list = append(list, path)
		}
		return nil
	})
	return list
}
