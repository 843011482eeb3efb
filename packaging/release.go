package main

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
)

// release is the packages' contents for one target.
type release struct {
	*source
	target
	programs []program
	parts    []part // of others, that the programs link
}

// Places below the root. Programs lie side by side, which is how they find each other; one of them is in PATH.
const (
	libFolder   = "usr/lib/rocelab/"
	shareFolder = "usr/share/"
	docFolder   = shareFolder + "doc/rocelab/"
	// contractFolder has the module of the contract, which rocelab algorithm new builds with.
	contractFolder = shareFolder + "rocelab/cc"
)

// version is the version that Go stamped into the programs, without the "v": a tag's, or of a
// commit between tags such as 0.0.0-20261122130855-e744cffecf88.
func (r *release) version() string { return strings.TrimPrefix(r.programs[0].info.Main.Version, "v") }

// revision is the commit.
func (r *release) revision() string {
	for _, s := range r.programs[0].info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}

// fill stages what the packages install.
func (r *release) fill(to stage, bin, pages string) error {
	if r.system != "linux" {
		return r.fillElsewhere(to, bin)
	}
	for _, step := range []func() error{
		func() error { return r.fillPrograms(to, bin, pages) },
		func() error { return r.fillPages(to, pages) },
		func() error { return r.fillDocs(to) },
		func() error { return to.put(docFolder+"copyright", r.copyright()) },
		func() error { return to.put(docFolder+"THIRD-PARTY.txt", r.thirdPartyText()) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// fillPrograms stages the programs, and makes rocelab create the links with the names of further programs.
func (r *release) fillPrograms(to stage, bin, pages string) error {
	for _, p := range r.programs {
		if err := to.copy(filepath.Join(bin, p.name), libFolder+p.name, 0o755); err != nil {
			return err
		}
	}
	if err := to.link("../lib/rocelab/rocelab", "usr/bin/rocelab"); err != nil {
		return err
	}
	_, err := output(exec.Command(filepath.Join(pages, "rocelab"), "links", filepath.Join(to.dir, libFolder)))
	return err
}

// fillPages stages the manual, compressed as distributions have it, and the completions.
func (r *release) fillPages(to stage, pages string) error {
	manual, err := filepath.Glob(filepath.Join(pages, "man/*.1"))
	if err != nil {
		return err
	}
	for _, page := range manual {
		text, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		if err := to.put(shareFolder+"man/man1/"+filepath.Base(page)+".gz", compressed(text)); err != nil {
			return err
		}
	}
	for _, file := range completions {
		if err := to.copy(filepath.Join(pages, file), shareFolder+file, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// fillDocs stages the scenarios, what there is to read, and the source that algorithms in Go are built with.
func (r *release) fillDocs(to stage) error {
	for _, part := range []struct{ from, to string }{
		{"specs/scenarios", shareFolder + "rocelab/scenarios"},
		{"emulator/wire/layers/rocelab.lua", shareFolder + "rocelab/rocelab.lua"},
		{"plugins/cc", contractFolder},
		{"docs", docFolder + "docs"},
		{"README.md", docFolder + "README.md"},
		{"CHANGELOG.md", docFolder + "CHANGELOG.md"},
		{"LICENSE", docFolder + "LICENSE"},
	} {
		top := filepath.Join(r.dir, part.from)
		err := filepath.WalkDir(top, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			// Of Go there is the contract, without its tests; commands in docs draw pictures.
			if part.to != contractFolder && filepath.Ext(file) == ".go" || strings.HasSuffix(file, "_test.go") {
				return nil
			}
			below, err := filepath.Rel(top, file)
			if err != nil {
				return err
			}
			return to.copy(file, path.Join(part.to, filepath.ToSlash(below)), 0o644)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// compressed is text as gzip -9n leaves it.
func compressed(text []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is one that there is
	z.Write(text)                                         // a bytes.Buffer takes all
	z.Close()
	return b.Bytes()
}
