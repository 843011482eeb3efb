package mem_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/engine/enginetest"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/internal/modeltest"
	"github.com/rocelab/rocelab/testbed/mem"
)

const hold = 7 * unit.Microsecond

// held is a star with a holder in the link of h1.
func held(n int) *plan.Plan {
	p := star(n, 200*unit.KB, "dcqcn")
	modeltest.Insert(p, 1, "box", modeltest.Config{Hold: hold})
	return p
}

// A node of a kind unknown to runners, plan and results takes part: a flow through it sees its holding time twice.
func TestNodeOfAnotherKindTakesPart(t *testing.T) {
	const channel = unit.Microsecond
	plain, out := run(t, star(1, 200*unit.KB, "dcqcn"), mem.Options{Workers: 1}), run(t, held(1), mem.Options{Workers: 1})
	sound(t, out)
	more := out.Flows[0].Sender.RTT.Min() - plain.Flows[0].Sender.RTT.Min()
	if least := 2 * (hold + channel); more < least || more > least+unit.Microsecond {
		t.Errorf("the least RTT is %v longer, want %v and two times of a frame", more, least)
	}
	box := out.Devices[0].Ports
	if box[0].TxFrames == 0 || box[0].TxFrames != out.NICs[1].RxFrames+out.InFlight[3].Frames {
		t.Errorf("it sent h1 %d frames, h1 has %d", box[0].TxFrames, out.NICs[1].RxFrames)
	}
}

// Pauses pass through it too, and their account is kept.
func TestNodeOfAnotherKindPassesPauses(t *testing.T) {
	p := star(8, 2*unit.MB, "none")
	p.Switches[0].Profile.Buffer = 4 * unit.MB
	modeltest.Insert(p, 1, "box", modeltest.Config{Hold: hold})
	out := run(t, p, mem.Options{Workers: 1})
	sound(t, out)
	if in := out.Devices[0].Ports[1].PausesIn; in.Own().XOFF[3] == 0 {
		t.Errorf("the switch sent it %v", in)
	}
}

// sound insists that the accounts of a run are right.
func sound(t *testing.T, out *result.Outcome) {
	t.Helper()
	for _, f := range result.Judge(out, result.Summarise(out)).Findings {
		if f.Status == result.Red && f.Subject == result.Conservation {
			t.Error(f.Text)
		}
	}
}

func TestNodeOfAnotherKindLeavesTheTraceAsItIs(t *testing.T) {
	want := run(t, held(8), mem.Options{Workers: 1}).Trace
	if want == run(t, star(8, 200*unit.KB, "dcqcn"), mem.Options{Workers: 1}).Trace {
		t.Fatal("the holder shows nowhere")
	}
	so := enginetest.Windows{AllWorkers: true, Cut: func(unit.Time) unit.Duration { return 300 * unit.Nanosecond }}
	for _, codec := range []bool{false, true} {
		t.Run(fmt.Sprintf("codec=%v", codec), func(t *testing.T) {
			for _, workers := range []int{1, 3} {
				got := runSo(t, held(8), mem.Options{Workers: workers, Codec: codec}, so).Trace
				if got != want {
					t.Errorf("%d workers, codec %v: trace %016x, want %016x", workers, codec, got, want)
				}
			}
		})
	}
}

// A frame that vanishes in a node of any kind is a breach of conservation.
func TestWhatANodeOfAnotherKindLosesIsMissed(t *testing.T) {
	out := run(t, held(1), mem.Options{Workers: 1})
	out.Devices[0].Resident.Frames++
	v := result.Judge(out, result.Summarise(out))
	want := "holder box: received "
	for _, f := range v.Findings {
		if f.Status == result.Red && f.Subject == result.Conservation && strings.HasPrefix(f.Text, want) {
			return
		}
	}
	t.Errorf("no finding begins with %q: %+v", want, v.Findings)
}

// The sheet of a kind is in the run folder and in its documentation, and in no other run's.
func TestSheetOfAnotherKindIsWritten(t *testing.T) {
	for _, with := range []bool{true, false} {
		t.Run(fmt.Sprintf("with=%v", with), func(t *testing.T) {
			p := star(1, 200*unit.KB, "fixed")
			if with {
				modeltest.Insert(p, 1, "box", modeltest.Config{Hold: hold})
			}
			out := run(t, p, mem.Options{Workers: 1})
			dir := filepath.Join(t.TempDir(), "run")
			f, err := result.Create(dir)
			if err != nil {
				t.Fatal(err)
			}
			s := result.Summarise(out)
			if err := f.WriteRun("", out, s, result.Judge(out, s)); err != nil {
				t.Fatal(err)
			}
			if err := f.Close(&result.Manifest{}); err != nil {
				t.Fatal(err)
			}
			sheet, err := os.ReadFile(filepath.Join(dir, "holders.csv"))
			columns, _ := os.ReadFile(filepath.Join(dir, "columns.md"))
			documented := strings.Contains(string(columns), "## holders.csv\n\nOne row per holder.") &&
				strings.Contains(string(columns), "| `held_us` | How long it held each frame. |")
			if !with {
				if !os.IsNotExist(err) || documented {
					t.Errorf("a run without holders: %v, documented %v", err, documented)
				}
				return
			}
			want := "variant,seed,node,held_us,frames\nfixed,1,box,7,"
			if err != nil || !documented || !strings.HasPrefix(string(sheet), want) {
				t.Errorf("%v: %q, documented %v", err, sheet, documented)
			}
			ports, err := fs.ReadFile(os.DirFS(dir), "ports.csv")
			if err != nil || !strings.Contains(string(ports), ",box,1,") {
				t.Errorf("%v: ports.csv has no row of box:1", err)
			}
		})
	}
}

func TestNodeOfNoKindIsRefused(t *testing.T) {
	p := held(1)
	p.Devices[0].Kind = "oracle"
	_, err := mem.Run(t.Context(), p, mem.Options{Algorithms: shipped.Find})
	want := `node box: "oracle" is not a kind of node that this program knows: allowed are edge, holder, nic, switch, wan`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}
