package theory

import (
	"fmt"
	"math"
	"slices"

	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/specs/internal/lab"
)

// flowControl are the rows of PFC's arithmetic, and of bounds that pacing keeps.
var flowControl = slices.Concat(headroomRow, bufferRows, watchdogRow, pacingRows)

// The largest frame of a fabric on the wire, with all extensions, and a pause frame.
const (
	maxOnWire   = onWire + 40
	pauseOnWire = 84
)

// headroomNeed is the number of bytes on the wire that still arrive over a link of 100 Gb/s and 1 us after the frame
// that crosses the threshold: while a frame of our own delays the pause, while the pause is sent and both directions
// drain, and the frame that the peer had begun.
func headroomNeed(frame float64) float64 {
	return frame + (frame + pauseOnWire) + 2/us(1, 100) + frame
}

// headroomRow has eight senders at line rate onto one port; the ports back to them are kept busy with full frames, so
// that a pause may wait for one.
var headroomRow = []*row{{
	name:      "needs the headroom of 802.1Q at the fullest port",
	of:        "headroom, B of frames",
	source:    "IEEE 802.1Q, annex N, without interface delays",
	tolerance: 0.10,
	why:       "two frames less: not looked into",
	predicted: func() float64 { return headroomNeed(onWire) * frame / onWire },
	measured: func() float64 {
		run := simulate(`
name: headroom
algorithm: fixed
topology: {kind: star, hosts: 17}
switch: {ecn: {enabled: false}, buffer: 4MB}
traffic:
  - {name: burst, kind: incast, senders: h0..h7, receiver: h16}
  - {name: back, from: h8..h15, to: h0..h7}
run: {until: 2ms}
`)
		Expect(run.Summary.Drops).To(BeZero())
		most := unit.Bytes(0)
		for port := range 8 {
			most = max(most, run.Switches[0].Ports[port].Classes.At(3).HeadroomMax)
		}
		return float64(most)
	},
}}

// sharedLimit is the memory that n overloading ingresses of a switch hold together in bytes, once each has its dynamic
// threshold T = alpha (B' - n T) and its reserve of 4 KB (Choudhury and Hahne). B' is the buffer without headroom and
// reserve of each port.
func sharedLimit(buffer, n, alpha, ports float64) float64 {
	const reserve, response = 4000, 3840
	pool := buffer - ports*(headroomNeed(maxOnWire)+response+reserve)
	return n * (alpha*pool/(1+n*alpha) + reserve)
}

// bufferRows are 24 senders at line rate onto one port of a switch of 8 MB: what the switch holds, and how long a frame
// waits in a queue of that length.
var bufferRows = func() []*row {
	const senders, buffer = 24, 8e6
	run := func() *lab.Run {
		return simulate(fmt.Sprintf("name: buffer\nalgorithm: fixed\ntopology: {kind: star, hosts: %d}\n"+
			"switch: {ecn: {enabled: false}, buffer: 8MB}\ntraffic: [{kind: incast}]\nrun: {until: 5ms}\n", senders+1))
	}
	limit := func() float64 { return sharedLimit(buffer, senders, 0.125, senders+1) }
	return []*row{
		{
			name:      "keeps 24 senders at the dynamic threshold",
			of:        "median of the queue, B",
			source:    "Choudhury and Hahne, IEEE/ACM Trans. Netw. 6, 1998: alpha B' / (1 + n alpha) each",
			tolerance: 0.05,
			why:       "see misses",
			predicted: limit,
			measured: func() float64 {
				wait := run().Switches[0].Ports[senders].Queues.At(3).Wait.Quantile(0.5).Microseconds()
				return wait / us(onWire, 100) * frame
			},
		},
		{
			name:      "drains a switch in its buffer over its rate",
			of:        "largest wait, us",
			source:    "(threshold + headroom of all ingresses) / C",
			tolerance: 0.10,
			why:       "not all headrooms are full at once",
			predicted: func() float64 {
				return us((limit()+senders*headroomNeed(onWire)*frame/onWire)*onWire/frame, 100)
			},
			measured: func() float64 { return run().Switches[0].Ports[senders].Queues.At(3).Wait.Max().Microseconds() },
		},
	}
}()

// watchdogRow is the bound that keeps the watchdog off honest pauses: four times the time in which the slowest port
// drains the whole buffer.
var watchdogRow = []*row{{
	name:      "gives the watchdog four buffers of the slowest port",
	of:        "detect, ms",
	source:    "max(200 ms of SONiC, 4 buffer / rate): a pause outlasts no drained buffer of each hop",
	tolerance: 0.001,
	why:       "none",
	predicted: func() float64 { return math.Max(200, 4*us(1e9, 100)/1000) },
	measured: func() float64 {
		p := planOf("algorithm: fixed\ntopology: {kind: star, hosts: 3}\nswitch: {buffer: 1GB}\n" +
			"traffic: [{kind: incast, size: 1MB}]\n")
		return p.Switches[0].Profile.Watchdog.Detect.Seconds() * 1000
	},
}}

// pacingRows are bounds of a token bucket: a flow of 10 Gb/s sends no more than a packet beyond 10 Gb/s x t in any time
// t, and nine such flows that share a port leave a backlog of eight packets at most.
var pacingRows = func() []*row {
	const senders, gbps = 9, 10
	text := fmt.Sprintf("name: paced\nalgorithm: {name: fixed, params: {rate: %dGbps}}\n"+
		"topology: {kind: star, hosts: %d}\ntraffic: [{kind: incast, size: 200KB}]\n", gbps, senders+1)
	return []*row{
		{
			name:      "finds no burst above a packet in a paced flow",
			of:        "most bytes beyond rate x time, packets",
			source:    "Cruz, IEEE Trans. Inf. Theory 37, 1991: sigma of a (sigma, rho) flow",
			tolerance: 0.02,
			why:       "none: the first packet of a message has 16 B more",
			predicted: func() float64 { return float64(first) / onWire },
			measured: func() float64 {
				_, file := lab.Capture(planOf(text), lab.Options{}, "h0:0")
				bucket, last, most := 0.0, unit.Time(0), 0.0
				for _, f := range lab.Frames(file) {
					if f.Direction != pcapng.Outbound {
						continue
					}
					bucket = max(0, bucket-f.At.Sub(last).Microseconds()/us(1, gbps)) + float64(len(f.Bytes)+overhead)
					last, most = f.At, max(most, bucket)
				}
				return most / onWire
			},
		},
		{
			name:      "bounds the backlog of nine paced flows in step",
			of:        "largest wait, S",
			source:    "Cruz, FIFO multiplexer: the other flows' sigma",
			tolerance: 0.02,
			why:       "none",
			predicted: func() float64 { return (senders - 1) * float64(first) / onWire },
			measured: func() float64 {
				p := planOf(text)
				for i := range p.Flows {
					p.Flows[i].Start = unit.Time(unit.Microsecond)
				}
				wait := lab.Do(p, lab.Options{}).Switches[0].Ports[senders].Queues.At(3).Wait
				return wait.Max().Microseconds() / us(onWire, 100)
			},
		},
	}
}()
