package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/google/licensecheck"
)

// part is a foreign part of programs: a module that they link, Go's standard library, or a file that they hold.
type part struct {
	path, version string
	// sum is the module's hash as in go.sum, "" for other parts.
	sum string
	// sha256 is the hash of a file that programs hold, "" for linked parts; and holders are the names of these
	// programs, which the linker does not list.
	sha256  string
	holders []string
	// licences are their SPDX identifiers, and texts the files that say so and must
	// go with the programs.
	licences []string
	texts    []string
}

// standardLibrary is its name in package URLs.
const standardLibrary = "stdlib"

// legal matches the names of files that must go with a program, and extra the ones among them that are not licences.
var (
	legal = regexp.MustCompile(`(?i)^(licen[cs]e|copying|patents|notice)[-.\w]*$`)
	extra = regexp.MustCompile(`(?i)^(patents|notice)`)
)

// enough is the share of a licence's file in percent that must be known text: the rest is the
// names of those who wrote the code.
const enough = 75

// thirdParties returns what the programs link, in the order of the names.
func (s *source) thirdParties(ctx context.Context, t target, programs []program) ([]part, error) {
	folders, err := s.packageFolders(ctx, t)
	if err != nil {
		return nil, err
	}
	parts := map[string]part{}
	for _, p := range programs {
		modules := append(p.info.Deps, &debug.Module{Path: standardLibrary, Version: p.goVersion()})
		for _, m := range modules {
			own := strings.HasPrefix(m.Path, p.info.Main.Path+"/") // the module of the contract
			if _, known := parts[m.Path]; known || own {
				continue
			}
			part := part{path: m.Path, version: m.Version, sum: m.Sum}
			if err := part.readLegal(folders[m.Path]); err != nil {
				return nil, err
			}
			parts[m.Path] = part
		}
	}
	return slices.SortedFunc(maps.Values(parts), func(a, b part) int { return strings.Compare(a.path, b.path) }), nil
}

// packageFolders returns for each module the folders of the packages that programs link, and
// the folders around these up to the module's.
func (s *source) packageFolders(ctx context.Context, t target) (map[string][]string, error) {
	root, err := output(s.goTool(ctx, t, "env", "GOROOT"))
	if err != nil {
		return nil, err
	}
	args := []string{"list", "-deps", "-f", "{{if not .Standard}}{{.Module.Path}}\t{{.Module.Dir}}\t{{.Dir}}{{end}}"}
	args = append(args, t.folders()...)
	out, err := output(s.goTool(ctx, t, args...))
	if err != nil {
		return nil, err
	}
	folders := map[string][]string{standardLibrary: {root}}
	for line := range strings.Lines(out) {
		words := strings.Split(strings.TrimSpace(line), "\t")
		module, top, folder := words[0], words[1], words[2]
		if !strings.HasPrefix(folder, top) {
			return nil, fmt.Errorf("go list: %s is not in %s", folder, top)
		}
		for ; !slices.Contains(folders[module], folder); folder = filepath.Dir(folder) {
			folders[module] = append(folders[module], folder)
			if folder == top {
				break
			}
		}
	}
	for _, list := range folders {
		slices.Sort(list)
	}
	return folders, nil
}

// readLegal reads the licences in folders.
func (p *part) readLegal(folders []string) error {
	for _, folder := range folders {
		files, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, f := range files {
			if f.IsDir() || !legal.MatchString(f.Name()) || filepath.Ext(f.Name()) == ".go" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, f.Name()))
			if err != nil {
				return err
			}
			p.texts = append(p.texts, string(bytes.TrimSpace(text)))
			if extra.MatchString(f.Name()) {
				continue
			}
			found := licensecheck.Scan(text)
			if found.Percent < enough {
				return fmt.Errorf("%s: no licence that is known: %.0f%% of %s", p.path, found.Percent, f.Name())
			}
			for _, m := range found.Match {
				if !slices.Contains(p.licences, m.ID) {
					p.licences = append(p.licences, m.ID)
				}
			}
		}
	}
	if len(p.licences) == 0 {
		return fmt.Errorf("%s: there is no licence in %s", p.path, strings.Join(folders, ", "))
	}
	slices.Sort(p.licences)
	return nil
}

// thirdPartyText is the licences of all parts, each with what it is the licence of.
func (r *release) thirdPartyText() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "Software of others in the programs of rocelab, with its licences.\n")
	for _, p := range r.parts {
		fmt.Fprintf(&b, "\n%s\n%s %s\n%s\nSource: %s\n", strings.Repeat("=", 80), p.path, p.version,
			strings.Join(p.licences, ", "), p.home())
		for _, text := range p.texts {
			fmt.Fprintf(&b, "\n%s\n", text)
		}
	}
	return b.Bytes()
}

// home is a page that leads to the part's source.
func (p *part) home() string {
	switch {
	case p.sha256 != "":
		return "https://www.npmjs.com/package/" + p.path + "/v/" + p.version
	case p.path == standardLibrary:
		return "https://go.dev/dl/"
	}
	return "https://pkg.go.dev/" + p.path + "@" + p.version
}

// copyright is Debian's file of that name.
// https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
func (r *release) copyright() []byte {
	return fmt.Appendf(nil, `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: rocelab
Source: https://github.com/rocelab/rocelab
Comment: The programs hold the work of others: THIRD-PARTY.txt has their licences.

Files: *
Copyright: %d The rocelab authors
License: Apache-2.0
 On Debian the text is in /usr/share/common-licenses/Apache-2.0; it is LICENSE here.
`, r.date.Year())
}
