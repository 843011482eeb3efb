package eventlog

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/contract"
)

// Writer writes a log as JSON lines.
type Writer struct {
	to     *bufio.Writer
	lines  *json.Encoder
	buffer []byte // of the line under way
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
	line := headerLine{
		Format:    formatVersion,
		Flow:      h.Flow,
		Name:      h.Name,
		End:       h.End.String(),
		Algorithm: h.Algorithm,
		Version:   h.Version,
		Params:    h.Params,
		Signals:   h.Signals,
		Facts: factsLine{
			LineRate:    f.LineRate,
			MTU:         f.MTU,
			PacketBytes: f.PacketBytes,
			BaseRTT:     f.BaseRTT,
			Baseline:    f.Baseline,
			Hops:        f.Hops,
			Size:        f.Size,
		},
	}
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
	b := strconv.AppendInt(append(w.buffer[:0], `{"n":`...), int64(w.n), 10)
	b = strconv.AppendInt(append(b, `,"t_ps":`...), int64(e.Now), 10)
	b = append(append(append(b, `,"event":"`...), e.Kind.String()...), '"')
	b = appendFields(b, contract.Event, e)
	if s.Before != standing(w.answer, w.header.Facts.LineRate, e.Kind) {
		b = appendObject(b, "before", contract.Decision, &s.Before)
	}
	if s.After != s.Before {
		b = appendObject(b, "decision", contract.Decision, &s.After)
	}
	w.answer = s.After
	w.end(b)
}

// Reception implements Sink.
func (w *Writer) Reception(r *Reception) {
	w.n++
	if r.Told {
		w.line(groupCall{N: w.n, Group: lineOfGroup(r.Group)})
		return
	}
	b := strconv.AppendInt(append(w.buffer[:0], `{"n":`...), int64(w.n), 10)
	if now := int64(r.Arrival.Now); now != 0 {
		b = strconv.AppendInt(append(b, `,"t_ps":`...), now, 10)
	}
	b = appendObject(b, "data", contract.Arrival, &r.Arrival)
	if r.Before != w.feedback {
		b = appendObject(b, "before", contract.Feedback, &r.Before)
	}
	if r.After != r.Before {
		b = appendObject(b, "feedback", contract.Feedback, &r.After)
	}
	w.feedback = r.After
	w.end(b)
}

// end ends a line and writes it.
func (w *Writer) end(b []byte) {
	w.buffer = append(b, '}', '\n')
	if w.err == nil {
		_, w.err = w.to.Write(w.buffer)
	}
}

// Flush writes what is still held back and returns what went wrong first, since
// the beginning.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	return w.to.Flush()
}
