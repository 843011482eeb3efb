package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/pack"
	"github.com/rocelab/rocelab/testbed/look/rerun"
)

// comparePages makes the texts again that people read first, and that a rerun does not make: the page, the README of a
// pack, the scenario with its flags. Those of another build may differ in words only, so a difference there is reported
// as not covered.
func (f *rerunFlags) comparePages(dir string, before *result.Manifest, made *rerun.Comparison) error {
	folder := os.DirFS(dir)
	whose := *before
	ran, err := result.ReadHost(folder)
	if err == nil {
		whose.Host = *ran
		made.Uncovered = append(made.Uncovered, uncoveredOf(ran))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return usage(err)
	}
	own := build.Read().ID
	wrote, opened := before.Build.ID == own, f.runs.scenario.pack
	packed := wrote // by this build
	if opened != nil && opened.List.Packer != "" {
		packed = opened.List.Packer == own
	}
	judge := func(name string, same, ours bool, otherwise string) {
		switch {
		case same:
			made.Pages = append(made.Pages, name)
		case ours:
			made.Differences = append(made.Differences, name+" was forged or damaged: "+otherwise)
		default:
			made.Uncovered = append(made.Uncovered, name+": another build wrote it, and this build writes a "+
				"different one")
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, result.ReportName))
	if err == nil {
		page, err := pack.Page(folder, &whose)
		judge(result.ReportName, err == nil && bytes.Equal(page, text), wrote && packed,
			"this build makes a different page from these runs")
	} else if !errors.Is(err, fs.ErrNotExist) {
		return host(err)
	}
	if opened != nil {
		readme, err := opened.Readme(shippedAlgorithms())
		if err != nil {
			return usage(err)
		}
		judge("README.md", opened.HasReadme(readme), packed, "this build writes a different one for this pack")
	}
	if f.digest != before.Digest {
		made.Differences = append(made.Differences, "scenario.yaml is not the file that the manifest names: its "+
			"SHA-256 is "+
			f.digest+", and not "+before.Digest)
	}
	resolved, err := os.ReadFile(filepath.Join(dir, "resolved.yaml"))
	if err != nil {
		return host(err)
	}
	if !bytes.Equal(f.resolved, resolved) {
		judge("resolved.yaml", false, wrote, "scenario.yaml and the flags give a different one")
	}
	return nil
}

// uncoveredOf names the facts of the host, which differ from machine to machine.
func uncoveredOf(ran *result.Host) string {
	names := ran.Names()
	const shown = 5
	if more := len(names) - shown; more > 0 {
		names = append(names[:shown], unit.Count(more, "more file"))
	}
	return strings.Join(names, ", ") + ": of the host that ran"
}
