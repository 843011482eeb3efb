//go:build linux

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

const kindPage = "shared page: garbage, cut"

// pageFaults meet the memory that the daemons of a run share.
var pageFaults = []Fault{
	onPage("page is garbage", func(b *bed, f *os.File) error {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		chance := rand.New(rand.NewPCG(b.Pick, 2))
		garbage := make([]byte, info.Size())
		for i := range garbage {
			garbage[i] = byte(chance.Uint32())
		}
		at := chance.Int64N(info.Size())
		if chance.IntN(2) == 0 {
			at, garbage = at&^7, garbage[:8] // one word
		}
		_, err = f.WriteAt(garbage[:min(int64(len(garbage)), info.Size()-at)], at)
		return err
	}),
	onPage("page is cut", func(b *bed, f *os.File) error { return f.Truncate(0) }),
}

func onPage(name string, do func(b *bed, f *os.File) error) Fault {
	return Fault{
		Kind: kindPage,
		Name: name,
		Fits: duringRun,
		Inject: func(b *bed) error {
			f, err := b.page()
			if err != nil {
				return err
			}
			defer f.Close()
			b.note("%s", f.Name())
			if do(b, f) != nil {
				return errRefused
			}
			return nil
		},
		Codes: []int{4},
	}
}

// page opens the page of the run: the file in the testbed's folder, or a daemon's descriptor of that name.
func (b *bed) page() (*os.File, error) {
	if f, err := os.OpenFile(filepath.Join(b.testbed(), "page"), os.O_RDWR, 0); err == nil {
		return f, nil
	}
	for _, p := range b.daemons() {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.pid))
		for _, link := range links {
			if target, _ := os.Readlink(link); strings.Contains(target, "memfd:") && strings.Contains(target, "page") {
				if f, err := os.OpenFile(link, os.O_RDWR, 0); err == nil {
					return f, nil
				}
			}
		}
	}
	return nil, errAbsent
}
