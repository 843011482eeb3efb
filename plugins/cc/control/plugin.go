package control

import (
	"context"

	"github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
)

// Version is the version of the ring and of this package; a change that an
// older plugin would misread counts it up.
const Version = 3

// Handshake is common to host and plugin. The cookie keeps a plugin from being taken for an ordinary program; it is not
// a secret.
var Handshake = plugin.HandshakeConfig{
	ProtocolVersion:  Version,
	MagicCookieKey:   "ROCELAB_PLUGIN",
	MagicCookieValue: "congestion-control",
}

// ServiceName is the name of the only service that a plugin offers.
const ServiceName = "algorithm"

// Service registers the service with go-plugin, at either end.
type Service struct {
	plugin.NetRPCUnsupportedPlugin
	// Answers has the answers of a plugin; nil at the host.
	Answers AlgorithmServer
}

// GRPCServer implements plugin.GRPCPlugin.
func (s *Service) GRPCServer(_ *plugin.GRPCBroker, server *grpc.Server) error {
	RegisterAlgorithmServer(server, s.Answers)
	return nil
}

// GRPCClient implements plugin.GRPCPlugin.
func (s *Service) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return NewAlgorithmClient(conn), nil
}
