package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// merge adds the axes of flags to those of the scenario.
func (f *sweepAsked) merge(to *scenario.Sweep) error {
	for _, text := range f.grid {
		axis, err := parseGrid(text)
		if err != nil {
			return err
		}
		drop(to, axis.Path)
		to.Grid = append(to.Grid, axis)
	}
	for _, text := range f.list {
		rows, err := parseList(text)
		if err != nil {
			return err
		}
		for _, setting := range rows[0] {
			drop(to, setting.Path)
		}
		to.List = crossed(to.List, rows)
	}
	for _, text := range f.draw {
		path, span, ok := strings.Cut(text, "=")
		if !ok || path == "" {
			return fmt.Errorf("--draw %q: write KEY=LOW..HIGH, such as switch.ecn.kmin=50KB..500KB", text)
		}
		r, err := scenario.NewRange("--draw "+path, path, span)
		if err != nil {
			return err
		}
		drop(to, path)
		to.Draw = append(to.Draw, r)
	}
	if f.changed("draws") {
		to.Draws = f.draws
	}
	if f.changed("draw-seed") {
		to.DrawSeed = f.drawSeed
	}
	if (len(to.Draw) > 0) != (to.Draws > 0) || to.Draws < 0 {
		return errors.New("--draw and --draws go together: the keys, and the number of draws, at least 1")
	}
	if len(f.variants) > 0 {
		to.Variants = f.variants
	}
	seeds, err := parseSeeds(f.seeds)
	if len(seeds) > 0 {
		to.Seeds = seeds
	}
	to.Record = to.Record || f.series
	return err
}

// drop removes a key from a sweep if a flag has other values for it.
func drop(s *scenario.Sweep, path string) {
	s.Grid = slices.DeleteFunc(s.Grid, func(a scenario.Axis) bool { return a.Path == path })
	s.Draw = slices.DeleteFunc(s.Draw, func(r scenario.Range) bool { return r.Path == path })
	if len(s.Draw) == 0 {
		s.Draws = 0
	}
	for i, row := range s.List {
		s.List[i] = slices.DeleteFunc(slices.Clone(row), func(v scenario.Setting) bool { return v.Path == path })
	}
	if len(s.List) > 0 && len(s.List[0]) == 0 {
		s.List = nil
	}
}

// crossed combines the rows of two lists, each with each.
func crossed(a, b [][]scenario.Setting) [][]scenario.Setting {
	if len(a) == 0 {
		return b
	}
	var rows [][]scenario.Setting
	for _, first := range a {
		for _, second := range b {
			rows = append(rows, append(slices.Clone(first), second...))
		}
	}
	return rows
}

// parseGrid reads --grid: KEY=VALUE,VALUE.
func parseGrid(text string) (scenario.Axis, error) {
	path, values, ok := strings.Cut(text, "=")
	if !ok || path == "" {
		return scenario.Axis{}, fmt.Errorf("--grid %q: write KEY=VALUE,VALUE,..., such as switch.ecn.kmin=50KB,100KB", text)
	}
	axis := scenario.Axis{Path: path}
	for _, value := range splitOutside(values, ',') {
		setting, err := scenario.NewSetting("--grid "+path, path, value)
		if err != nil {
			return axis, err
		}
		axis.Values = append(axis.Values, setting)
	}
	return axis, nil
}

// parseList reads --list: KEY,KEY=VALUE:VALUE,VALUE:VALUE.
func parseList(text string) (rows [][]scenario.Setting, err error) {
	names, values, ok := strings.Cut(text, "=")
	if !ok || names == "" {
		return nil, fmt.Errorf("--list %q: write KEY,KEY=VALUE:VALUE,VALUE:VALUE,..., such as "+
			"switch.ecn.kmin,switch.ecn.kmax=50KB:200KB,100KB:400KB", text)
	}
	paths := strings.Split(names, ",")
	for _, combination := range splitOutside(values, ',') {
		parts := splitOutside(combination, ':')
		if len(parts) != len(paths) {
			return nil, fmt.Errorf("--list: %q has %d values, joined by colons, but there are %d "+
				"keys", combination, len(parts),
				len(paths))
		}
		var row []scenario.Setting
		for i, path := range paths {
			setting, err := scenario.NewSetting("--list "+path, path, parts[i])
			if err != nil {
				return nil, err
			}
			row = append(row, setting)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// splitOutside splits a text at a character, but not within brackets, braces and quotes.
func splitOutside(text string, at rune) (parts []string) {
	depth, quote, begun := 0, rune(0), 0
	for i, char := range text {
		switch {
		case quote != 0:
			if char == quote {
				quote = 0
			}
		case char == '"' || char == '\'':
			quote = char
		case char == '[' || char == '{':
			depth++
		case char == ']' || char == '}':
			depth--
		case char == at && depth == 0:
			parts = append(parts, text[begun:i])
			begun = i + len(string(char))
		}
	}
	return append(parts, text[begun:])
}
