package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

const stream = `{"Action":"start","Package":"p/a"}
{"Action":"output","Package":"p/a","Test":"TestOne","Output":"=== RUN   TestOne\n"}
{"Action":"output","Package":"p/a","Test":"TestOne","Output":"••MISSED CRITERION {\"spec\":\"it ` +
	`waits\",\"what\":\"3 us: 4 us\",\"why\":\"of b\"}\n"}
{"Action":"pass","Package":"p/a","Test":"TestOne"}
{"Action":"output","Package":"p/a","Output":"PASS\n"}
{"Action":"output","Package":"p/a","Output":"TESTS TOOK CPU SECONDS 2.50\n"}
{"Action":"output","Package":"p/a","Output":"ok  \tp/a\t0.1s\n"}
{"Action":"pass","Package":"p/a","Elapsed":66}
{"ImportPath":"p/c","Action":"build-output","Output":"c.go:1: no\n"}
{"Action":"output","Package":"p/b","Test":"TestTwo","Output":"    b_test.go:1: wrong\n"}
{"Action":"output","Package":"p/b","Test":"TestThree","Output":"MISSED CRITERION {\"what\":\"no loss: 7 lost\"}\n"}
{"Action":"fail","Package":"p/b","Test":"TestTwo"}
{"Action":"output","Package":"p/a","Test":"TestFour","Output":"MISSED CRITERION {\"spec\":\"it ` +
	`waits\",\"what\":\"5 us: 6 us\"}\n"}
{"Action":"pass","Package":"p/b","Test":"TestThree"}
{"Action":"output","Package":"p/b","Output":"half a line TESTS TOOK CPU SECONDS 7.00\n"}
{"Action":"output","Package":"p/b","Output":"exit status 1\n"}
{"Action":"output","Package":"p/b","Output":"FAIL\tp/b\t0.2s\n"}
{"Action":"fail","Package":"p/b"}
no event
`

func TestReaderPrintsWhatGoTestPrints(t *testing.T) {
	const summary = "\nminutes   CPU s  suite (of 5 s and more)\n    1.1     2.5  p/a\n    0.0     7.0  p/b\n" +
		"    1.1     9.5  all 2, some of which ran at the same time\n" +
		"\np/a misses:\n- it waits:\n  3 us: 4 us, because of b\n  5 us: 6 us\n" +
		"\np/b misses:\n  no loss: 7 lost\n\nmissed criteria: 3\n"
	var b strings.Builder
	r := &reader{to: &b, of: 10}
	if err := r.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	if code, err := r.conclude(arguments{}, 0, nil); code != 0 || err != nil {
		t.Errorf("exit code %d, %v", code, err)
	}
	want := "[ 1/10] ok  \tp/a\t0.1s\nc.go:1: no\n" +
		"    b_test.go:1: wrong\nexit status 1\n[ 2/10] FAIL\tp/b\t0.2s\nno event\n" + summary
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}

	b.Reset()
	r = &reader{to: &b, verbose: true}
	if err := r.read(strings.NewReader(stream)); err != nil {
		t.Fatal(err)
	}
	r.conclude(arguments{}, 0, nil)
	if got := b.String(); !strings.HasPrefix(got, "=== RUN   TestOne\n") || !strings.HasSuffix(got, summary) {
		t.Errorf("verbose:\n%s", got)
	}
}

func TestNothingMissed(t *testing.T) {
	var b strings.Builder
	if (&reader{to: &b}).misses(); b.String() != "\nmissed criteria: 0\n" {
		t.Errorf("%q", b.String())
	}
}

// TestMain lets the test program be the program itself.
func TestMain(m *testing.M) {
	switch {
	case os.Getenv(burns) != "":
		burn()
		return
	case os.Getenv(itself) != "":
		main()
	}
	os.Exit(m.Run())
}

// itself is set where the test program runs as the program itself.
const itself = "ROCELAB_SPECS_RUN"

// program runs this program in this folder.
func program(t *testing.T, args ...string) (output string, err error) {
	t.Helper()
	here, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(here, args...)
	c.Env = append(os.Environ(), itself+"=1")
	out, err := c.CombinedOutput()
	return string(out), err
}

// What a cached run missed is counted as what a new one missed, and the exit
// code is go test's.
func TestCachedRunsCount(t *testing.T) {
	tier.Everyday(t) // it builds and runs a test
	for _, cached := range []bool{false, true} {
		t.Run(fmt.Sprintf("cached=%v", cached), func(t *testing.T) {
			text, err := program(t, "./testdata/misses")
			if err != nil || cached && !strings.Contains(text, "(cached)") || strings.Contains(text, "only a verbose run") ||
				!strings.Contains(text, "  a bound of 3: 4, because the test asks for it\n") ||
				!strings.Contains(text, "\nskipped tests: 1\n      1  no tool for it\n") ||
				!strings.HasSuffix(text, "\nmissed criteria: 1\n") {
				t.Errorf("cached %v: %v\n%s", cached, err, text)
			}
		})
	}
	if text, err := program(t, "-v", "./testdata/misses"); err != nil || !strings.Contains(text, "only a verbose run") {
		t.Errorf("verbose: %v\n%s", err, text)
	}
	text, err := program(t, "-run", "[", "./testdata/misses")
	if exit, ok := err.(*exec.ExitError); !ok || exit.ExitCode() != 1 || !strings.Contains(text, "missing closing ]") {
		t.Errorf("%v\n%s", err, text)
	}
}
