package result

import "testing"

// stop lets s0:0 send h0 a pause and a resume of class 3, which h0 receives.
func stop(o *Outcome) {
	s, h := o.Switches[0].Ports[0].Classes.Of(3), o.NICs[0].Classes.Of(3)
	s.SentXOFF, s.SentXON, h.ReceivedXOFF, h.ReceivedXON = s.SentXOFF+1, s.SentXON+1, h.ReceivedXOFF+1, h.ReceivedXON+1
}

// miss lets h0 miss a pause that it was sent.
func miss(o *Outcome) { o.NICs[0].Classes.Of(3).ReceivedXOFF-- }

// Every pause and every resume that was sent arrived, was lost on its link or
// is still on it; a verdict that misses one names link and class.
func TestPausesAreAccountedFor(t *testing.T) {
	for _, c := range []struct {
		name   string
		spoil  func(o *Outcome)
		status Status
		words  string
	}{
		{"received", func(*Outcome) {}, Pass, ""},
		{"one missing", miss, Red,
			"link s0:0 to h0:0, class 3: sent 1 XOFF, but 0 received, 0 lost and 0 in flight"},
		{"a resume missing", func(o *Outcome) { o.NICs[0].Classes.Of(3).ReceivedXON-- }, Red,
			"link s0:0 to h0:0, class 3: sent 1 XON, but 0 received, 0 lost and 0 in flight"},
		{"one from nowhere", func(o *Outcome) { o.Switches[0].Ports[1].Classes.Of(4).ReceivedXOFF++ }, Red,
			"link h1:0 to s0:1, class 4: sent 0 XOFF, but 1 received, 0 lost and 0 in flight"},
		{"taken for another class", func(o *Outcome) { miss(o); o.NICs[0].Classes.Of(2).ReceivedXOFF++ }, Red,
			"link s0:0 to h0:0, class 2: sent 0 XOFF, but 1 received"},
		{"taken for a resume", func(o *Outcome) { miss(o); o.NICs[0].Classes.Of(3).ReceivedXON++ }, Red,
			"link s0:0 to h0:0, class 3: sent 1 XON, but 2 received"},
		{"taken by another host", func(o *Outcome) { miss(o); o.NICs[1].Classes.Of(3).ReceivedXOFF++ }, Red,
			"link s0:1 to h1:0, class 3: sent 0 XOFF, but 1 received"},
		{"lost on the link", func(o *Outcome) { miss(o); o.NICs[0].PausesLost.Own().XOFF[3]++ }, Pass, ""},
		{"still on its way", func(o *Outcome) { miss(o); o.InFlight[1].Pauses.XOFF[3]++ }, Pass, ""},
		{"on the wrong way", func(o *Outcome) { miss(o); o.InFlight[0].Pauses.XOFF[3]++ }, Red, "link s0:0 to h0:0"},
		{"received and lost", func(o *Outcome) { o.NICs[0].PausesLost.Own().XOFF[3]++ }, Red,
			"sent 1 XOFF, but 1 received, 1 lost"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := star()
			stop(o)
			c.spoil(o)
			expectVerdict(t, o, c.status, c.words)
		})
	}
}

// expectVerdict expects a status and, unless words is empty, a finding on conservation that contains it.
func expectVerdict(t *testing.T, o *Outcome, status Status, words string) {
	t.Helper()
	v := judge(o)
	if v.Status != status {
		t.Errorf("status %v, want %v: %+v", v.Status, status, v.Findings)
	}
	if words != "" {
		expectFinding(t, v, status, Conservation, words)
	}
}

// A long-haul path carries pauses: the links on both sides are checked, and
// what goes on inside.
func TestPausesOfALongHaul(t *testing.T) {
	keep := func(o *Outcome) { // what came in does not leave
		miss(o)
		o.WANs[0].Ports[0].PausesOut.Own().XOFF[3]--
	}
	for _, c := range []struct {
		name   string
		spoil  func(o *Outcome)
		status Status
		words  string
	}{
		{"carried", func(*Outcome) {}, Pass, ""},
		{"missing before", func(o *Outcome) { o.Switches[0].Ports[0].Classes.Of(3).SentXOFF++ }, Red,
			"link s0:0 to wan0:1, class 3: sent 2 XOFF, but 1 received"},
		{"missing behind", miss, Red, "link wan0:0 to h0:0, class 3: sent 1 XOFF, but 0 received"},
		{"lost in it", func(o *Outcome) {
			keep(o)
			o.WANs[0].Ports[1].PausesIn.Own().XOFF[3]--
			o.WANs[0].Ports[1].PausesLost.Own().XOFF[3]++
		}, Pass, ""},
		{"inside", func(o *Outcome) { keep(o); o.WANs[0].InTransit[1].Pauses.XOFF[3]++ }, Pass, ""},
		{"forgotten in it", keep, Red, "wan0: PFC frames received at port 1 say 1 XOFF and 0 XON, " +
			"but those sent on say 0 XOFF and 0 XON and those inside 0 XOFF and 0 XON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := far()
			o.Switches[0].Ports[0].Classes.Of(3).SentXOFF++ // s0:0 pauses h0 through the path
			o.WANs[0].Ports[1].PausesIn.Own().XOFF[3]++
			o.WANs[0].Ports[0].PausesOut.Own().XOFF[3]++
			o.NICs[0].Classes.Of(3).ReceivedXOFF++
			c.spoil(o)
			expectVerdict(t, o, c.status, c.words)
		})
	}
}
