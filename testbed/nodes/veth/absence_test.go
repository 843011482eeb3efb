package veth

import (
	"testing"
	"time"

	"github.com/rocelab/rocelab/testbed/nodes/daemon"
)

func TestAnAbsenceIsNamed(t *testing.T) {
	for _, test := range []struct {
		count daemon.EdgeCount
		want  string
	}{
		{daemon.EdgeCount{Absences: 1, Absent: 503 * time.Millisecond}, "was not up for 503ms"},
		{daemon.EdgeCount{Absences: 3, Absent: 2 * time.Second}, "was not up 3 times, for 2s in all"},
		{daemon.EdgeCount{Absences: 2, Absent: 2 * time.Second, Gone: true},
			"was removed or moved away; it was not up for 2s"},
	} {
		if got := absence(&test.count); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
