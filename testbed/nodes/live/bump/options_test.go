package bump

import (
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

func options() Options {
	o := Default()
	o.Interfaces = [2]string{"eth1", "eth2"}
	o.Length = 120 * unit.Kilometre
	return o
}

// The plan has the requested settings in the places that matter.
func TestOptionsBecomeAPlan(t *testing.T) {
	o := options()
	o.Kmin, o.Kmax, o.Jitter, o.MTU = 150*unit.KB, 450*unit.KB, 20*unit.Microsecond, 9000
	o.Burst = &profile.WANLoss{Enter: 1e-5, Leave: 0.1, Bad: 1}
	o.Until = unit.Time(unit.Second)
	p, err := o.Plan()
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range p.Edges() {
		if e := p.EdgeAt(at); e.Interface != o.Interfaces[i] || e.MTU != 9000 {
			t.Errorf("edge %d is %+v", i, e)
		}
	}
	phase := p.WANs[0].Profile.Phases[0]
	if phase.Delay[0] != 600*unit.Microsecond || phase.Jitter != o.Jitter || phase.Loss != *o.Burst {
		t.Errorf("the long haul is %+v", phase)
	}
	for _, s := range p.Switches {
		dci := s.Profile.DCI
		if !s.Profile.ECN[0].Enabled || dci.ECN.Kmin != o.Kmin || dci.ECN.Kmax != o.Kmax || dci.Buffer != o.Buffer ||
			s.Profile.PFC.Enabled || s.Profile.ClassOf != [64]uint8{} || s.Profile.DropNotECT {
			t.Errorf("switch %s is %+v", s.Name, s.Profile)
		}
	}
	if p.Until != o.Until || p.Lookahead() != 50*unit.Microsecond {
		t.Errorf("it ends at %v, with windows of %v", p.Until, p.Lookahead())
	}
}

func TestOptionsThatCannotBeAreRefused(t *testing.T) {
	for want, change := range map[string]func(*Options){
		"dilation 0":    func(o *Options) { o.Dilation = 0 },
		"loss":          func(o *Options) { o.Loss = 1.5 },
		"kmin":          func(o *Options) { o.Kmin, o.Kmax = 2*unit.MB, unit.MB },
		"length":        func(o *Options) { o.Length = 0 },
		"largest frame": func(o *Options) { o.Length = 100 * unit.Metre },
		"rate":          func(o *Options) { o.Rate = 0 },
	} {
		o := options()
		change(&o)
		_, err := o.Plan()
		if err == nil || !strings.Contains(err.Error(), want) || strings.HasPrefix(err.Error(), "wire:") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// A frame crosses the five nodes in the time that the options say, in both directions, with
// the bytes that it had; so does one that a bridge would keep.
func TestAFrameCrossesInItsTime(t *testing.T) {
	o := options()
	p, err := o.Plan()
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNetwork(p)
	if err != nil {
		t.Fatal(err)
	}
	type crossing struct {
		due   unit.Time
		bytes string
	}
	var crossed [2][]crossing
	for i, e := range n.edges {
		e.Outward = func(due unit.Time, f *wire.Frame) {
			crossed[i] = append(crossed[i], crossing{due, string(f.AppendTo(nil))})
		}
	}
	lldp := make([]byte, 200)
	copy(lldp, []byte{0x01, 0x80, 0xC2, 0, 0, 0x0E, 2, 0, 0, 0, 0, 1, 0x88, 0xCC})
	for i, e := range n.edges {
		f := n.out.New()
		f.SetOpaque(lldp)
		at := e.Inject(unit.Time(i)*unit.Time(unit.Millisecond), 0, f)
		n.next[n.place[i]] = min(n.next[n.place[i]], at)
	}
	for at := n.earliest(); at != unit.Never; at = n.earliest() {
		n.run(at.Add(n.lookahead))
	}
	// 224 B: twice at 10 Gb/s, once at 1 Gb/s: a wire does not store and forward.
	const serial = 2*179200*unit.Picosecond + 1792*unit.Nanosecond
	for i := range crossed {
		sent := unit.Time(1-i) * unit.Time(unit.Millisecond)
		want := crossing{sent.Add(800*unit.Microsecond + serial), string(lldp)}
		if len(crossed[i]) != 1 || crossed[i][0] != want {
			t.Errorf("at edge %d: %v, want %v", i, crossed[i], want)
		}
	}
	for _, s := range n.switches {
		for port, r := range s.Records(unit.Time(unit.Second)) {
			if len(r.Drops) > 0 {
				t.Errorf("port %d dropped %v", port, r.Drops)
			}
		}
	}
}
