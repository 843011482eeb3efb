package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// block is the text between two fences on a page. A comment of HTML in the line before, which readers do not see, gives
// its kind:
//
//	<!-- file: NAME -->                          a file that commands of the pages read
//	<!-- output of: ARGUMENTS -->                what rocelab prints with these arguments
//	<!-- output of: ARGUMENTS (exit code 2) -->  the same where it is an error
type block struct {
	is, of, language, text string
}

var fenced = regexp.MustCompile("(?ms)^(?:<!-- (file|output of): ([^\n]*) -->\n)?```(\\w*)\n(.*?)^```$")

func fencedBlocks(page string) (list []block) {
	for _, m := range fenced.FindAllStringSubmatch(page, -1) {
		list = append(list, block{is: m[1], of: m[2], language: m[3], text: m[4]})
	}
	return list
}

// pages returns the text of pages by their paths from the root of the checkout.
func pages(t *testing.T, patterns ...string) map[string]string {
	t.Helper()
	list := map[string]string{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			list[strings.TrimPrefix(filepath.ToSlash(file), "../../")] = string(text)
		}
	}
	if len(list) < len(patterns) {
		t.Fatalf("only %d pages were found", len(list))
	}
	return list
}

var docPages = []string{"README.md", "docs/*.md", "docs/*/*.md", "*/README.md", "specs/scenarios/README.md"}

// slowPages have outputs that take seconds.
var slowPages = []string{"README.md", "docs/recipes.md", "docs/tutorial.md"}

// firstScenario is the one that the first command of the README runs.
const firstScenario = "specs/scenarios/incast.yaml"

// ringScenario is run by the page on results.
const ringScenario = "specs/scenarios/deadlock-ring.yaml"

// smallest is the scenario around a part of one that a page shows.
const smallest = `name: part
algorithm: dcqcn
topology: {kind: star, hosts: 9}
traffic: [{kind: incast, size: 1MB}]
`

// Each scenario of the pages, and each part of one, is valid, and the outputs shown are those that rocelab prints: if
// this fails, paste the new output. Tier: -short, but for the outputs of slow pages, 18 s, which are everyday's.
func TestPagesShowWhatIsPrinted(t *testing.T) {
	list := pages(t, docPages...)
	shipped := pages(t, firstScenario, ringScenario)
	s := newShell(t)
	if err := os.MkdirAll(filepath.Dir(firstScenario), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range shipped {
		s.write(path, text)
	}
	s.writeFiles(list)
	mine, err := os.ReadFile("mine.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s.write("wrong.yaml", strings.NewReplacer("kmin: 100KB, kmax: 400KB", "kmin: 400KB, kmax: 100KB", "drops ==",
		"drop ==").Replace(string(mine)))
	outputs, scenarios := 0, 0
	for path, text := range list {
		for _, b := range fencedBlocks(text) {
			switch {
			case b.is == "output of":
				outputs++
				if !testing.Short() || !slices.Contains(slowPages, path) {
					s.prints(path, b)
				}
			case b.language == "yaml":
				scenarios++
				s.validates(path, b)
			case b.is == "" && b.language == "" && !commandsOnly(b.text):
				t.Errorf("%s: a block is no command, no file and no output:\n%s", path, b.text)
			}
		}
	}
	if outputs < 3 || scenarios < 12 {
		t.Errorf("only %d outputs and %d scenarios were found", outputs, scenarios)
	}
}

// writeFiles writes the files that pages show.
func (s *shell) writeFiles(pages map[string]string) {
	s.t.Helper()
	for _, text := range pages {
		for _, b := range fencedBlocks(text) {
			if b.is == "file" {
				s.write(b.of, b.text)
			}
		}
	}
}

var exitCodeOf = regexp.MustCompile(` \(exit code (\d+)\)$`)

// prints checks that rocelab prints a block. A line "  ..." stands for lines that
// are left out.
func (s *shell) prints(path string, b block) {
	s.t.Helper()
	want := 0
	if m := exitCodeOf.FindStringSubmatch(b.of); m != nil {
		want, _ = strconv.Atoi(m[1])
	}
	s.run(want, strings.Fields(exitCodeOf.ReplaceAllString(b.of, ""))...)
	if b.text == "" {
		s.t.Errorf("%s: the output of %s is empty", path, b.of)
	}
	rest := s.stdout + s.stderr
	for _, part := range strings.Split(b.text, "  ...\n") {
		_, after, found := strings.Cut(rest, part)
		if !found {
			s.t.Errorf("%s: not printed by rocelab %s:\n%s\nprinted is:\n%s", path, b.of, part, s.stdout+s.stderr)
			return
		}
		rest = after
	}
}

// validates checks that a scenario is valid, or the smallest one with the keys of
// a part in place of its own.
func (s *shell) validates(path string, b block) {
	s.t.Helper()
	text := b.text
	if path, is := strings.CutPrefix(text, "wan:\n"); is { // a link's, which is nothing by itself
		text = "topology:\n  kind: dumbbell\n  bottleneck_wan:\n" + strings.ReplaceAll("  "+path, "\n  ", "\n    ")
	}
	var whole, part yaml.MapSlice
	if err := yaml.Unmarshal([]byte(smallest), &whole); err != nil {
		s.t.Fatal(err)
	}
	if err := yaml.Unmarshal([]byte(text), &part); err != nil {
		s.t.Errorf("%s: %v in\n%s", path, err, b.text)
		return
	}
	given := map[any]bool{}
	for _, item := range part {
		given[item.Key] = true
	}
	if strings.Contains(text, "kind: edge") || strings.Contains(text, "stack: kernel") {
		given["traffic"] = true // whoever is behind the edges sends, and a clock ends the run
		if !given["run"] {
			part = append(part, yaml.MapItem{Key: "run", Value: map[string]string{"until": "1s"}})
		}
	}
	for _, item := range whole {
		if !given[item.Key] && (item.Key != "algorithm" || !given["variants"]) {
			part = append(part, item)
		}
	}
	scenario, err := yaml.Marshal(part)
	if err != nil {
		s.t.Fatal(err)
	}
	s.write("part.yaml", string(scenario))
	if code := s.try("validate", "part.yaml"); code != 0 {
		s.t.Errorf("%s: %sin\n%s", path, s.stderr, b.text)
	}
}

// try runs a command line and returns its exit code.
func (s *shell) try(args ...string) int {
	var stdout, stderr strings.Builder
	code := execute(s.ctx, args, &stdout, &stderr)
	s.stdout, s.stderr = stdout.String(), stderr.String()
	return code
}

func commandsOnly(text string) bool {
	for line := range strings.Lines(text) {
		if !commandStart.MatchString(line) {
			return false
		}
	}
	return true
}

var treeLine = regexp.MustCompile(`(?m)^ {6,}([\w*.]+\.\w+) {2,}`)

// The folder that docs/results.md draws has the files that a run writes, and no
// others.
func TestTheTreeOfARunFolder(t *testing.T) {
	list := pages(t, docPages...)
	s := newShell(t)
	s.writeFiles(list)
	s.run(0, "run", "mine.yaml", "--variant", "pc4", "--out", "mine")
	drawn := map[string]bool{}
	for _, m := range treeLine.FindAllStringSubmatch(list["docs/results.md"], -1) {
		files, err := filepath.Glob("mine/" + m[1])
		inRun, errRun := filepath.Glob("mine/pc4/" + m[1])
		if err != nil || errRun != nil || len(files)+len(inRun) == 0 {
			t.Errorf("drawn is %s, which the run did not write", m[1])
		}
		for _, file := range append(files, inRun...) {
			drawn[file] = true
		}
	}
	files, err := filepath.Glob("mine/*")
	inRun, errRun := filepath.Glob("mine/pc4/*")
	if err != nil || errRun != nil {
		t.Fatal(err, errRun)
	}
	for _, file := range append(files, inRun...) {
		if !drawn[file] && file != filepath.Join("mine", "pc4") {
			t.Errorf("%s is not drawn", file)
		}
	}
}

// The worked example of docs/architecture.md has its three windows, and its last
// ACK the picosecond that is printed there.
func TestTheExampleOfWindows(t *testing.T) {
	page := pages(t, "docs/architecture.md")["docs/architecture.md"]
	s := newShell(t)
	s.writeFiles(map[string]string{"architecture.md": page})
	s.run(0, "run", "two.yaml", "--out", "two")
	flows, err := os.ReadFile("two/two/flows.csv")
	if err != nil {
		t.Fatal(err)
	}
	s.says(string(flows), ",0.500000,2.594720,") // first sent, completed
	s.says(page, "2.59472 us, 160 ps after")
	ofHost, err := os.ReadFile("two/host.json")
	if err != nil {
		t.Fatal(err)
	}
	s.says(string(ofHost), `"windows": 3,`)
}
