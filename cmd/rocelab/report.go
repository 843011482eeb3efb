package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/testbed/look/report"
)

func reportCommand() *cobra.Command {
	out := ""
	c := &cobra.Command{
		Use:   "report RUN...",
		Short: "Make one page of run folders, for a browser",
		Long: `Make one page of one or several run folders: verdicts, queues and rates over
time, and the tables behind them. The page is one file that needs no network and no
other file, so it can be mailed or kept beside a paper. Each run folder has one
of its own, report.html; this command is for several folders, such as those of two
versions of an algorithm.

Runs of the same scenario are drawn over each other. Runs of different scenarios are
shown side by side, without the pictures that share an axis. A folder that is not a run
folder, that has changed since its run, or that has another format is refused. A file
of the same name is replaced.`,
		Example: `  rocelab report rocelab-runs/incast-1 rocelab-runs/incast-2 -o both.html
  rocelab report rocelab-runs/incast-1 -o - > page.html`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			var page bytes.Buffer
			made := make(chan error, 1)
			go func() {
				defer crash.Guard()()
				made <- writeReport(&page, args)
			}()
			select {
			case err := <-made:
				if err != nil {
					return usage(err)
				}
			case <-c.Context().Done():
				return errInterrupted
			}
			if err := inRunFolder(out); err != nil {
				return usage(err)
			}
			if out == "-" {
				_, err := c.OutOrStdout().Write(page.Bytes())
				return host(err)
			}
			if err := writePage(out, page.Bytes()); err != nil {
				return host(err)
			}
			_, err := fmt.Fprintf(c.OutOrStdout(), "report: %s\n", out)
			return host(err)
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "report.html", "file to write; - for standard output")
	return c
}

// writeReport writes the page of the run folders at some paths.
func writeReport(w io.Writer, paths []string) error {
	folders, err := openRuns(paths)
	if err != nil {
		return err
	}
	return report.Write(w, folders...)
}

// inRunFolder refuses to write among the files of a run, which are held to their digests.
func inRunFolder(out string) error {
	if out == "-" {
		return nil
	}
	at, err := filepath.Abs(out)
	if err != nil {
		return err
	}
	for folder := filepath.Dir(at); ; folder = filepath.Dir(folder) {
		if _, err := result.ReadManifest(os.DirFS(folder)); err == nil {
			return fmt.Errorf("%s would be in a run folder, whose files are checked against their digests: give "+
				"another place with -o",
				out)
		}
		if folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// writePage writes a page in one step, so that lack of room does not destroy an earlier page.
func writePage(out string, page []byte) error {
	if info, err := os.Lstat(out); err == nil && !info.Mode().IsRegular() { // a device, a pipe, a link
		return os.WriteFile(out, page, 0o666)
	}
	part := out + ".part"
	err := os.WriteFile(part, page, 0o666)
	if errors.Is(err, fs.ErrPermission) { // where the file may be changed, and the folder not
		return os.WriteFile(out, page, 0o666)
	}
	if err == nil {
		err = os.Rename(part, out)
	}
	if err != nil {
		os.Remove(part)
	}
	return err
}

// pageOfRun makes the page of a run that ends. A page that cannot be made does not harm the run, and is reported on
// stderr.
func pageOfRun(stderr io.Writer) func(*result.Folder, *result.Manifest) {
	return func(of *result.Folder, manifest *result.Manifest) {
		var page bytes.Buffer
		folder, err := report.Unfinished(of.Files(), manifest)
		if err == nil {
			err = report.Write(&page, folder)
		}
		if err == nil {
			err = of.WritePage(page.Bytes())
		}
		if err != nil {
			fmt.Fprintf(stderr, "rocelab: no %s is written: %s\n", result.ReportName, terminal.Line(err.Error()))
		}
	}
}

// openRuns opens run folders, which must have names that tell them apart: the last part of
// each path, or as much of it as is needed.
func openRuns(paths []string) (folders []*report.Folder, err error) {
	names, err := folderNames(paths)
	if err != nil {
		return nil, err
	}
	for i, path := range paths {
		if info, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no run folder %s", path)
		} else if err != nil {
			return nil, err
		} else if !info.IsDir() {
			return nil, fmt.Errorf("%s is a file: give its run folder", path)
		}
		folder, err := report.Open(names[i], path, os.DirFS(path))
		if err != nil {
			return nil, err
		}
		folders = append(folders, folder)
	}
	return folders, nil
}

// folderNames names folders by the last parts of their paths, as few as tell all apart.
func folderNames(paths []string) ([]string, error) {
	whole := make([]string, len(paths))
	for i, path := range paths {
		full, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		whole[i] = filepath.ToSlash(full)
	}
	for parts := 1; parts <= len(whole[0])+1; parts++ {
		names := make([]string, len(whole))
		seen := map[string]bool{}
		for i, full := range whole {
			names[i] = lastParts(full, parts)
			seen[names[i]] = true
		}
		if len(seen) == len(paths) {
			return names, nil
		}
	}
	return nil, errors.New("a run folder is given twice")
}

// lastParts is the last parts of a path with slashes.
func lastParts(path string, count int) string {
	at := len(path)
	for range count {
		slash := bytes.LastIndexByte([]byte(path[:at]), '/')
		if slash < 0 {
			return path
		}
		at = slash
	}
	return path[at+1:]
}
