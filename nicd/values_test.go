package nicd

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// teller counts the events of one flow, and reports their number.
type teller struct {
	script
	events float64
}

func (c *teller) NewSender(cc.Facts) cc.Sender    { return c }
func (c *teller) Handle(*cc.Event, *cc.Decision)  { c.events++ }
func (c *teller) Values(into []float64)           { into[0] = c.events }
func (b *telling) HandleAll(steps []hosting.Step) { b.tell(steps); b.together.HandleAll(steps) }

// telling brings the values that steps ask for, as those before them.
type telling struct {
	together
	asked int
}

func (b *telling) tell(steps []hosting.Step) {
	for i := range steps {
		if steps[i].Values != nil {
			b.asked++
			hosting.ReadValues(steps[i].Sender, steps[i].Values[:1])
			steps[i].Values[0] += float64(i) // those before it in the batch
		}
	}
}

// A value that an algorithm reports about itself is recorded as it was when its bins ended, and is the same with a
// decision delay, in a batch or not; if none is recorded there are no requests.
func TestValuesAreOfTheirBins(t *testing.T) {
	play := func(delay unit.Duration, grid record.Grid, batcher *telling, named ...cc.Value) string {
		prof := profile.DefaultNIC()
		prof.DecisionDelay = delay
		c := config("nic", 0, 1, prof)
		c.Recording.Values = grid
		l := newLone(t, c)
		algorithm := &teller{script: script{signals: cc.Signals{Acks: true}}}
		qp := l.send(100*unit.KB, 0, algorithm)
		q := sending(l.n, 0)
		q.values = l.n.newValuesMeter(named, algorithm)
		if batcher != nil {
			q.batcher = batcher
		}
		for i := range 30 {
			l.ack(at(us+unit.Duration(i)*300*ns), qp, uint32(i))
		}
		l.run(at(20 * us))
		values := l.n.SenderOver(qp, at(12*us)).Values
		if values == nil {
			return "none"
		}
		text := fmt.Sprint(values.List[0].Name, " ", values.Width, ":")
		for bin := range 12 {
			v, _ := values.List[0].At(bin)
			text += fmt.Sprint(" ", v)
		}
		return text
	}
	grid, named := record.Grid{Width: us}, cc.Value{Name: "events", Unit: "packets"}
	want := "events 1us: 1 5 8 11 15 18 21 25 28 31 31 31"
	batcher := &telling{together: together{limit: 100 * unit.Gbps}}
	for name, got := range map[string]string{
		"at once":    play(0, grid, nil, named),
		"delayed":    play(3*us, grid, nil, named),
		"in batches": play(3*us, grid, batcher, named),
	} {
		t.Run(name, func(t *testing.T) {
			if got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		})
	}
	if batcher.largest < 4 || batcher.asked < 6 {
		t.Errorf("batches of up to %d steps asked %d times", batcher.largest, batcher.asked)
	}
	if got := []string{play(0, grid, nil), play(0, record.Grid{}, nil, named)}; !reflect.DeepEqual(got,
		[]string{"none", "none"}) {
		t.Error(got)
	}
}
