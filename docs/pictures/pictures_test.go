package main

import (
	"encoding/xml"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// The files equal the command's drawings, and there are no others.
func TestFilesAreWhatIsDrawn(t *testing.T) {
	files, err := filepath.Glob("*.svg")
	if err != nil || len(files) != len(pictures) {
		t.Errorf("the files are %q (%v), drawn are %d pictures", files, err, len(pictures))
	}
	for name, draw := range pictures {
		t.Run(name, func(t *testing.T) {
			file, err := os.ReadFile(name)
			if err != nil || string(file) != draw().svg() {
				t.Errorf("%s is not what is drawn (%v): go generate ./docs/pictures", name, err)
			}
		})
	}
}

// Text fits its box, a picture has a description in words, and it is XML without references to elsewhere.
func TestPicturesCanBeRead(t *testing.T) {
	for name, draw := range pictures {
		t.Run(name, func(t *testing.T) {
			d := draw()
			for _, text := range d.tight {
				t.Errorf("%s: %s", name, text)
			}
			if len(d.title) < 10 || len(d.words) < 60 {
				t.Errorf("%s: title %q, words %q", name, d.title, d.words)
			}
			file := d.svg()
			if strings.Contains(strings.TrimPrefix(file, `<svg xmlns="http://www.w3.org/2000/svg"`), "http") {
				t.Errorf("%s asks for something from elsewhere", name)
			}
			for elements := xml.NewDecoder(strings.NewReader(file)); ; {
				if _, err := elements.Token(); errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
		})
	}
}

func TestTightTextIsFound(t *testing.T) {
	d := &drawing{}
	d.box(blue, place{w: 80, h: 40}, "fits", "fits too")
	if len(d.tight) > 0 {
		t.Errorf("%q", d.tight)
	}
	d.box(blue, place{w: 80, h: 40}, "this does not fit", "nor does this one")
	if len(d.tight) != 2 {
		t.Errorf("%q, want both lines", d.tight)
	}
}

// The picture of the floors is the imports of testbed: no package imports one that is drawn at its height or above it,
// and every package that is drawn exists. Tier: -short. Red with tune and sweep on one height.
func TestFloorsAreTheImports(t *testing.T) {
	const testbed = "github.com/rocelab/rocelab/testbed/"
	height := map[string]int{}
	for i, s := range storeys {
		for name := range strings.FieldsSeq(s.packages) {
			height[path.Join(s.floor, name)] = len(storeys) - i
		}
	}
	for name, at := range height {
		t.Run(name, func(t *testing.T) {
			folder := filepath.Join("..", "..", "testbed", filepath.FromSlash(name))
			files, err := filepath.Glob(filepath.Join(folder, "*.go"))
			if err != nil || len(files) == 0 {
				t.Errorf("%s has no files (%v)", name, err)
			}
			for _, file := range files {
				if strings.HasSuffix(file, "_test.go") {
					continue
				}
				parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
				if err != nil {
					t.Fatal(err)
				}
				for _, imported := range parsed.Imports {
					other, inside := strings.CutPrefix(strings.Trim(imported.Path.Value, `"`), testbed)
					if below, drawn := height[other]; inside && drawn && below >= at {
						t.Errorf("%s imports %s, which is drawn at its height or above", name, other)
					}
				}
			}
		})
	}
}
