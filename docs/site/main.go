// Command site makes the documentation a folder of static pages, which work without a server:
//
//	go run ./docs/site -o site
//
// The pages are the repository's Markdown files, in one template, with a search over one index file. Links between
// pages lead to pages, links to other files to the source on GitHub. A report of a run is made and put beside them;
// -report gives one that is there.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

func main() {
	out := flag.String("o", "site", "folder to write")
	report := flag.String("report", "", "report.html of a run folder (default: one is made of the README's first run)")
	flag.Parse()
	if err := run(*out, *report); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

func run(out, report string) error {
	if report == "" {
		folder, err := os.MkdirTemp("", "rocelab-site-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		report = filepath.Join(folder, "run/report.html")
		c := exec.Command("go", "run", "-tags", "mem", "./cmd/rocelab", "run", "specs/scenarios/incast.yaml", "--algorithm",
			"pc4,dcqcn,hpcc", "--out", filepath.Dir(report))
		if text, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", c, err, text)
		}
	}
	s, err := read(".")
	if err != nil {
		return err
	}
	if err := s.write(out); err != nil {
		return err
	}
	return copyFile(report, filepath.Join(out, "report.html"))
}
