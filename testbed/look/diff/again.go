package diff

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/internal/crash"
	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/testbed/mem"
)

// Again is a run of a run folder that can be made again.
type Again struct {
	// Title names the run, Folder is where its files are.
	Title, Folder string
	Plan          *plan.Plan
	Options       mem.Options

	closing []func() error
}

// AtEnd has something closed when the run is.
func (m *Again) AtEnd(end func() error) { m.closing = append(m.closing, end) }

// SearchPair looks for the first frame that differs between two runs, which begin makes again over a span: the first is
// of side A.
func (r *Report) SearchPair(ctx context.Context, pair *PairReport, again [2]*Again,
	begin func(ctx context.Context, side int, span Span) (*Half, error)) (*Outcome, error) {
	if reason := otherWork(again[0].Plan, again[1].Plan); reason != "" {
		return &Outcome{Reason: reason}, nil
	}
	span := spanOf(pair.Parting)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var halves [2]*Half
	for i := range again {
		var err error
		if halves[i], err = begin(ctx, i, span); err != nil {
			return nil, fmt.Errorf("%s: %w", again[i].Title, err)
		}
	}
	first, err := Search(halves[0], halves[1], span, Order(again[0].Plan))
	if err != nil {
		return nil, err
	}
	return r.Found(pair, first, halves)
}

// Begin makes the run again, in this process.
func (m *Again) Begin(ctx context.Context, span Span) (*Half, error) {
	questions, asked := io.Pipe()
	answered, answers := io.Pipe()
	ended := make(chan struct{})
	go func() {
		defer crash.Guard()()
		defer close(ended)
		err := Serve(ctx, m.Plan, m.Options, span, questions, answers)
		questions.CloseWithError(err)
		answers.CloseWithError(err)
	}()
	stop := context.AfterFunc(ctx, func() { // nobody waits for the other any more
		asked.CloseWithError(context.Canceled)
		answered.CloseWithError(context.Canceled)
	})
	m.closing = append(m.closing, func() error {
		stop()
		asked.Close()
		answered.Close()
		<-ended
		return nil
	})
	return Ask(asked, answered)
}

// Close ends the run and what it was made with.
func (m *Again) Close() (err error) {
	for _, end := range slices.Backward(m.closing) {
		err = errors.Join(err, end())
	}
	m.closing = nil
	return err
}

// BeginWith makes the run again in another rocelab, the program, which is told flags beside those of the span; what it
// prints on stderr goes there.
func (m *Again) BeginWith(ctx context.Context, program string, flags []string, stderr io.Writer, span Span) (
	*Half, error) {
	decimal := func(ps int64) string { return strconv.FormatInt(ps, 10) }
	args := []string{"diff-half", "--from", decimal(int64(span.From)), "--to", decimal(int64(span.To)), "--width",
		decimal(int64(span.Width))}
	other := exec.CommandContext(ctx, program, slices.Concat(args, flags, []string{"--", m.Folder})...)
	other.Stderr = stderr
	asked, err := other.StdinPipe()
	if err != nil {
		return nil, exit.Host(err)
	}
	answered, err := other.StdoutPipe()
	if err != nil {
		return nil, exit.Host(err)
	}
	if err := other.Start(); err != nil {
		return nil, exit.Host(err)
	}
	m.closing = append(m.closing, func() error {
		asked.Close() // it ends by itself when nothing can be asked any more
		answered.Close()
		_ = other.Wait() // what went wrong it has said
		return nil
	})
	half, err := Ask(asked, answered)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: does that version of rocelab have diff?", program, err)
	}
	return half, nil
}

// Captured makes the run again, and compares its frames at ports with those of a capture: the first that differs, nil
// if none does.
func (m *Again) Captured(ctx context.Context, capture string, ports []string) (*First, error) {
	file, err := os.Open(capture)
	if err != nil {
		return nil, exit.Host(err)
	}
	defer file.Close()
	ctx, stop := context.WithCancel(ctx)
	read, write := io.Pipe()
	ended := make(chan struct{})
	m.Options.Captures, m.Options.CaptureTo = ports, write
	go func() {
		defer crash.Guard()()
		defer close(ended)
		_, err := mem.Run(ctx, m.Plan, m.Options)
		write.CloseWithError(err)
	}()
	first, err := firstCaptured(read, file)
	stop()
	read.CloseWithError(context.Canceled)
	<-ended
	return first, err
}
