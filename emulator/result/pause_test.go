package result

import "testing"

// stop lets s0:0 send h0 a pause and a resume of class 3, which h0 receives.
func stop(o *Outcome) {
	s, h := &o.Switches[0].Ports[0].Class[3], &o.NICs[0].Class[3]
	s.SentXOFF, s.SentXON, h.ReceivedXOFF, h.ReceivedXON = s.SentXOFF+1, s.SentXON+1, h.ReceivedXOFF+1, h.ReceivedXON+1
}

// Every pause and every resume that was sent arrived, was lost on its link or
// is still on it; a verdict that misses one names link and class.
func TestPausesAreAccountedFor(t *testing.T) {
	for name, c := range map[string]struct {
		spoil  func(o *Outcome)
		status Status
		words  string
	}{
		"received": {func(*Outcome) {}, Pass, ""},
		"one missing": {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF-- }, Red,
			"link s0:0 to h0:0, class 3: sent 1 XOFF, but 0 received, 0 lost and 0 in flight"},
		"a resume missing": {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXON-- }, Red,
			"link s0:0 to h0:0, class 3: sent 1 XON, but 0 received, 0 lost and 0 in flight"},
		"one from nowhere": {func(o *Outcome) { o.Switches[0].Ports[1].Class[4].ReceivedXOFF++ }, Red,
			"link h1:0 to s0:1, class 4: sent 0 XOFF, but 1 received, 0 lost and 0 in flight"},
		"taken for another class": {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF--; o.NICs[0].Class[2].ReceivedXOFF++ }, Red,
			"link s0:0 to h0:0, class 2: sent 0 XOFF, but 1 received"},
		"taken for a resume": {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF--; o.NICs[0].Class[3].ReceivedXON++ }, Red,
			"link s0:0 to h0:0, class 3: sent 1 XON, but 2 received"},
		"taken by another host": {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF--; o.NICs[1].Class[3].ReceivedXOFF++ }, Red,
			"link s0:1 to h1:0, class 3: sent 0 XOFF, but 1 received"},
		"lost on the link":    {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF--; o.NICs[0].PausesLost.XOFF[3]++ }, Pass, ""},
		"still on its way":    {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF--; o.InFlight[1].Pauses.XOFF[3]++ }, Pass, ""},
		"on the wrong way":    {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF--; o.InFlight[0].Pauses.XOFF[3]++ }, Red, "link s0:0 to h0:0"},
		"both in one and all": {func(o *Outcome) { o.NICs[0].PausesLost.XOFF[3]++ }, Red, "sent 1 XOFF, but 1 received, 1 lost"},
	} {
		t.Run(name, func(t *testing.T) {
			o := star()
			stop(o)
			c.spoil(o)
			v := judge(o)
			if v.Status != c.status {
				t.Errorf("status %v, want %v: %+v", v.Status, c.status, v.Findings)
			}
			if c.words != "" {
				expectFinding(t, v, c.status, Conservation, c.words)
			}
		})
	}
}

// A long-haul path carries pauses: the links on both sides are checked, and
// what goes on inside.
func TestPausesOfALongHaul(t *testing.T) {
	carry := func(o *Outcome) { // s0:0 pauses h0 through the path
		o.Switches[0].Ports[0].Class[3].SentXOFF++
		o.WANs[0].Ports[1].PausesIn.XOFF[3]++
		o.WANs[0].Ports[0].PausesOut.XOFF[3]++
		o.NICs[0].Class[3].ReceivedXOFF++
	}
	for name, c := range map[string]struct {
		spoil  func(o *Outcome)
		status Status
		words  string
	}{
		"carried":        {func(*Outcome) {}, Pass, ""},
		"missing before": {func(o *Outcome) { o.Switches[0].Ports[0].Class[3].SentXOFF++ }, Red, "link s0:0 to wan0:1, class 3: sent 2 XOFF, but 1 received"},
		"missing behind": {func(o *Outcome) { o.NICs[0].Class[3].ReceivedXOFF-- }, Red, "link wan0:0 to h0:0, class 3: sent 1 XOFF, but 0 received"},
		"lost in it": {func(o *Outcome) {
			o.NICs[0].Class[3].ReceivedXOFF--
			o.WANs[0].Ports[0].PausesOut.XOFF[3]--
			o.WANs[0].Ports[1].PausesIn.XOFF[3]--
			o.WANs[0].Ports[1].PausesLost.XOFF[3]++
		}, Pass, ""},
		"inside": {func(o *Outcome) {
			o.NICs[0].Class[3].ReceivedXOFF--
			o.WANs[0].Ports[0].PausesOut.XOFF[3]--
			o.WANs[0].Held[1].Pauses.XOFF[3]++
		}, Pass, ""},
		"forgotten in it": {func(o *Outcome) {
			o.NICs[0].Class[3].ReceivedXOFF--
			o.WANs[0].Ports[0].PausesOut.XOFF[3]--
		}, Red, "wan0: PFC frames received at port 1 say 1 XOFF and 0 XON, but those sent on say 0 XOFF and 0 XON and those inside 0 XOFF and 0 XON"},
	} {
		t.Run(name, func(t *testing.T) {
			o := far()
			carry(o)
			c.spoil(o)
			v := judge(o)
			if v.Status != c.status {
				t.Errorf("status %v, want %v: %+v", v.Status, c.status, v.Findings)
			}
			if c.words != "" {
				expectFinding(t, v, c.status, Conservation, c.words)
			}
		})
	}
}
