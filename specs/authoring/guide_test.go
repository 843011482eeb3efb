package authoring

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/internal/lab"
	"github.com/rocelab/rocelab/specs/tier"
)

// Headings of the guide.
const (
	beginning = "From an empty folder to a judged algorithm"
	debugging = "Finding out why"
	receiving = "Sending bytes of your own"
	training  = "With a trained network"
	inPython  = "In Python"
	asProgram = "As a program"
)

var (
	command  = regexp.MustCompile(`(?m)^    ((?:rocelab|go|cd|mkdir|python3) .*?)(?: +# (.*))?$`)
	exitCode = regexp.MustCompile(`exit code (\d+)`)
)

// line is a command of the guide and its announced exit code.
type line struct {
	command string
	code    int
}

// commands returns those below a heading of the guide.
func commands(heading string) (list []line) {
	GinkgoHelper()
	page, err := os.ReadFile("../../docs/algorithms.md")
	Expect(err).NotTo(HaveOccurred())
	_, text, found := strings.Cut(string(page), "\n## "+heading+"\n")
	Expect(found).To(BeTrue(), heading)
	text, _, _ = strings.Cut(text, "\n## ")
	for _, m := range command.FindAllStringSubmatch(text, -1) {
		l := line{command: m[1]}
		if code := exitCode.FindStringSubmatch(m[2]); code != nil {
			l.code, err = strconv.Atoi(code[1])
			Expect(err).NotTo(HaveOccurred())
		}
		list = append(list, l)
	}
	Expect(list).NotTo(BeEmpty(), heading)
	return list
}

// long are the commands that play traffic for many seconds: the night follows them.
var long = regexp.MustCompile(`^rocelab (test|algorithm check)`)

// follow carries out the guide's commands below a heading.
func (s *session) follow(heading string) {
	GinkgoHelper()
	for _, l := range commands(heading) {
		if to, isCD := strings.CutPrefix(l.command, "cd "); isCD {
			s.folder = filepath.Join(s.folder, to)
			continue
		}
		if long.MatchString(l.command) && !tier.RunsNight() {
			continue
		}
		out := s.run(l.code, l.command)
		if strings.HasPrefix(l.command, "rocelab run") {
			Expect(out).To(ContainSubstring(": 8 of 8 flows completed"), l.command)
			Expect(out).NotTo(ContainSubstring("made no decision"))
		}
	}
}

var _ = Describe("The guide for authors", func() {
	It("goes from an empty folder to a judged algorithm in at most eight commands", func() {
		list := commands(beginning)
		Expect(len(list)).To(BeNumerically("<=", 8))
		Expect(list[0].command).To(HavePrefix("rocelab algorithm new "))
		Expect(list[len(list)-1].command).To(HavePrefix("rocelab test --algorithm "))
	})

	It("tells commands that work, offline, in Go", Label(lab.Slow), func() {
		s := newSession()
		for _, heading := range []string{beginning, debugging, training, receiving, asProgram} {
			s.follow(heading)
		}
	})

	It("has no command outside of what is followed here", func() {
		page, err := os.ReadFile("../../docs/algorithms.md")
		Expect(err).NotTo(HaveOccurred())
		followed := 0
		for _, heading := range []string{beginning, debugging, training, receiving, asProgram, inPython} {
			followed += len(commands(heading))
		}
		Expect(command.FindAllString(string(page), -1)).To(HaveLen(followed))
	})

	It("tells commands that work in Python", Label(lab.Slow), func() {
		s := newSession()
		s.path = programs + ":" + python() + ":" + s.path
		s.follow(inPython)
	})
})
