package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

var (
	// shownCommand is a line of a page that runs this program, without its input and output: indented by four spaces,
	// or by itself between fences.
	shownCommand = regexp.MustCompile(
		`(?m)^(?: {4,}|)(?:[^\n|` + "`" + `]*\| )?(?:sudo )?(?:bin/|go run (?:-tags mem )?./cmd/)?rocelab ([^#|>\n]*)`)
	commandStart = regexp.MustCompile(`^(?:sudo )?(?:bin/|go run (?:-tags mem )?./cmd/)?rocelab `)
	argument     = regexp.MustCompile(`'([^']*)'|(\S+)`)
	continued    = regexp.MustCompile(`\\\n +`)
)

// shownCommands returns the arguments of the command lines of a page.
func shownCommands(page string) (list []string) {
	inside := strings.Builder{} // what is indented, or between fences without a language
	for _, b := range fencedBlocks(page) {
		if b.language == "" && commandsOnly(b.text) {
			inside.WriteString(b.text)
		}
	}
	for line := range strings.Lines(continued.ReplaceAllString(fenced.ReplaceAllString(page, ""), " ")) {
		if strings.HasPrefix(line, "    ") {
			inside.WriteString(line)
		}
	}
	for _, m := range shownCommand.FindAllStringSubmatch(inside.String(), -1) {
		list = append(list, strings.TrimSpace(m[1]))
	}
	return list
}

// Each command line of the pages is one that there is, with flags and as many
// arguments as it takes.
func TestPagesKnowTheCommands(t *testing.T) {
	seen := 0
	for path, text := range pages(t, append(docPages, "*.md")...) {
		for _, line := range shownCommands(text) {
			seen++
			if err := parses(line); err != nil {
				t.Errorf("%s: rocelab %s: %v", path, line, err)
			}
		}
	}
	if seen < 70 {
		t.Errorf("only %d command lines were found", seen)
	}
}

// The keys that the command lines of the pages set, and the algorithms that they name, exist in their scenarios.
// Programs of an author's own are left out. Tier: everyday.
func TestPagesSetWhatThereIs(t *testing.T) {
	tier.Everyday(t)
	list := pages(t, append(docPages, "*.md")...)
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	s := newShell(t)
	s.writeFiles(list)
	trained, err := os.ReadFile(filepath.Join(root, "plugins/pidnn/weights/shipped.txt"))
	if err != nil {
		t.Fatal(err)
	}
	s.write("weights.txt", string(trained)) // a page has it made by rocelab train
	seen := 0
	for path, text := range list {
		for _, line := range shownCommands(text) {
			args := validating(root, line)
			if len(args) < 4 {
				continue // it sets nothing
			}
			seen++
			if s.try(args...) != 0 {
				t.Errorf("%s: rocelab %s: %s", path, line, s.stderr)
			}
		}
	}
	if seen < 8 {
		t.Errorf("only %d command lines that set something were found", seen)
	}
}

// validating returns the arguments that validate a scenario with the settings of a command line: none if its scenario
// does not exist.
func validating(root, line string) (args []string) {
	words := argument.FindAllString(line, -1)
	for i, word := range words {
		words[i] = strings.Trim(word, "'")
	}
	if len(words) < 2 || !slices.Contains([]string{"run", "compare", "validate", "deploy"}, words[0]) {
		return nil
	}
	file := words[1]
	if strings.Contains(file, "/") {
		file = filepath.Join(root, file)
	}
	if _, err := os.Stat(file); err != nil {
		return nil
	}
	args = []string{"validate", file}
	ofAuthor := strings.Contains(line, "plugins")
	for i, word := range words[:len(words)-1] {
		if word == "--set" || word == "--algorithm" && !ofAuthor {
			args = append(args, word, words[i+1])
		}
	}
	return args
}

// parses returns the fault of a command line's arguments.
func parses(line string) error {
	var words []string
	for _, m := range argument.FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	code := 0
	c, args, err := rootCommand(&code).Find(words)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(args); err != nil {
		return err
	}
	if !c.HasParent() {
		return noSuchCommand(c, c.Flags().Args())
	}
	return c.ValidateArgs(c.Flags().Args())
}

func TestWrongCommandsOfPagesAreSeen(t *testing.T) {
	const page = "    rocelab rum a.yaml\n    rocelab run a.yaml --sed 1\n    rocelab run a.yaml b.yaml\n" +
		"    sudo bin/rocelab run a.yaml \\\n        --seeed 1\n    rocelab algorithm check ./a --label 'a && b'\n" +
		"```\nrocelab validat a.yaml\n```\n    cat a.yaml | rocelab rum -\nrocelab is no command here\n"
	list := shownCommands(page)
	if len(list) != 7 {
		t.Fatalf("%d command lines: %q", len(list), list)
	}
	wrong := 0
	for _, line := range list {
		if parses(line) != nil {
			wrong++
		}
	}
	if wrong != 6 {
		t.Errorf("%d of 6 wrong command lines were seen", wrong)
	}
}
