package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// offered lists what the shell offers for the last word of a command line,
// without explanations.
func (s *shell) offered(line string) (list []string) {
	s.t.Helper()
	s.run(0, append([]string{"__complete"}, strings.Split(line, " ")...)...)
	for offer := range strings.Lines(s.stdout) {
		word, _, _ := strings.Cut(strings.TrimSpace(offer), "\t")
		if !strings.HasPrefix(word, ":") {
			list = append(list, word)
		}
	}
	return list
}

func TestCompletionOffersWhatThereIs(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct{ line, offers, not string }{
		{line: "run ", offers: "yaml"},
		{line: "run incast.yaml --variant ", offers: "fixed", not: "pc4"},
		{line: "run incast.yaml --algorithm ", offers: "pc4"},
		{line: "compare incast.yaml --algorithm pc4,", offers: "pc4,dcqcn"},
		{line: "run incast.yaml --algorithm pc4,dcqcn:", offers: "pc4,dcqcn:set="},
		{line: "run incast.yaml --algorithm pc4,dcqcn:set=", offers: "pc4,dcqcn:set=paper", not: "pc4,dcqcn:set="},
		{line: "run incast.yaml --run-as ", offers: "process"},
		{line: "run incast.yaml --on ", offers: "veth"},
		{line: "run incast.yaml --on ", offers: "live"},
		{line: "run incast.yaml --set ", offers: "switch.", not: "kmin="},
		{line: "run incast.yaml --set switch.ecn.", offers: "switch.ecn.kmin=", not: "switch.ecn.kmin."},
		{line: "run incast.yaml --set switches.s0.ecn.", offers: "switches.s0.ecn.kmin="},
		{line: "run incast.yaml --set traffic.incast.", offers: "traffic.incast.size="},
		{line: "run incast.yaml --set variants.fixed.nic.", offers: "variants.fixed.nic.pfc="},
		{line: "run incast.yaml --set nic.pfc=", offers: "nic.pfc=false"},
		{line: "run incast.yaml --set topology.kind=", offers: "topology.kind=leaf-spine"},
		{line: "compare incast.yaml --metrics jain,", offers: "jain,pauses", not: "jain,jain"},
		{line: "test --check ", offers: "handshake"},
		{line: "test --label ", offers: "behaviour"},
		{line: "run incast.yaml --progress ", offers: "plain"},
		{line: "run incast.yaml --seeds ", offers: "1-5"},
		{line: "algorithm new mine --lang ", offers: "python"},
		{line: "algorithm new mine --template ", offers: "receiver"},
		{line: "test --algorithm dcqcn --set ", offers: "g="},
		{line: "algorithm check pc4 --set ", offers: "first_rtt="},
		{line: "algorithm show ", offers: "swift"},
		{line: "validate incast.yaml --format ", offers: "json"},
		{line: "run no-such.yaml --variant "},
	} {
		t.Run(fmt.Sprintf("offers=%q", c.offers), func(t *testing.T) {
			list := s.offered(c.line)
			if c.offers != "" && !slices.Contains(list, c.offers) {
				t.Errorf("%q offers %q, without %q", c.line, list, c.offers)
			}
			if c.not != "" && slices.Contains(list, c.not) {
				t.Errorf("%q offers %q", c.line, c.not)
			}
		})
	}
}

// The script works in a bash that lacks the package bash-completion, and offers
// files without it.
func TestCompletionWithoutPackage(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not in PATH")
	}
	s := newShell(t)
	s.run(0, "completion", "bash")
	s.write("completion", s.stdout)
	s.write("notes.txt", "")
	const drive = `source ./completion
tab() {
	COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
	__start_rocelab 2>/dev/null
	printf '%s|' "${COMPREPLY[@]}"; echo
}
rocelab() { echo "$*" >>asked; printf 'show\ncheck\n:4\n'; }
tab 'rocelab algorithm sh'
tab 'rocelab algorithm '
rocelab() { printf 'yaml\nyml\n:8\n'; }
tab 'rocelab run inc'
rocelab() { printf '%s\n' "$OFFER" :6; }
tab 'rocelab run incast.yaml --algorithm pc4,d'
rocelab() { printf 'pc4,dcqcn:set=paper\n:6\n'; }
tab 'rocelab run incast.yaml --algorithm pc4,dcqcn:set=p'
COMP_WORDBREAKS=' ='
tab 'rocelab run incast.yaml --algorithm pc4,dcqcn:set=p'
tab 'rocelab run incast.yaml --algorithm pc4,d'
`
	s.run(0, "__complete", "run", "incast.yaml", "--algorithm", "pc4,d")
	offer, _, _ := strings.Cut(s.stdout, "\n:")
	t.Setenv("OFFER", offer)
	c := exec.Command(bash, "--norc", "--noprofile", "-c", drive)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := "show|\nshow|check|\nincast.yaml|\npc4,dcqcn|pc4,dctcp|\npaper|\npaper|\npc4,dcqcn:set=paper|\n"
	if got := string(out); got != want {
		t.Errorf("bash offers\n%s, not\n%s", got, want)
	}
	asked, err := os.ReadFile("asked")
	if want := "__complete algorithm sh\n__complete algorithm \n"; err != nil || string(asked) != want {
		t.Errorf("bash asks\n%s (%v), not\n%s", asked, err, want)
	}
}

// A program's name would be known if it were asked, which completing must not
// do.
func TestCompletionStartsNothing(t *testing.T) {
	s := newShell(t)
	if err := os.Mkdir("plugins", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("plugins/cc-mine", []byte("#!/bin/sh\ntouch started\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("ROCELAB_PLUGINS", "plugins")
	for _, line := range []string{"run incast.yaml --algorithm ", "algorithm show ", "run incast.yaml --variant "} {
		t.Run(line, func(t *testing.T) {
			if list := s.offered(line); strings.Contains(line, "algorithm") && !slices.Contains(list, "mine") {
				t.Errorf("%q offers %q, without the program of the plugin folder", line, list)
			}
		})
	}
	if exists("started") || exists("plugins/started") {
		t.Error("a program was started")
	}
}

// Names that cannot be are not offered, for a shell would read them as more than a word; and a file that is not a
// scenario is not waited for.
func TestCompletionOffersNamesAlone(t *testing.T) {
	s := newShell(t)
	s.write("hostile.yaml",
		"variants: [{name: $(reboot)}, {name: \"\"}, {name: [x]}, 7, {nome: x}, {name: 'a b'}, {name: good}]")
	s.write("broken.yaml", "variants: [\n")
	if err := os.Mkdir("plugins", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"", "-rf", "a b", "tab\tx", "two\nlines", "$(reboot)", "good"} {
		s.write("plugins/cc-"+name, "")
	}
	for line, want := range map[string][]string{
		"run hostile.yaml --variant ":             {"good"},
		"run broken.yaml --variant ":              nil,
		"run plugins --variant ":                  nil,
		"run /dev/zero --variant ":                nil,
		"run - --variant ":                        nil,
		"run x --plugin-dir plugins --algorithm ": append(s.offered("run x --algorithm "), "good"),
	} {
		t.Run(line, func(t *testing.T) {
			if list := s.offered(line); !slices.Equal(list, want) {
				t.Errorf("%q offers %q, want %q", line, list, want)
			}
		})
	}
}
