package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/model"
)

func TestCSVHasTheRowsOfJSON(t *testing.T) {
	type part struct {
		Name string `json:"name"`
		Size int64  `json:"size"`
	}
	for _, c := range []struct {
		value any
		want  string
	}{
		{[]part{{"a", 1}, {"b, c", 1 << 60}}, "name,size\na,1\n\"b, c\",1152921504606846976\n"},
		{map[string]any{"words": []string{"x", "y"}, "pair": [2]int{1, 2}, "none": []string{}, "null": nil},
			"pair,words\n1; 2,x; y\n"},
		{map[string]any{"a": map[string]any{"b": true, "c": 1.5}}, "a.b,a.c\ntrue,1.5\n"},
		{map[string]any{"name": "all", "parts": []part{{"a", 1}, {"b", 2}}},
			"of,part,name,size\n,,all,\nall,parts,a,1\nall,parts,b,2\n"},
		{map[string]any{"runs": []part{{"a", 1}}, "times": []any{map[string]int{"us": 3}}},
			"part,name,size,us\nruns,a,1,\ntimes,,,3\n"},
		{[]part{}, ""},
	} {
		var out strings.Builder
		if err := page.WriteRows(&out, c.value); err != nil || out.String() != c.want {
			t.Errorf("%v: %v\n%s\nand not\n%s", c.value, err, out.String(), c.want)
		}
	}
}

// Every command that prints a table prints it as JSON, CSV, Markdown and HTML, too, and knows
// no other format.
func TestEveryTableHasFormats(t *testing.T) {
	s := newShell(t)
	t.Setenv("ROCELAB_RUN", t.TempDir())
	s.run(0, "run", "incast.yaml", "--event-log", "0", "--variant", "dcqcn", "--out", "x")
	for _, args := range []string{
		"run incast.yaml --no-folder",
		"compare incast.yaml --algorithm fixed,none --seeds 1",
		"validate incast.yaml",
		"metrics",
		"algorithm list",
		"algorithm show pc4",
		"test --list",
		"algorithm check --list",
		"algorithm check fixed --check parameters --progress none",
		"algorithm replay x",
		"inspect",
		"version --modules",
	} {
		t.Run(args, func(t *testing.T) {
			for _, format := range []string{"json", "csv", "markdown", "html"} {
				run := s.run
				if strings.HasPrefix(args, "algorithm check fixed") {
					run = s.process // Ginkgo runs once in a process
				}
				run(0, append(strings.Fields(args), "--format", format)...)
				if s.stderr != "" {
					t.Errorf("%s: stderr %s", args, s.stderr)
				}
				if format == "json" {
					if !json.Valid([]byte(s.stdout)) {
						t.Errorf("%s: no JSON: %s", args, s.stdout)
					}
					continue
				}
				if format == "markdown" || format == "html" {
					begins := map[string]string{"markdown": "### ", "html": "<!doctype html>\n"}[format]
					if !strings.HasPrefix(s.stdout, begins) || strings.Contains(s.stdout, "\x1b") {
						t.Errorf("%s: %s: %s", args, format, s.stdout)
					}
					continue
				}
				rows, err := csv.NewReader(strings.NewReader(s.stdout)).ReadAll()
				if err != nil || len(rows) < 2 && args != "inspect" {
					t.Errorf("%s: %v: %s", args, err, s.stdout)
				}
			}
			s.run(2, append(strings.Fields(args), "--format", "xml")...)
			s.says(s.stderr, `"xml" is not a format: allowed are table, json, csv, markdown, html`)
		})
	}
	for _, args := range []string{"bench", "doctor", "train pidnn", "inspect --testbed a"} {
		s.run(2, append(strings.Fields(args), "--format", "xml")...)
		s.says(s.stderr, `"xml" is not a format: allowed are table, json, csv, markdown, html`)
	}
}

func TestVersionIsAFlagToo(t *testing.T) {
	s := newShell(t)
	s.run(0, "version")
	want := s.stdout
	s.run(0, "--version")
	if s.stdout != want || !strings.HasPrefix(want, "rocelab ") {
		t.Errorf("%q and %q", s.stdout, want)
	}
}

// The version, the build and the models are named in every format, as in a run's folder.
func TestVersionNamesTheBuild(t *testing.T) {
	s := newShell(t)
	s.run(0, "version")
	info := build.Read()
	want := regexp.MustCompile(`^rocelab \S+\nbuild   \S{40,}\nmodels  \d+\ngo      go\S+`)
	if !want.MatchString(s.stdout) || !strings.Contains(s.stdout, "\nbuild   "+info.ID+"\nmodels  ") {
		t.Error(s.stdout)
	}
	s.run(0, "run", "incast.yaml", "--variant", "fixed", "--out", "x")
	var manifest struct {
		Build  build.Info
		Models int
	}
	var summary struct{ Models int }
	text, err1 := os.ReadFile("x/manifest.json")
	short, err2 := os.ReadFile("x/fixed/summary.json")
	if err := errors.Join(err1, err2, json.Unmarshal(text, &manifest), json.Unmarshal(short, &summary)); err != nil ||
		manifest.Build.ID != info.ID || manifest.Models != model.Version || summary.Models != model.Version {
		t.Errorf("%v, manifest %+v, summary %+v", err, manifest, summary)
	}
}
