//go:build linux && !mem

package serve

import (
	"context"
	"errors"
	"os"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// controlServer answers the host's questions.
type controlServer struct {
	control.UnimplementedAlgorithmServer
	algorithm cc.Algorithm
	worker    *worker
	// stderr is the program's own.
	stderr *os.File
}

// Describe implements control.AlgorithmServer. It is the host's first call, and so undoes the change that go-plugin's
// Serve makes to stdout and stderr: to send them through gRPC, which loses the last output before a crash.
func (s *controlServer) Describe(context.Context, *control.DescribeRequest) (*control.Description, error) {
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	os.Stdout, os.Stderr = s.stderr, s.stderr
	d := s.algorithm.Describe()
	out := &control.Description{
		Name:         d.Name,
		Version:      d.Version,
		Summary:      d.Summary,
		Source:       d.Source,
		Layout:       ring.Digest(),
		Uncontrolled: d.Uncontrolled,
		Recovery:     int64(d.Recovery),
	}
	for _, p := range d.Params {
		out.Params = append(out.Params, &control.Param{
			Name:    p.Name,
			Kind:    uint32(p.Kind),
			Default: p.Default,
			Min:     p.Min,
			Max:     p.Max,
			Choices: p.Choices,
			Doc:     p.Doc,
			Source:  p.Source,
			File:    p.File,
		})
	}
	for _, v := range d.Values {
		out.Values = append(out.Values, &control.NamedValue{Name: v.Name, Unit: v.Unit, Doc: v.Doc})
	}
	return out, nil
}

// Configure implements control.AlgorithmServer. What the author's New refuses
// is an answer, not a failure of the call.
func (s *controlServer) Configure(
	_ context.Context, configuration *control.Configuration,
) (*control.Controller, error) {
	s.worker.mu.Lock()
	defer s.worker.mu.Unlock()
	d := s.algorithm.Describe()
	s.worker.values = min(len(d.Values), cc.MostValues)
	params, err := hosting.Parse(d, configuration.Given)
	if err != nil {
		return refusal(err), nil
	}
	controller, err := s.algorithm.New(params)
	if err != nil {
		return refusal(err), nil
	}
	if controller == nil {
		return nil, status.Error(codes.Internal, "New returned neither a controller nor an error")
	}
	s.worker.controllers = append(s.worker.controllers, controller)
	asked := controller.Signals()
	configured := &control.Configured{Number: uint32(len(s.worker.controllers) - 1)}
	control.SignalFields.Put(&asked, configured)
	answer := &control.Controller{Outcome: &control.Controller_Configured{Configured: configured}}
	if resolving, ok := controller.(cc.Resolving); ok {
		answer.Resolved = resolving.Resolved()
	}
	return answer, nil
}

func refusal(err error) *control.Controller {
	r := &control.Refusal{Problem: err.Error()}
	var wrong *cc.ParamError
	if errors.As(err, &wrong) {
		r.Param, r.Problem = wrong.Param, wrong.Problem
	}
	return &control.Controller{Outcome: &control.Controller_Refusal{Refusal: r}}
}
