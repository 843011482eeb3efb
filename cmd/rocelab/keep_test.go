package main

import (
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"
)

const keepable = "topology: {kind: star, hosts: 5}\nalgorithm: pc4\ntraffic: [{kind: incast, size: 200KB}]\n"

// A run that is worse than the kept folder fails, reports by how much, and reports the same to other programs; another
// scenario's folder is refused before anything runs.
func TestBaseline(t *testing.T) {
	s := newShell(t)
	s.write("x.yaml", keepable)
	s.run(0, "run", "x.yaml", "--out", "good")
	s.run(0, "run", "x.yaml", "--baseline", "good", "--no-folder")
	s.says(s.stdout, "PASS        baseline good: 0 of ")
	worse := strings.Fields("run x.yaml --baseline good --tolerance queue_max_bytes=5% --no-folder --algorithm dcqcn")
	s.run(1, append(worse, "--junit", "to/junit.xml", "--summary", "to/page.md")...)
	s.says(s.stdout, "FAILED      baseline good: 1 of 1 metrics worse than allowed, 0 better\n"+
		"            dcqcn: queue_max_bytes is ")
	s.says(s.stdout, "allowed is +5 %)")
	s.run(1, append(worse, "--junit", "to/junit.xml", "--summary", "to/page.md")...)
	var report struct {
		Failures int `xml:"failures,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	text, err := os.ReadFile("to/junit.xml")
	if err == nil {
		err = xml.Unmarshal(text, &report)
	}
	if err != nil || report.Failures != 1 || len(report.Cases) != 2 || report.Cases[0].Name != "dcqcn seed 1" ||
		report.Cases[0].Failure != nil || report.Cases[1].Failure == nil {
		t.Errorf("%v: %s", err, text)
	}
	page, err := os.ReadFile("to/page.md")
	if err != nil || strings.Count(string(page), "### x\n\n- PASS dcqcn: ") != 2 ||
		!strings.Contains(string(page), "\n- FAILED baseline good: 1 of 1") ||
		!strings.Contains(string(page), "\n|  | dcqcn |\n| --- | ---:|\n| flows | 4 |\n") {
		t.Errorf("%v: %s", err, page)
	}
	s.run(1, append(worse, "--format", "json")...)
	var document struct {
		Baseline struct {
			Failed bool
			Worse  []struct {
				Metric  string
				Was, Is float64
			}
		}
	}
	if err := json.Unmarshal([]byte(s.stdout), &document); err != nil || !document.Baseline.Failed ||
		len(document.Baseline.Worse) != 1 || !(document.Baseline.Worse[0].Is > document.Baseline.Worse[0].Was) {
		t.Errorf("%v: %s", err, s.stdout)
	}
	s.write("y.yaml", strings.Replace(keepable, "200KB", "201KB", 1))
	for line, says := range map[string]string{
		"run y.yaml --baseline good": "good belongs to another scenario: its " +
			"scenario.yaml, of x,",
		"run x.yaml --baseline good --set mtu=4096B":               "mtu is as the file has it there and 4096B here",
		"run x.yaml --baseline none":                               "none: has no manifest.json",
		"run x.yaml --tolerance 5%":                                "--tolerance needs --baseline",
		"run x.yaml --baseline good --tolerance queue_max_byte=5%": "did you mean queue_max_bytes?",
		"run x.yaml --baseline good --tolerance 5":                 "such as 5%",
	} {
		s.run(2, strings.Fields(line)...)
		s.says(s.stderr, says)
	}
	s.write("good/x/flows.csv", "flow\n")
	s.run(2, "run", "x.yaml", "--baseline", "good")
	s.says(s.stderr, "x/flows.csv was changed")
	if entries, _ := os.ReadDir("rocelab-runs"); len(entries) > 0 {
		t.Errorf("%v: it ran for all that", entries)
	}
	s.write("file", "")
	s.run(4, "run", "x.yaml", "--no-folder", "--junit", "file/junit.xml")
}
