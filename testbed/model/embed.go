package model

import (
	"fmt"
	"os"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/textfile"
	"github.com/rocelab/rocelab/plugins/cc"
)

// Embed replaces the paths of files by their text, in parameters whose value may be a file's: the container in which
// the algorithm runs may lack that file. The error names parameter and file.
func Embed(plans []*plan.Plan, find Find) error {
	done := map[*plan.Algorithm]bool{}
	for _, p := range plans {
		for i := range p.Flows {
			a := p.Flows[i].Algorithm
			if a == nil || done[a] {
				continue
			}
			done[a] = true
			if algorithm, ok := find(a.Name); ok {
				if err := EmbedFiles(a.Name, a.Params, algorithm.Describe().Params); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// mostEmbedded is the maximum size of such a file, in bytes.
const mostEmbedded = 4 << 20

// EmbedFiles does for the parameters given to one algorithm what Embed does for all.
func EmbedFiles(algorithm string, written map[string]string, params []cc.Param) error {
	for _, q := range params {
		path, given := written[q.Name]
		if !q.File || !given || path == q.Default {
			continue
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue // another of its values, which the algorithm has checked
		}
		text, err := textfile.Regular(path, mostEmbedded)
		if err != nil {
			return fmt.Errorf("algorithm %s: parameter %s: %w", algorithm, q.Name, err)
		}
		written[q.Name] = string(text)
	}
	return nil
}
