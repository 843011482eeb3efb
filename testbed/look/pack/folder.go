package pack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/testbed/look/report"
)

// Contents are the files to pack.
type Contents struct {
	// Folder is the run folder, and Manifest is its manifest: see Check.
	Folder   fs.FS
	Manifest *result.Manifest
	// Shipped are rocelab's own algorithms.
	Shipped []cc.Description
	// WithHost has host.json in the pack and the files that it lists: what programs printed,
	// captures, what came in at edges.
	WithHost bool
	// WithPrograms has the programs of algorithms in it that are not rocelab's own, from Folders.
	WithPrograms bool
	Folders      []string
}

// Made describes the packed files.
type Made struct {
	// Digest is the SHA-256 of the pack.
	Digest string
	// Files is the number of files in it, Inputs and Programs are the ones from outside the run folder.
	Files    int
	Inputs   []input
	Programs []Program
	// Missing are the algorithms whose programs are not rocelab's own and not in the pack.
	Missing []string
}

// Check reads the manifest of a run folder and refuses one that is not to be handed on: one that
// was changed, that did not reach its end, or whose runs need what came in at edges if that is left out.
func Check(folder fs.FS, withHost bool) (*result.Manifest, error) {
	manifest, err := result.ReadManifest(folder)
	if err == nil {
		err = result.Check(folder)
	}
	if err != nil {
		return nil, err
	}
	if manifest.Status != result.StatusComplete {
		return nil, fmt.Errorf("its status is %s, and only a complete one can be made again", manifest.Status)
	}
	if len(manifest.Runs) == 0 {
		return nil, errors.New("it has no run")
	}
	host, err := result.ReadHost(folder)
	if err != nil {
		return nil, err
	}
	if host.CameIn() && !withHost {
		return nil, errors.New("its runs are repeated from the frames that came in at edges, which depend on the " +
			"host and show its traffic: --with-host packs them, too")
	}
	return manifest, nil
}

// Write writes a pack. The same folder gives the same bytes.
func Write(ctx context.Context, to io.Writer, c *Contents) (*Made, error) {
	files := map[string]opener{}
	add := func(name string) { files[path.Join(runFolder, name)] = inFolder(c.Folder, name) }
	add("manifest.json")
	for _, file := range c.Manifest.Files {
		add(file.Name)
	}
	host, err := result.ReadHost(c.Folder)
	if err != nil {
		return nil, err
	}
	if c.WithHost {
		add("host.json")
	}
	for _, file := range host.Files {
		// The page of a live run describes how the host kept the time: without that it is made again.
		if c.WithHost || file.Name == result.ReportName && !host.Live() {
			add(file.Name)
		}
	}
	if page := path.Join(runFolder, result.ReportName); files[page] == nil {
		whose := *c.Manifest
		if c.WithHost {
			whose.Host = *host
		}
		text, err := Page(c.Folder, &whose)
		if err != nil {
			return nil, err
		}
		files[page] = textOf(text)
	}
	list, err := givenIn(c.Folder, c.Manifest)
	if err != nil {
		return nil, err
	}
	inputs, texts, err := c.findInputs(list)
	if err != nil {
		return nil, err
	}
	for digest, text := range texts {
		files[path.Join(inputFolder, digest)] = textOf(text)
	}
	contents := &List{Packer: packer(c.Manifest), Inputs: append([]input{}, inputs...), Programs: []Program{}}
	if c.WithPrograms {
		programs, more, err := c.findPrograms()
		if err != nil {
			return nil, err
		}
		contents.Programs = append(contents.Programs, programs...)
		for name, file := range more {
			files[name] = file
		}
	}
	files[readmeName] = textOf(c.readme(contents))
	digest, err := write(ctx, to, files, contents)
	return &Made{
		Digest:   digest,
		Files:    len(contents.Files) + 1,
		Inputs:   inputs,
		Programs: contents.Programs,
		Missing:  c.missing(contents.Programs),
	}, err
}

// packer is the ID of this build, "" if it made the runs itself.
func packer(manifest *result.Manifest) string {
	if own := build.Read().ID; own != manifest.Build.ID {
		return own
	}
	return ""
}

// Page makes the page of a run folder again. The same files and build give the same page; of a live run
// it takes what the manifest has of the host, too.
func Page(folder fs.FS, manifest *result.Manifest) ([]byte, error) {
	var page bytes.Buffer
	opened, err := report.Unfinished(folder, manifest)
	if err == nil {
		err = report.Write(&page, opened)
	}
	return page.Bytes(), err
}
