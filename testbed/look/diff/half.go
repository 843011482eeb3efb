package diff

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/trace"
	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

// Span is the part of its run that a half keeps.
type Span struct {
	// From and To are its beginning and end, Width is the length of its chunks.
	From, To unit.Time
	Width    unit.Duration
}

// chunks is the number of chunks in a span. A run of ten million frames has some 40000 in a span.
const chunks = 64

// spanOf returns the span in which two runs part, with a chunk before it for the frames before the first.
func spanOf(p *parting) Span {
	width := max(p.To.Sub(p.From)/chunks, 1)
	return Span{From: max(p.From.Add(-width), 0), To: p.To, Width: width}
}

// question is a question to a half, a line of JSON.
type question struct {
	// Want is wantNext, wantTell, wantBefore or wantEnd.
	Want string `json:"want"`
	Node string `json:"node,omitempty"`
	Port int    `json:"port,omitempty"`
}

// What a half is asked for: to run to the end of the next chunk, what a node did in this one, what happened at a
// port before it, and to end.
const (
	wantNext   = "next"
	wantTell   = "tell"
	wantBefore = "before"
	wantEnd    = "end"
)

// answer is an answer of a half, a line of JSON.
type answer struct {
	// Error is the reason why it cannot go on.
	Error string `json:"error,omitempty"`
	// Build and Models are the program's, in the first answer, which comes unasked.
	Build  *build.Info `json:"build,omitempty"`
	Models int         `json:"models,omitempty"`
	// To is where the chunk ends, Over that the run did.
	To   unit.Time `json:"to,omitempty"`
	Over bool      `json:"over,omitempty"`
	// Sums are the hashes of what nodes did in the chunk.
	Sums map[string]trace.Hash `json:"sums,omitempty"`
	// Frames are the requested frames.
	Frames []Frame `json:"frames,omitempty"`
	// Instants are the instants of the run until it ended, the last answer.
	Instants []result.TraceAt `json:"instants,omitempty"`
}

// errEnded ends a run that needs no more queries.
var errEnded = errors.New("nothing more is asked")

// Serve runs a plan in memory and answers questions about it, until it is asked to end.
func Serve(ctx context.Context, p *plan.Plan, options mem.Options, span Span, from io.Reader, to io.Writer) error {
	if span.Width <= 0 || span.From < 0 || span.To < span.From {
		return fmt.Errorf("a span from %v to %v in chunks of %v: allowed are a beginning from 0 on, an end after it, and a "+
			"width above 0", span.From, span.To, span.Width)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	h := &half{questions: json.NewDecoder(from), answers: json.NewEncoder(to), names: map[string]int{}, plan: p}
	for n := range p.EachNode {
		h.names[n.Name] = int(n.ID)
	}
	info := build.Read()
	info.Modules = nil
	if err := h.answers.Encode(answer{Build: &info, Models: model.Version}); err != nil {
		return err
	}
	h.recorder = newRecorder(p, span, func() {
		if err := h.chunk(); err != nil {
			stop(err)
		}
	})
	if err := h.begin(); err != nil {
		return h.ended(err)
	}
	options.Watch = h.recorder
	out, err := mem.Run(ctx, p, options)
	if cause := context.Cause(ctx); err == nil && cause != nil && !errors.Is(cause, errEnded) {
		err = cause
	}
	if err != nil {
		return errors.Join(err, h.answers.Encode(answer{Error: err.Error()}))
	}
	if !h.over {
		h.recorder.end()
	}
	return h.answers.Encode(answer{Instants: out.Traces})
}

// half answers questions about a run under way.
type half struct {
	*recorder
	plan      *plan.Plan
	names     map[string]int
	questions *json.Decoder
	answers   *json.Encoder
	// gone is set once there are no more questions.
	gone bool
}

// begin waits until the first chunk is asked for.
func (h *half) begin() error {
	var q question
	if err := h.questions.Decode(&q); err != nil {
		return err
	}
	if q.Want != wantNext {
		return errEnded
	}
	return nil
}

// ended maps errEnded, of a half that was asked to end, to nil.
func (h *half) ended(err error) error {
	if errors.Is(err, errEnded) {
		return nil
	}
	return err
}

// chunk reports a chunk and answers until the next one is wanted.
func (h *half) chunk() error {
	if h.gone {
		return nil
	}
	say := answer{To: h.to, Over: h.recorder.over, Sums: map[string]trace.Hash{}}
	for node, sum := range h.sums() {
		say.Sums[h.plan.NodeName(plan.NodeID(node))] = sum
	}
	for {
		if err := h.answers.Encode(say); err != nil {
			return h.leave(err)
		}
		var q question
		if err := h.questions.Decode(&q); err != nil {
			return h.leave(err)
		}
		node, known := h.names[q.Node]
		switch {
		case q.Want == wantNext:
			return nil
		case q.Want == wantEnd:
			return h.leave(errEnded)
		case !known:
			say = answer{Error: fmt.Sprintf("there is no node %q: there are %d, such as %s", q.Node, len(h.names),
				slices.Sorted(maps.Keys(h.names))[0])}
		case q.Want == wantTell:
			say = answer{Frames: h.frames(h.of(node))}
		case q.Want == wantBefore:
			say = answer{Frames: h.frames(h.before(node, q.Port))}
		default:
			say = answer{Error: fmt.Sprintf("there is no source for %q", q.Want)}
		}
	}
}

func (h *half) leave(err error) error {
	h.gone = true
	return err
}

// frames returns records in the form of answers.
func (h *half) frames(list []record) (frames []Frame) {
	for i := range list {
		one := &list[i]
		frames = append(frames, Frame{
			At:      one.at,
			Node:    h.plan.NodeName(plan.NodeID(one.node)),
			Port:    one.port,
			Dropped: dropText(one),
			Bytes:   one.frame.AppendTo(nil),
		})
	}
	return frames
}

// dropText returns the reason why a frame was dropped, "" for one that was sent.
func dropText(r *record) string {
	if r.kind != trace.Dropped {
		return ""
	}
	return r.reason.String()
}
