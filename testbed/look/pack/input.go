package pack

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/internal/textfile"
	"github.com/rocelab/rocelab/plugins/cc"
)

// given are the parameters that a scenario gives to an algorithm, as written.
type given struct {
	algorithm string
	params    map[string]string
}

// givenIn reads a run folder's scenario, with what flags changed of it.
func givenIn(folder fs.FS, manifest *result.Manifest) (list []given, err error) {
	text, err := fs.ReadFile(folder, "scenario.yaml")
	if err != nil {
		return nil, err
	}
	_, err = scenario.Parse(manifest.Scenario+".yaml", text, func(algorithm string, params map[string]string) error {
		list = append(list, given{algorithm, params})
		return nil
	}, scenario.WithOverrides(manifest.Overrides), scenario.WithMetrics(result.MetricNames(), result.JobMetricNames()...))
	return list, err
}

// digestPrefix begins the text of a file in a manifest: see result.Algorithm.
const digestPrefix = "sha256:"

// mostInput is the maximum size of a file whose path is a parameter's value.
const mostInput = 4 << 20

// parameter is one of an algorithm.
type parameter struct{ algorithm, name string }

// findInputs reads the files that a scenario's parameters name and holds them to the digests that
// the manifest has of them. texts are by digest.
func (c *Contents) findInputs(list []given) (inputs []input, texts map[string][]byte, err error) {
	texts = map[string][]byte{}
	want, had := digestsIn(c.Manifest), map[string]bool{}
	seen := map[input]bool{}
	for _, g := range list {
		for _, name := range slices.Sorted(maps.Keys(g.params)) {
			value := g.params[name]
			digests := want[parameter{g.algorithm, name}]
			if len(digests) == 0 && !c.namesFile(g.algorithm, name, value) {
				continue
			}
			if strings.Contains(value, "\n") { // the text itself
				had[digestOf([]byte(value))] = true
				continue
			}
			info, err := os.Stat(value)
			if err != nil || !info.Mode().IsRegular() {
				continue // another of its values; a digest without a file is said below
			}
			text, err := textfile.Regular(value, mostInput)
			if err != nil {
				return nil, nil, fmt.Errorf("algorithm %s: parameter %s: %w", g.algorithm, name, err)
			}
			input := input{Algorithm: g.algorithm, Param: name, Path: value, SHA256: digestOf(text)}
			if had[input.SHA256] = true; !seen[input] {
				inputs, seen[input], texts[input.SHA256] = append(inputs, input), true, text
			}
		}
	}
	for _, of := range slices.SortedFunc(maps.Keys(want), func(a, b parameter) int {
		return strings.Compare(a.algorithm+" "+a.name, b.algorithm+" "+b.name)
	}) {
		for _, digest := range want[of] {
			if !had[digest] {
				return nil, nil, fmt.Errorf("the file that %s had as %s, with the SHA-256 %s, is not there any more, or was "+
					"changed: pack where the scenario was run, and with the files that it had", of.algorithm, of.name, digest)
			}
		}
	}
	return inputs, texts, nil
}

// digestsIn are the digests of files that the manifest has as values of parameters.
func digestsIn(manifest *result.Manifest) map[parameter][]string {
	digests := map[parameter][]string{}
	for _, run := range manifest.Runs {
		for _, algorithm := range run.Algorithms {
			for name, value := range algorithm.Params {
				if value == nil {
					continue
				}
				digest, is := strings.CutPrefix(*value, digestPrefix)
				of := parameter{algorithm.Name, name}
				if is && !slices.Contains(digests[of], digest) {
					digests[of] = append(digests[of], digest)
				}
			}
		}
	}
	return digests
}

// namesFile reports whether the value of a shipped algorithm's parameter may be a path. For other algorithms the
// manifest has that.
func (c *Contents) namesFile(algorithm, param, value string) bool {
	for _, about := range c.Shipped {
		if about.Name == algorithm {
			return slices.ContainsFunc(about.Params, func(p cc.Param) bool {
				return p.Name == param && p.File && p.Default != value
			})
		}
	}
	return false
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Fill returns an algorithm's parameters with the texts of the pack's files in the place of their
// paths. The error is of a path that is not in the pack: no other file of the machine is read.
// params are the algorithm's, and given stays as it is.
func (o *Opened) Fill(algorithm string, given map[string]string, params []cc.Param) (map[string]string, error) {
	filled := maps.Clone(given)
	for _, input := range o.List.Inputs {
		if input.Algorithm != algorithm || given[input.Param] != input.Path {
			continue
		}
		text, err := fs.ReadFile(os.DirFS(o.dir), input.name())
		if err != nil {
			return nil, err
		}
		filled[input.Param] = string(text)
	}
	for _, param := range params {
		value, is := filled[param.Name]
		if !param.File || !is || value == param.Default || strings.Contains(value, "\n") {
			continue
		}
		if _, err := os.Lstat(value); err == nil {
			return nil, fmt.Errorf("%s: %s is a file of this machine, which the pack does not have", param.Name, value)
		}
	}
	return filled, nil
}
