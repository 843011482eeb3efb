package result

import (
	"fmt"
	"slices"
	"testing"
)

// Of every two verdicts.
func TestExitCode(t *testing.T) {
	codes := map[Status]int{
		Pass:        0,
		Amber:       0,
		Failed:      1,
		Void:        3,
		Interrupted: 130,
		Red:         3,
	}
	order := []int{0, 1, 3, 130}
	if ExitCode() != 0 || len(codes) != len(statusNames) {
		t.Errorf("of no run %d; %d statuses of %d have a code", ExitCode(), len(codes), len(statusNames))
	}
	for a, one := range codes {
		t.Run(fmt.Sprint(a), func(t *testing.T) {
			for b, other := range codes {
				want := order[max(slices.Index(order, one), slices.Index(order, other))]
				if got := ExitCode(Verdict{Status: a}, Verdict{Status: b}); got != want {
					t.Errorf("%v and %v: exit code %d, want %d", a, b, got, want)
				}
			}
		})
	}
}

// A run that is red and was interrupted is both.
func TestWasInterrupted(t *testing.T) {
	for status := Pass; status <= Red; status++ {
		for more := Pass; more <= Red; more++ {
			var v Verdict
			v.add(Finding{Status: status}, Finding{Status: more})
			if got, want := v.WasInterrupted(), status == Interrupted || more == Interrupted; got != want {
				t.Errorf("%v and %v: %v, want %v", status, more, got, want)
			}
		}
		v := Verdict{Status: status}
		if v.WasInterrupted() != (status == Interrupted) {
			t.Errorf("%v: %v", status, v.WasInterrupted())
		}
	}
}
