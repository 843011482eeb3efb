// Command babbling is a plugin on a stream that makes ends of flows and then
// answers nonsense, of the kind that its parameter names.
package main

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/rocelab/rocelab/plugins/cc/control"
)

type babbler struct {
	plugin.NetRPCUnsupportedPlugin
	control.UnimplementedAlgorithmServer
	kind string
}

func (b *babbler) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	control.RegisterAlgorithmServer(g, b)
	return nil
}

func (b *babbler) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

func (b *babbler) Describe(context.Context, *control.DescribeRequest) (*control.Description, error) {
	return &control.Description{Name: "babbling", Version: "1.0.0", Stream: true, Params: []*control.Param{
		{Name: "kind", Kind: 4, Default: "none", Choices: []string{"none", "many", "other", "end"}}}}, nil
}

func (b *babbler) Configure(_ context.Context, c *control.Configuration) (*control.Controller, error) {
	b.kind = c.Values[0].GetWord()
	return &control.Controller{Outcome: &control.Controller_Configured{Configured: &control.Configured{}}}, nil
}

func (b *babbler) Converse(s grpc.BidiStreamingServer[control.Batch, control.Answers]) error {
	made := uint32(0)
	decision := func(rate int64) *control.Answer {
		return &control.Answer{Answer: &control.Answer_Decision{Decision: &control.Decision{Rate: rate}}}
	}
	for {
		batch, err := s.Recv()
		if err != nil {
			return err
		}
		if batch.Messages[0].GetMakeSender() != nil {
			s.Send(&control.Answers{Answers: []*control.Answer{{Answer: &control.Answer_Made{Made: made}}}})
			made++
			continue
		}
		switch b.kind {
		case "many":
			s.Send(&control.Answers{Answers: []*control.Answer{decision(1), decision(2), decision(3)}})
		case "none":
			s.Send(&control.Answers{})
		case "other":
			s.Send(&control.Answers{Answers: []*control.Answer{decision(7)}}) // one by one is allowed
			s.Send(&control.Answers{Answers: []*control.Answer{{}}})
		case "end":
			return nil
		}
	}
}

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{ProtocolVersion: 3, MagicCookieKey: "ROCELAB_PLUGIN",
			MagicCookieValue: "congestion-control"},
		Plugins:    plugin.PluginSet{"algorithm": &babbler{}},
		GRPCServer: plugin.DefaultGRPCServer,
	})
}
