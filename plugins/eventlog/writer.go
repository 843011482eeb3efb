package eventlog

import (
	"bufio"
	"encoding/json"
	"io"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Writer writes a log as JSON lines.
type Writer struct {
	to     *bufio.Writer
	lines  *json.Encoder
	err    error
	header Header
	n      int
	// answer and feedback are those of the call before.
	answer   cc.Decision
	feedback cc.Feedback
}

var _ Sink = (*Writer)(nil)

// NewWriter begins a log on w. What goes wrong is told by Flush.
func NewWriter(w io.Writer, h Header) *Writer {
	b := bufio.NewWriterSize(w, 1<<16)
	t := &Writer{to: b, lines: json.NewEncoder(b), header: h, answer: initial(&h.Facts)}
	t.lines.SetEscapeHTML(false)
	f := &h.Facts
	line := headerLine{Format: formatVersion, Flow: h.Flow, Name: h.Name, End: h.End.String(), Algorithm: h.Algorithm, Version: h.Version,
		Params: h.Params, Signals: h.Signals, Facts: factsLine{LineRate: f.LineRate, MTU: f.MTU, PacketBytes: f.PacketBytes,
			BaseRTT: f.BaseRTT, Baseline: f.Baseline, Hops: f.Hops, Size: f.Size}}
	if line.Params == nil {
		line.Params = map[string]string{}
	}
	if f.Group != (cc.Group{}) {
		line.Facts.Group = lineOfGroup(f.Group)
	}
	if h.Chance != [4]uint64{} {
		line.Facts.Chance = hexWords(h.Chance[:])
	}
	t.line(line)
	return t
}

func (w *Writer) line(v any) {
	if w.err == nil {
		w.err = w.lines.Encode(v)
	}
}

// Step implements Sink.
func (w *Writer) Step(s *Step) {
	w.n++
	e := &s.Event
	line := stepLine{N: w.n, Now: e.Now, Event: e.Kind.String(), CE: e.CE, Flows: e.Flows, Clock: e.Clock, Acked: e.Acked, Inflight: e.Inflight, Sent: e.Sent,
		RTT: e.RTT, OneWayDelay: e.OneWayDelay, Echo: e.Echo, BaseRate: e.BaseRate, RemoteDelay: e.RemoteDelay,
		INT: lineOfStack(&e.INT), Own: own(&e.Own)}
	if s.Before != standing(w.answer, w.header.Facts.LineRate, e.Kind) {
		line.Before = lineOfDecision(&s.Before)
	}
	if s.After != s.Before {
		line.Decision = lineOfDecision(&s.After)
	}
	w.answer = s.After
	w.line(line)
}

// Reception implements Sink.
func (w *Writer) Reception(r *Reception) {
	w.n++
	if r.Told {
		w.line(receptionLine{N: w.n, Group: lineOfGroup(r.Group)})
		return
	}
	a := &r.Arrival
	line := receptionLine{N: w.n, Now: a.Now, Data: &dataLine{a.Clock, a.TxTime, a.Baseline, a.Bytes, a.Active, own(&a.Own), a.CE, a.Last, a.Resent}}
	if r.Before != w.feedback {
		line.Before = lineOfFeedback(&r.Before)
	}
	if r.After != r.Before {
		line.Feedback = lineOfFeedback(&r.After)
	}
	w.feedback = r.After
	w.line(line)
}

// Flush writes what is still held back and returns what went wrong first, since
// the beginning.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	return w.to.Flush()
}
