// Command local is DCQCN that notices its surroundings: its rate depends on the day, on the number of processors, on a
// variable of the environment or on an address, by its parameter.
package main

import (
	"os"
	"runtime"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/serve"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/dcqcn"
)

func main() { serve.Algorithm(algorithm{dcqcn.Algorithm{}}) }

type algorithm struct{ cc.Algorithm }

func (a algorithm) Describe() cc.Description {
	d := a.Algorithm.Describe()
	d.Name = "local"
	d.Params = append(d.Params, cc.Choice("by", "nothing").
		Of("nothing", "day", "processors", "environment", "addresses").Doc("what it notices").From("this test"))
	return d
}

func (a algorithm) New(p cc.Params) (cc.Controller, error) {
	c, err := a.Algorithm.New(p)
	return controller{c, p.Choice("by")}, err
}

// noticed is a small number that follows from where the program runs.
func noticed(by string) int {
	switch by {
	case "day":
		return int(time.Now().Month())
	case "processors":
		return runtime.NumCPU()
	case "environment":
		return len(os.Getenv("LOCAL"))
	case "addresses":
		page, err := unix.Mmap(-1, 0, 1<<30, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			panic(err)
		}
		// Chance moves it by less than 2 TB, the other layout by more than 64 TB.
		return int(uintptr(unsafe.Pointer(unsafe.SliceData(page))) >> 46)
	}
	return 0
}

type controller struct {
	cc.Controller
	by string
}

func (c controller) NewSender(f cc.Facts) cc.Sender {
	return sender{c.Controller.NewSender(f), unit.BitRate(noticed(c.by))}
}

type sender struct {
	cc.Sender
	less unit.BitRate
}

func (s sender) Handle(e *cc.Event, d *cc.Decision) {
	s.Sender.Handle(e, d)
	if e.Kind == cc.EventCNP {
		d.Rate = max(d.Rate-s.less, unit.Mbps)
	}
}
