package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
)

// uPlotFolder has the script that draws the pictures of a report, as npm has it.
const uPlotFolder = "testbed/look/report/asset/uplot"

// uPlotHead matches the beginning of the script: with its version.
var uPlotHead = regexp.MustCompile(`^/\*! https://github\.com/leeoniya/uPlot \(v(\S+)\) \*/\n`)

// uPlot returns the part that is not a module, uPlot, with the programs in the folder bin that hold its script, which
// the linker does not list.
func (s *source) uPlot(bin string, programs []program) (part, error) {
	folder := filepath.Join(s.dir, uPlotFolder)
	script, err := os.ReadFile(filepath.Join(folder, "uPlot.iife.min.js"))
	if err != nil {
		return part{}, err
	}
	head := uPlotHead.FindSubmatch(script)
	if head == nil {
		return part{}, fmt.Errorf("%s: its script does not begin with its version", uPlotFolder)
	}
	sum := sha256.Sum256(script)
	p := part{path: "uplot", version: string(head[1]), sha256: hex.EncodeToString(sum[:])}
	for _, program := range programs {
		text, err := os.ReadFile(filepath.Join(bin, program.name))
		if err != nil {
			return part{}, err
		}
		if bytes.Contains(text, script) {
			p.holders = append(p.holders, program.name)
		}
	}
	if len(p.holders) == 0 {
		return part{}, fmt.Errorf("%s: no program holds its script", uPlotFolder)
	}
	return p, p.readLegal([]string{folder})
}
