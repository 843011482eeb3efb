package judge

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// A judgement that was interrupted has the rows of the checks of the behaviour that were done, and makes the others;
// other seeds, parameters, companions or limits, and checks by the clock or not of the behaviour, are judged again.
// Tier: -short. Red if a row is kept under the name of its check only.
func TestAJudgementResumes(t *testing.T) {
	builtin, _ := shipped.Find("dcqcn")
	dir, made, companion, limit, clocked := filepath.Join(t.TempDir(), "unfinished"), 0, "1", time.Second, false
	judge := func(label string, seeds []uint64, given map[string]string) Row {
		t.Helper()
		u := campaign.OpenUnfinished(dir)
		j, err := newTrial(Config{
			Subject:    Subject{Builtin: builtin, Given: given},
			Seeds:      seeds,
			Unfinished: u,
			StartLimit: limit,
			Beside:     func() ([]result.Algorithm, error) { return []result.Algorithm{{Version: companion}}, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		defer j.close()
		return judgeOnce(j, &Check{Name: "counted", Labels: []string{label}, clocked: clocked, run: func(*trial) Row {
			made++
			return Row{Result: Pass, Figure: "1"}
		}})
	}
	for _, c := range []struct {
		label string
		seeds []uint64
		given map[string]string
		made  int
	}{
		{Behaviour, []uint64{1}, nil, 1},
		{Behaviour, []uint64{1}, nil, 1}, // kept
		{Behaviour, []uint64{2}, nil, 2},
		{Behaviour, []uint64{1}, map[string]string{"g": "0.5"}, 3},
		{Contract, []uint64{1}, nil, 4},
		{Contract, []uint64{1}, nil, 5},
	} {
		row := judge(c.label, c.seeds, c.given)
		if made != c.made || row.Result != Pass || row.Check != "counted" || row.Figure != "1" {
			t.Errorf("%+v: made %d times: %+v", c, made, row)
		}
	}
	again := func(what string, times int) {
		t.Helper()
		if judge(Behaviour, []uint64{1}, nil); made != times {
			t.Errorf("%s: made %d times", what, made)
		}
	}
	companion = "2"
	again("another companion", 6)
	limit = time.Minute
	again("another limit", 7)
	clocked = true
	again("by the clock", 8)
	if decision, err := Checks([]string{"decision-time"}, ""); err != nil || !decision[0].clocked {
		t.Errorf("a time by the clock is kept: %v", err)
	}
}
