package result

import (
	"strings"
	"testing"
)

// The queues of a deadlock have a row each, for any name of the switch; without a deadlock the file is missing. Tier:
// -short.
func TestDeadlockSheet(t *testing.T) {
	o := star()
	o.Deadlocks = []Deadlock{
		{At: 2 * us, Since: us, Queues: []string{"s0:16/3", "a:b:1/4"}},
		{At: 3 * us, Queues: []string{"odd"}},
	}
	dir := t.TempDir() + "/run"
	writeFolder(t, dir, o)
	files := contents(t, dir)
	want := "variant,seed,deadlock,at_us,since_us,node,port,class\n"
	for _, row := range []string{"1,2.000000,1.000000,s0,16,3", "1,2.000000,1.000000,a:b,1,4",
		"2,3.000000,0.000000,odd,odd,odd"} {
		want += o.Plan.Name + ",1," + row + "\n"
	}
	if got := files["a/deadlocks.csv"]; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if !strings.Contains(files["columns.md"], "## deadlocks.csv") {
		t.Error("columns.md does not explain it")
	}
	dir = t.TempDir() + "/run"
	writeFolder(t, dir, star())
	if _, there := contents(t, dir)["a/deadlocks.csv"]; there {
		t.Error("a run without a deadlock has the file")
	}
}
