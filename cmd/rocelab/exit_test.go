package main

import (
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/testbed/model"
)

// failures are errors of every kind with their codes; of two the earlier one counts.
var failures = []struct {
	name string
	err  error
	code int
}{
	{"an algorithm's fault", &model.AlgorithmError{Err: errors.New("x")}, 5},
	{"a plugin's", &process.Error{Problem: "x"}, 5},
	{"an algorithm that is missing", exit.Plugin(errors.New("x")), 5},
	{"the host's", host(errors.New("x")), 4},
	{"the host's at the start of a plugin", exit.Host(fmt.Errorf("start: %w", errors.New("x"))), 4},
	{"a run folder's", &result.FolderError{Err: errors.New("x")}, 4},
	{"a sweep's", exit.Host(errors.New("x")), 4},
	{"what this system has not", errors.ErrUnsupported, 4},
	{"a host without file handles", &fs.PathError{Op: "open", Path: "x", Err: syscall.EMFILE}, 4},
	{"an interruption", errInterrupted, 130},
	{"a name that is taken", &result.FolderError{Err: result.ErrExists}, 2},
	{"wrong usage", usage(errors.New("x")), 2},
	{"any other", errors.New("x"), 2},
}

// Of every two errors that are joined the code is that of the graver one, in either order, and each keeps its code
// inside of another text.
func TestExitCodeOfErrors(t *testing.T) {
	for i, a := range failures {
		t.Run(a.name, func(t *testing.T) {
			if got := exit.Of(fmt.Errorf("run 3: %w", a.err)); got != a.code {
				t.Errorf("%s: exit code %d, want %d", a.name, got, a.code)
			}
			if got := exit.Of(usage(a.err)); got != a.code {
				t.Errorf("%s, as usage: exit code %d, want %d", a.name, got, a.code)
			}
			for j, b := range failures {
				want := failures[min(i, j)].code
				if got := exit.Of(errors.Join(a.err, b.err)); got != want {
					t.Errorf("%s and %s: exit code %d, want %d", a.name, b.name, got, want)
				}
			}
		})
	}
}

// The page on exit codes has every code in the rank by which several are merged.
func TestThePageHasTheRankOfExitCodes(t *testing.T) {
	page := exitCodesTopic().Long
	words := regexp.MustCompile(`From the gravest\non that is ([0-9, ]+):`).FindStringSubmatch(page)
	if words == nil {
		t.Fatal(page)
	}
	var rank []int
	for _, word := range regexp.MustCompile(`[0-9]+`).FindAllString(words[1], -1) {
		code, _ := strconv.Atoi(word)
		rank = append(rank, code)
	}
	for i, a := range rank {
		for _, b := range rank[i:] {
			if got := exit.Gravest(a, b); got != a {
				t.Errorf("of %d and %d %d counts, and the page has %v", a, b, got, rank)
			}
		}
	}
	for _, line := range regexp.MustCompile(`(?m)^ +([0-9]+)  `).FindAllStringSubmatch(page, -1) {
		if code, _ := strconv.Atoi(line[1]); !slices.Contains(rank, code) {
			t.Errorf("the page explains %d and does not rank it", code)
		}
	}
}
