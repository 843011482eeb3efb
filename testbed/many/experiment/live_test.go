package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
	"github.com/rocelab/rocelab/testbed/model"
)

// awaitLine waits until the file has a line for which is holds.
func awaitLine(t *testing.T, path string, is func(progressfile.Line) bool) progressfile.Line {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	found, enough := progressfile.Line{}, errors.New("enough")
	err := progressfile.Follow(ctx, path, func(l progressfile.Line) error {
		if found = l; is(l) {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Fatal(err)
	}
	return found
}

// The folder has telemetry as long as it is written: a run's lines, and the verdict on its last. The
// whole folder has none, whether the experiment went well or not.
func TestFolderHasTelemetryWhileItIsWritten(t *testing.T) {
	e, dir := fixture(t)
	path := filepath.Join(dir+".part", progressfile.File)
	e.Live, e.Runner = func(err error) { t.Error(err) }, "mem"
	run := e.Run
	var failure error
	e.Run = func(ctx context.Context, task Task) (*result.Outcome, error) {
		task.Plan.Switches = []plan.Switch{{Name: "s0"}}
		p := model.Progress{
			Now:   unit.Time(unit.Microsecond),
			Until: unit.Time(unit.Millisecond),
			Tally: record.Tally{
				Sent:      1,
				Delivered: 2,
				Marks:     3,
				CNPs:      4,
				XOFFs:     5,
				Drops:     6,
				Lossless:  1,
				Longest:   7,
				Queues:    []record.PortQueue{{Node: 0, Port: 8, Bytes: 7}},
			},
		}
		task.Progress(p)
		got := awaitLine(t, path, func(l progressfile.Line) bool { return l.Run == task.Folder })
		if got.Runner != "mem" || got.Model != 1_000_000 || got.Until != 1_000_000_000 || got.SentBytes != 1 ||
			got.DeliveredBytes != 2 || got.Marks != 3 || got.CNPs != 4 || got.XOFFs != 5 || got.Drops != 6 ||
			got.Share != 0.001 || got.Runs < 2 || got.QueueBytes != 7 ||
			got.Queues[0] != (progressfile.Queue{Port: "s0:8", Bytes: 7}) || got.Ended != "" ||
			!strings.HasPrefix(got.Verdict, "RED: ") {
			t.Errorf("%+v", got)
		}
		if task.Number == 2 {
			first := awaitLine(t, path, func(l progressfile.Line) bool { return l.Ended != "" })
			if first.Run != "a" || first.Ended != "VOID" || first.Marks != 30 {
				t.Errorf("%+v", first)
			}
		}
		p.Tally.Marks, p.Final = 30, true
		task.Progress(p)
		task.Plan.Switches = nil
		out, err := run(ctx, task)
		return out, errors.Join(err, failure)
	}
	do(t, e)
	for _, folder := range []string{dir, dir + ".part"} {
		t.Run(fmt.Sprintf("%.50q", folder), func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(folder, progressfile.File)); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v", folder, err)
			}
		})
	}
	if text := folders(t, dir); strings.Contains(text, progressfile.File) {
		t.Error(text)
	}

	unwatched, other := fixture(t)
	do(t, unwatched)
	if got, want := folders(t, dir), folders(t, other); got != want {
		t.Errorf("%s, without telemetry %s", got, want)
	}

	e.Folder = func() (*result.Folder, error) { return result.Create(dir + "2") }
	path = filepath.Join(dir+"2.part", progressfile.File)
	failure = errors.New("failed")
	if _, err := e.Do(context.Background()); !errors.Is(err, failure) {
		t.Error(err)
	}
	if _, err := os.Stat(dir + "2.part"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
