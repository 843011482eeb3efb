package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// pythonFolder is the Python package in the source.
const pythonFolder = "python/rocelab_runs"

// ofCommit matches what follows the release in a pseudo-version: -TIME-COMMIT or -0.TIME-COMMIT.
var ofCommit = regexp.MustCompile(`^(\d+)\.(\d+)\.(\d+)-(?:0\.)?(\d{14})-([0-9a-f]{12})`)

// pythonVersion returns a version in Python's form, in which a commit's is a development release that sorts before the
// release: 0.1.0, or 0.0.0.dev20261122140942+de0e01cfba33.
// https://packaging.python.org/en/latest/specifications/version-specifiers/
func pythonVersion(version string) string {
	if m := ofCommit.FindStringSubmatch(version); m != nil {
		return fmt.Sprintf("%s.%s.%s.dev%s+%s", m[1], m[2], m[3], m[4], m[5])
	}
	return version
}

// writeWheel writes the wheel of the Python package, a zip archive, into a folder and returns its name.
// https://packaging.python.org/en/latest/specifications/binary-distribution-format/
func (s *source) writeWheel(version, made string) (string, error) {
	version = pythonVersion(version)
	modules, err := filepath.Glob(filepath.Join(s.dir, pythonFolder, "*.py"))
	if err != nil || len(modules) == 0 {
		return "", fmt.Errorf("%s has no modules: %w", pythonFolder, err)
	}
	info := "rocelab_runs-" + version + ".dist-info/"
	type member struct {
		name string
		data []byte
	}
	var members []member
	for _, file := range append(modules, filepath.Join(s.dir, "LICENSE")) {
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		name := path.Join("rocelab_runs", filepath.Base(file))
		if filepath.Ext(file) != ".py" {
			name = info + "licenses/LICENSE"
		}
		members = append(members, member{name, data})
	}
	members = append(members,
		member{info + "METADATA", fmt.Appendf(nil, metadata, version)},
		member{info + "WHEEL", []byte("Wheel-Version: 1.0\nGenerator: rocelab packaging\nRoot-Is-Purelib: true\n" +
			"Tag: py3-none-any\n")})
	var record strings.Builder
	for _, m := range members {
		sum := sha256.Sum256(m.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", m.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(m.data))
	}
	members = append(members, member{info + "RECORD", []byte(record.String() + info + "RECORD,,\n")})
	name := "rocelab_runs-" + version + "-py3-none-any.whl"
	return name, create(filepath.Join(made, name), func(f io.Writer) error {
		z := zip.NewWriter(f)
		for _, m := range members {
			h := &zip.FileHeader{Name: m.name, Method: zip.Deflate, Modified: s.date}
			h.SetMode(0o644)
			to, err := z.CreateHeader(h)
			if err != nil {
				return err
			}
			if _, err := to.Write(m.data); err != nil {
				return err
			}
		}
		return z.Close()
	})
}

// metadata is for Python's tools: https://packaging.python.org/en/latest/specifications/core-metadata/
const metadata = `Metadata-Version: 2.4
Name: rocelab-runs
Version: %s
Summary: Run rocelab scenarios from Python, and read their results
Project-URL: Source, ` + homepage + `
License-Expression: Apache-2.0
License-File: LICENSE
Requires-Python: >=3.9
Provides-Extra: plot
Requires-Dist: matplotlib; extra == "plot"
Provides-Extra: frames
Requires-Dist: pandas; extra == "frames"
`
