// Command stranger is a plugin whose events and decisions are laid out in a way
// of its own.
package main

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"

	"github.com/rocelab/rocelab/plugins/cc/control"
)

type stranger struct {
	plugin.NetRPCUnsupportedPlugin
	control.UnimplementedAlgorithmServer
}

func (s *stranger) GRPCServer(_ *plugin.GRPCBroker, g *grpc.Server) error {
	control.RegisterAlgorithmServer(g, s)
	return nil
}

func (s *stranger) GRPCClient(context.Context, *plugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, nil
}

func (s *stranger) Describe(context.Context, *control.DescribeRequest) (*control.Description, error) {
	return &control.Description{Name: "stranger", Version: "1.0.0", Layout: 1}, nil
}

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{ProtocolVersion: 3, MagicCookieKey: "ROCELAB_PLUGIN",
			MagicCookieValue: "congestion-control"},
		Plugins:    plugin.PluginSet{"algorithm": &stranger{}},
		GRPCServer: plugin.DefaultGRPCServer,
	})
}
