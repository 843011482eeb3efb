// Command packaging makes the packages for users, from the commit that is checked out: a .deb, an .rpm, a tarball and
// an OCI image for each processor, each with a bill of materials, and SHA256SUMS of all. README.md lists their
// contents.
//
// The same commit gives the same bytes with the same release of Go, at any time,
// in any folder, time zone and umask.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	arch := flag.String("arch", runtime.GOARCH, "processors to pack for, of amd64 and arm64; a comma list")
	out := flag.String("out", "", "folder of the packages (default dist/ at the top of the checkout)")
	whole := flag.Bool("release", false, "all that a release needs: every system and processor, install.sh, the notes")
	wheel := flag.Bool("wheel", false, "the wheel of the Python package only")
	flag.Parse()
	arches := strings.Split(*arch, ",")
	err := check(arches, flag.Args())
	if err == nil {
		err = run(ctx, arches, *out, *whole, *wheel)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "packaging:", err)
		stop()
		os.Exit(1)
	}
}

func check(arches, rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("%q: only flags are allowed, see --help", rest[0])
	}
	for _, arch := range arches {
		if arch != "amd64" && arch != "arm64" {
			return fmt.Errorf("--arch %q: allowed are amd64 and arm64", arch)
		}
	}
	return nil
}

// run makes the packages of the checkout around the working folder: for Linux on the
// processors, or, of a whole release, for every target; or the wheel only.
func run(ctx context.Context, arches []string, out string, whole, wheel bool) error {
	top, err := git(ctx, ".", "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	if out == "" {
		out = filepath.Join(top, "dist")
	}
	work, err := os.MkdirTemp("", "rocelab-packaging-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	src, err := cloneHead(ctx, top, filepath.Join(work, "source"))
	if err != nil {
		return err
	}
	made := filepath.Join(work, "made")
	if err := os.Mkdir(made, 0o755); err != nil {
		return err
	}
	if wheel {
		version, err := src.version(ctx, work)
		if err != nil {
			return err
		}
		if _, err := src.writeWheel(version, made); err != nil {
			return err
		}
		return deliver(made, out)
	}
	// The parts common to all processors come from a rocelab that runs on this one.
	pages := filepath.Join(work, "pages")
	if err := src.writePages(ctx, pages); err != nil {
		return err
	}
	targets := released
	if !whole {
		targets = linuxOn(arches)
	}
	for _, t := range targets {
		if err := src.pack(ctx, t, pages, filepath.Join(work, t.String()), made); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return deliver(made, out)
}

// pack makes the packages for one target in the folder made; work is a folder that
// does not exist yet.
func (s *source) pack(ctx context.Context, t target, pages, work, made string) error {
	say("%s: programs", t)
	bin := filepath.Join(work, "bin")
	programs, err := s.build(ctx, t, bin)
	if err != nil {
		return err
	}
	parts, err := s.thirdParties(ctx, t, programs)
	if err != nil {
		return err
	}
	plots, err := s.uPlot(bin, programs)
	if err != nil {
		return err
	}
	parts = append(parts, plots)
	r := &release{source: s, target: t, programs: programs, parts: parts}
	tree := stage{filepath.Join(work, "tree")}
	if err := r.fill(tree, bin, pages); err != nil {
		return err
	}
	entries, err := tree.entries()
	if err != nil {
		return err
	}
	for _, kind := range r.kinds() {
		name := r.file(kind.ending)
		say("%s: %s", t, name)
		if err := kind.write(entries, filepath.Join(made, name)); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return r.writeCommon(made)
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "packaging: "+format+"\n", args...) }
