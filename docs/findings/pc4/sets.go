package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// scored is a line of what writeScores wrote.
type scored struct {
	search, set, met, of, shortfall, missed string
	// figures are by their column; one that is missing is not measured.
	figures map[string]float64
}

// readScores reads files that writeScores wrote, one after the other.
func readScores(files ...string) ([]scored, error) {
	var all []scored
	for _, file := range files {
		text, err := os.Open(file)
		if err != nil {
			return nil, err
		}
		defer text.Close() // it was only read
		lines, err := csv.NewReader(text).ReadAll()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", file, err)
		}
		for _, line := range lines {
			if len(line) != 6+len(figures) {
				return nil, fmt.Errorf("read %s: a line of %d columns is none of scores", file, len(line))
			}
			if line[0] == "search" {
				continue // a header; files of several searches may be joined
			}
			s := scored{
				search:    line[0],
				set:       line[1],
				met:       line[2],
				of:        line[3],
				shortfall: line[4],
				missed:    line[5],
				figures:   map[string]float64{},
			}
			for i := range figures {
				if v, err := strconv.ParseFloat(line[6+i], 64); err == nil {
					s.figures[figures[i].column] = v
				}
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// writeBest writes the first ten sets of each search as a table in Markdown.
func writeBest(to io.Writer, scores []scored) error {
	text := "| search | set | met | mean shortfall, % | missed, by % |\n|---|---|---|---|---|\n"
	var searches []string
	for _, s := range scores {
		searches = append(searches, s.search)
		if len(slices.DeleteFunc(slices.Clone(searches), func(name string) bool { return name != s.search })) <= 10 {
			text += fmt.Sprintf("| %s | %s | %s of %s | %s | %s |\n", s.search, strings.ReplaceAll(s.set, ",", ", "),
				s.met, s.of, s.shortfall, s.missed)
		}
	}
	_, err := io.WriteString(to, text)
	return err
}
