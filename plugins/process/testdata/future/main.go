// Command future is a plugin of a protocol version to come.
package main

import "github.com/hashicorp/go-plugin"

func main() {
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: plugin.HandshakeConfig{ProtocolVersion: 7, MagicCookieKey: "ROCELAB_PLUGIN",
			MagicCookieValue: "congestion-control"},
		Plugins:    plugin.PluginSet{"algorithm": &plugin.NetRPCUnsupportedPlugin{}},
		GRPCServer: plugin.DefaultGRPCServer,
	})
}
