//go:build linux && !mem

package process

import (
	"context"
	"errors"
	"os"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/process/control"
)

// protocolVersion is the version of the ring and of package control; a change that an
// older plugin would misread counts it up.
const protocolVersion = 3

// handshake is what host and plugin must have in common. The cookie keeps a
// plugin from being taken for an ordinary program; it is no secret.
var handshake = plugin.HandshakeConfig{
	ProtocolVersion:  protocolVersion,
	MagicCookieKey:   "ROCELAB_PLUGIN",
	MagicCookieValue: "congestion-control",
}

// serviceName is the one thing that a plugin offers.
const serviceName = "algorithm"

// service registers package control with go-plugin, at either end.
type service struct {
	plugin.NetRPCUnsupportedPlugin
	server control.AlgorithmServer // nil at the host
}

// GRPCServer implements plugin.GRPCPlugin.
func (s *service) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	control.RegisterAlgorithmServer(server, s.server)
	return nil
}

// GRPCClient implements plugin.GRPCPlugin.
func (s *service) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return control.NewAlgorithmClient(conn), nil
}

// controlServer answers the host's questions.
type controlServer struct {
	control.UnimplementedAlgorithmServer
	algorithm cc.Algorithm
	worker    *worker
	// stderr is the program's own.
	stderr *os.File
}

// Describe implements control.AlgorithmServer. It is the host's first call, and
// so undoes what go-plugin's Serve has done to stdout and stderr: to send them
// through gRPC, where the last output before a crash is lost.
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
		Layout:       layoutDigest(),
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
	params, err := cc.ParseParams(d, configuration.Given)
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
	signalFields.put(&asked, configured)
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

// configuration is what a program is configured with. One that takes a stream is
// spared the reading of units.
func (p *Plugin) configuration(params cc.Params) (*control.Configuration, error) {
	made := &control.Configuration{Given: params.Written()}
	if _, streaming := p.link.carrier.(*stream); !streaming {
		return made, nil
	}
	complete, err := cc.ParseParams(p.description, params.Written())
	if err != nil {
		return nil, err
	}
	for _, param := range p.description.Params {
		if param.Default == "" && !complete.Given(param.Name) {
			continue
		}
		value := &control.Value{Name: param.Name}
		switch param.Kind {
		case cc.KindDuration:
			value.Value = &control.Value_Whole{Whole: int64(complete.Duration(param.Name))}
		case cc.KindRate:
			value.Value = &control.Value_Whole{Whole: int64(complete.Rate(param.Name))}
		case cc.KindBytes:
			value.Value = &control.Value_Whole{Whole: int64(complete.Bytes(param.Name))}
		case cc.KindNumber:
			value.Value = &control.Value_Number{Number: complete.Number(param.Name)}
		case cc.KindChoice:
			value.Value = &control.Value_Word{Word: complete.Choice(param.Name)}
		case cc.KindSwitch:
			value.Value = &control.Value_On{On: complete.Switch(param.Name)}
		}
		made.Values = append(made.Values, value)
	}
	return made, nil
}

// signals is the host's reading of what a controller needs.
func signals(configured *control.Configured) (asked cc.Signals) {
	signalFields.take(configured, &asked) // refuses own extensions alone, and there is none
	return asked
}
