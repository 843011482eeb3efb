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
	calls  int
	// answer and feedback are the answers to the call before.
	answer   cc.Decision
	feedback cc.Feedback
	// values are those after the call before.
	values [cc.MostValues]Value
}

var _ Sink = (*Writer)(nil)

// NewWriter begins a log on a writer. Flush returns the first error of writing it.
func NewWriter(to io.Writer, header Header) *Writer {
	buffered := bufio.NewWriterSize(to, 1<<16)
	writer := &Writer{
		to:     buffered,
		lines:  json.NewEncoder(buffered),
		header: header,
		answer: initialDecision(&header.Facts),
	}
	writer.lines.SetEscapeHTML(false)
	facts := &header.Facts
	line := headerLine{
		Format:    formatVersion,
		Flow:      header.Flow,
		Name:      header.Name,
		End:       header.End.String(),
		Algorithm: header.Algorithm,
		Version:   header.Version,
		Params:    header.Params,
		Signals:   header.Signals,
		Values:    linesOfValues(header.Values),
		Facts: factsLine{
			LineRate:    facts.LineRate,
			MTU:         facts.MTU,
			PacketBytes: facts.PacketBytes,
			BaseRTT:     facts.BaseRTT,
			Baseline:    facts.Baseline,
			Hops:        facts.Hops,
			Size:        facts.Size,
		},
	}
	if line.Params == nil {
		line.Params = map[string]string{}
	}
	if facts.Group != (cc.Group{}) {
		line.Facts.Group = lineOfGroup(facts.Group)
	}
	if header.Chance != [4]uint64{} {
		line.Facts.Chance = formatHex(header.Chance[:])
	}
	writer.line(line)
	return writer
}

func (w *Writer) line(value any) {
	if w.err == nil {
		w.err = w.lines.Encode(value)
	}
}

// Step implements Sink.
func (w *Writer) Step(step *Step) {
	w.calls++
	event := &step.Event
	out := strconv.AppendInt(append(w.buffer[:0], `{"n":`...), int64(w.calls), 10)
	out = strconv.AppendInt(append(out, `,"t_ps":`...), int64(event.Now), 10)
	out = append(append(append(out, `,"event":"`...), event.Kind.String()...), '"')
	out = appendFields(out, contract.Event, event)
	if step.Before != decisionBefore(w.answer, w.header.Facts.LineRate, event.Kind) {
		out = appendObject(out, "before", contract.Decision, &step.Before)
	}
	if step.After != step.Before {
		out = appendObject(out, "decision", contract.Decision, &step.After)
	}
	out = appendValues(out, w.header.Values, &w.values, &step.Values)
	w.answer, w.values = step.After, step.Values
	w.end(out)
}

// Reception implements Sink.
func (w *Writer) Reception(reception *Reception) {
	w.calls++
	if reception.IsGroup {
		w.line(groupCallLine{N: w.calls, Group: lineOfGroup(reception.Group)})
		return
	}
	out := strconv.AppendInt(append(w.buffer[:0], `{"n":`...), int64(w.calls), 10)
	if now := int64(reception.Arrival.Now); now != 0 {
		out = strconv.AppendInt(append(out, `,"t_ps":`...), now, 10)
	}
	out = appendObject(out, "data", contract.Arrival, &reception.Arrival)
	if reception.Before != w.feedback {
		out = appendObject(out, "before", contract.Feedback, &reception.Before)
	}
	if reception.After != reception.Before {
		out = appendObject(out, "feedback", contract.Feedback, &reception.After)
	}
	w.feedback = reception.After
	w.end(out)
}

// end ends a line and writes it.
func (w *Writer) end(out []byte) {
	w.buffer = append(out, '}', '\n')
	if w.err == nil {
		_, w.err = w.to.Write(w.buffer)
	}
}

// Flush writes what is still buffered and returns the first error since the beginning.
func (w *Writer) Flush() error {
	if w.err != nil {
		return w.err
	}
	return w.to.Flush()
}
