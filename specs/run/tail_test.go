package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// counted are lines with their number.
func counted(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintln(&b, "line", i)
	}
	return b.String()
}

func TestTail(t *testing.T) {
	const leftOut = "... %d lines left out; -v prints all\n"
	stacks := "panic: test timed out after 1s\n" + counted(0, 200)
	for name, c := range map[string]struct{ output, want string }{
		"nothing":         {"", ""},
		"short":           {counted(0, 100), counted(0, 100)},
		"long":            {counted(0, 101), fmt.Sprintf(leftOut, 1) + counted(1, 101)},
		"an end in a row": {"a\nb", "a\nb"},
		"long stacks": {counted(0, 50) + stacks, fmt.Sprintf(leftOut, 50) + "panic: test timed out after 1s\n" +
			counted(0, 29) + fmt.Sprintf(leftOut, 71) + counted(100, 200)},
		"stacks just above the end": {"panic: x\n" + counted(0, 110), "panic: x\n" + counted(0, 110)},
		"stacks within the end": {counted(0, 200) + "panic: x\n" + counted(0, 9),
			fmt.Sprintf(leftOut, 110) + counted(110, 200) + "panic: x\n" + counted(0, 9)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := tail(c.output); got != c.want {
				t.Errorf("%s: got\n%s\nwant\n%s", name, got, c.want)
			}
		})
	}
}

// A package that ran out of time says so, though no test of it ended in failure; what tests that
// passed have printed is not in the way.
func TestUnfinishedTestsArePrinted(t *testing.T) {
	var stream, printed strings.Builder
	for _, e := range []event{
		{Action: "output", Package: "a", Output: "before all tests\n"},
		{Action: "output", Package: "a", Test: "TestOne", Output: "of a test that passed\n"},
		{Action: "output", Package: "a", Test: "TestTwo", Output: "line of two\n"},
		{Action: "output", Package: "b", Test: "TestTwo", Output: "of another package\n"},
		{Action: "pass", Package: "a", Test: "TestOne"},
		{Action: "output", Package: "a", Output: "between\n"},
		{Action: "output", Package: "a", Test: "TestTwo", Output: "panic: test timed out after 20m0s\n"},
		{Action: "output", Package: "a", Output: "FAIL\ta\t1200s\n"},
		{Action: "fail", Package: "a", Elapsed: 1},
		{Action: "output", Package: "b", Output: "ok  \tb\t1s\n"},
		{Action: "pass", Package: "b", Elapsed: 1},
	} {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		stream.Write(append(line, '\n'))
	}
	r := &reader{to: &printed, of: 2}
	if err := r.read(strings.NewReader(stream.String())); err != nil {
		t.Fatal(err)
	}
	const want = "before all tests\nline of two\nbetween\npanic: test timed out after 20m0s\n" +
		"[1/2] FAIL\ta\t1200s\n[2/2] ok  \tb\t1s\n"
	if printed.String() != want || len(r.kept) > 0 {
		t.Errorf("got\n%s\nwant\n%s\nkept %v", printed.String(), want, r.kept)
	}
}
