package hpcc

import (
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// psPerByte is 8 bits x 1e12 ps: a rate in bit/s times ps over it is bytes.
const psPerByte = 8e12

// stale is the time between two ACKs from which on their records are not compared: the records' clocks wrap after 2^24
// ns, and half of that is left for the time between a stamp and its ACK.
const stale = 1 << 23 * unit.Nanosecond

// path is a sender's state of the links of its path: L, the newest record of each, and the time at which it came.
type path struct {
	last inband.Stack
	seen unit.Time
}

// link is the result of two successive records of a link.
type link struct {
	// u is u', the bytes in flight on the link over its bandwidth-delay product, tau the time between the records in
	// ps; 0 if they give nothing.
	u, tau float64
}

// follows reports whether the ACK's records can be compared with the ones before, and starts again if they cannot:
// always with the first ACK, before which there were no hops.
func (p *path) follows(event *cc.Event) bool {
	late := event.Now.Sub(p.seen) >= stale
	p.seen = event.Now
	if !late && samePath(&p.last, &event.INT) {
		return true
	}
	p.last = event.INT
	return false
}

// samePath compares what two stacks say of the path.
func samePath(a, b *inband.Stack) bool {
	if a.Hops != b.Hops || a.Max != b.Max || a.Path != b.Path {
		return false
	}
	for i, record := range a.Records() {
		if record.Rate() != b.Record[i].Rate() {
			return false
		}
	}
	return true
}

// measure takes the record of link i (Algorithm 1, lines 4, 5 and 7):
//
//	tau = ack.L[i].ts - L[i].ts
//	txRate = (ack.L[i].txBytes - L[i].txBytes) / tau
//	u' = min(ack.L[i].qlen, L[i].qlen) / (ack.L[i].B T) + txRate / ack.L[i].B
//
// and keeps it as L[i]. If tau is 0 the old one stays: the bytes sent since count in the next.
func (p *path) measure(hop int, record inband.Record, period float64) link {
	before := p.last.Record[hop]
	dt, sent := record.Since(before)
	if dt <= 0 {
		return link{}
	}
	p.last.Record[hop] = record
	tau, b := float64(dt), float64(record.Rate())
	txRate := float64(sent) * psPerByte / tau
	queue := float64(min(record.Queue(), before.Queue())) * psPerByte / (b * period)
	return link{queue + txRate/b, tau}
}

// mostLoaded measures every link and returns the one with the largest u'
// (Algorithm 1, lines 2, 3, 6 and 7).
func (p *path) mostLoaded(event *cc.Event, period float64) (most link) {
	for i, record := range event.INT.Records() {
		if l := p.measure(i, record, period); l.u > most.u || most.tau == 0 {
			most = l
		}
	}
	return most
}

// average is the moving mean of u' with the weight of the time it covers
// (Algorithm 1, lines 8 and 9):
//
//	tau = min(tau, T)
//	U = (1 - tau/T) U + tau/T u
func average(mean float64, link link, period float64) float64 {
	w := min(link.tau, period) / period
	return float64((1-w)*mean) + float64(w*link.u)
}
