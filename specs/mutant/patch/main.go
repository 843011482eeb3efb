// Command patch makes and mends the mutants of this tree: see package mutant.
//
//	go run ./specs/mutant/patch new --rule "fixed sends at its rate" [NAME]
//	go run ./specs/mutant/patch refresh [FILE.patch...]
//
// new makes a patch from the unstaged changes in files that git tracks, and takes the changes back; its options are the
// keys of a header, and --dry-run prints the patch and does neither. NAME is made from the header if it is left out,
// and chooses the folder if it has one, such as theory/NAME.
//
// refresh gives all patches of the tree, or the named ones, the present line numbers and context of the files, and
// lists patches whose lines are gone: it ends with 1 if there are any.
package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/rocelab/rocelab/internal/patch"
)

func main() {
	err := errors.New("usage: go run ./specs/mutant/patch new --KEY VALUE... [NAME] | refresh [FILE.patch...]")
	switch top, failed := git("rev-parse", "--show-toplevel"); {
	case failed != nil:
		err = failed
	case len(os.Args) > 1 && os.Args[1] == "new":
		err = create(strings.TrimSpace(top), os.Args[2:])
	case len(os.Args) > 1 && os.Args[1] == "refresh":
		err = refresh(strings.TrimSpace(top), os.Args[2:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// keys are the keys of headers. The folder is the one of a patch that has the key.
var keys = []struct{ name, folder string }{
	{"Rule", "rules"}, {"Name", "repairs"}, {"Package", ""}, {"Run", ""}, {"Focus", ""}, {"Env", ""},
	{"Row", "rows"}, {"Criterion", ""}, {"Fault", ""}, {"Set", ""}, {"Mends", ""},
}

// create makes a patch from the changes in the working tree at top, and takes the changes back.
func create(top string, args []string) error {
	var header strings.Builder
	folder, words := "", []string(nil)
	flags := flag.NewFlagSet("new", flag.ExitOnError)
	dry := flags.Bool("dry-run", false, "print the patch, and change nothing")
	for _, key := range keys {
		flags.Func(strings.ToLower(key.name), "", func(value string) error {
			fmt.Fprintf(&header, "%s: %s\n", key.name, value)
			folder = cmp.Or(folder, key.folder)
			if key.folder != "" || key.name == "Criterion" {
				words = append(words, slug(value))
			}
			return nil
		})
	}
	if err := flags.Parse(args); err != nil {
		return err
	}
	if folder == "" {
		return errors.New("a patch needs --rule, --name or --row")
	}
	diff, err := git("-C", top, "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-renames")
	if err != nil {
		return err
	}
	p, err := patch.Parse("git diff", []byte(header.String()+"\n"+diffNoise.ReplaceAllString(diff, "")))
	if err != nil {
		return err
	}
	if len(p.Files) == 0 && !strings.Contains(p.Header, "Set: ") {
		return errors.New("no file is changed that git tracks, but for what is staged")
	}
	var changed []string
	for i := range p.Files {
		f := &p.Files[i]
		before, err := git("-C", top, "show", ":"+f.Name)
		if err == nil {
			err = rebase(f, before, true)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		changed = append(changed, f.Name)
	}
	if *dry {
		fmt.Print(text(p))
		return nil
	}
	name := cmp.Or(flags.Arg(0), strings.Join(words, "-"))
	if !strings.Contains(name, "/") {
		name = folder + "/" + name
	}
	path, err := write(filepath.Join(top, "specs/mutant", name), text(p))
	if err != nil {
		return err
	}
	fmt.Println(path)
	if len(changed) > 0 {
		_, err = git(append([]string{"-C", top, "checkout", "-q", "--"}, changed...)...)
	}
	return err
}

// diffNoise matches output of git that a patch does not need.
var diffNoise = regexp.MustCompile(`(?m)^(diff --git|index|old mode|new mode) .*\n`)

var separators = regexp.MustCompile(`[^a-z0-9.]+`)

// slug is a name of a file for a sentence: its first six words.
func slug(sentence string) string {
	if !strings.Contains(sentence, " ") { // such as a row's ID
		return sentence
	}
	words := strings.SplitN(separators.ReplaceAllString(strings.ToLower(sentence), "-"), "-", 7)
	return strings.Trim(strings.Join(words[:min(6, len(words))], "-"), "-.")
}

// write writes a patch to NAME.patch, or to NAME-2.patch and so on if there is one.
func write(name, text string) (path string, err error) {
	path = name + ".patch"
	for n := 2; ; n++ {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, os.ErrExist) {
			path = fmt.Sprintf("%s-%d.patch", name, n)
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.WriteString(text)
		return path, errors.Join(err, f.Close())
	}
}

// refresh rebases patches on the tree at top.
func refresh(top string, paths []string) error {
	if len(paths) == 0 {
		list, err := git("-C", top, "ls-files", "--cached", "--others", "--exclude-standard", "*.patch")
		if err != nil {
			return err
		}
		for name := range strings.Lines(list) {
			paths = append(paths, filepath.Join(top, strings.TrimSpace(name)))
		}
	}
	stale, written := []error(nil), 0
	for _, path := range paths {
		was, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		p, err := patch.Parse(path, was)
		if err != nil {
			return err
		}
		for i := range p.Files {
			before, failed := os.ReadFile(filepath.Join(top, p.Files[i].Name))
			if failed == nil {
				failed = rebase(&p.Files[i], string(before), false)
			}
			if failed != nil {
				err = fmt.Errorf("stale: %s: %s: %w", path, p.Files[i].Name, failed)
			}
		}
		if err != nil {
			stale = append(stale, err)
		} else if text(p) != string(was) {
			written++
			if err := os.WriteFile(path, []byte(text(p)), 0o644); err != nil {
				return err
			}
		}
	}
	fmt.Printf("%d patches, %d written, %d stale\n", len(paths), written, len(stale))
	return errors.Join(stale...)
}

func git(args ...string) (string, error) {
	out, err := exec.Command("git", args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, exit.Stderr)
	}
	return string(out), err
}
