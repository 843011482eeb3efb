//go:build linux && !mem

package process

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Serve runs an algorithm as a plugin; it is all that a plugin's main does. It
// does not return. Started by hand instead of by rocelab, the program says what
// it is and exits with code 2.
func Serve(algorithm cc.Algorithm) {
	if os.Getenv(handshake.MagicCookieKey) != handshake.MagicCookieValue {
		fmt.Fprint(os.Stderr, introduction(filepath.Base(os.Args[0]), algorithm.Describe()))
		os.Exit(2)
	}
	dumpOnQuit()
	worker, err := newWorker()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	go func() {
		io.Copy(io.Discard, os.NewFile(lifelineFile, "lifeline"))
		os.Exit(1) // the host is gone
	}()
	go worker.run()
	plugin.Serve(&plugin.ServeConfig{
		HandshakeConfig: handshake,
		Plugins: plugin.PluginSet{serviceName: &service{server: &controlServer{algorithm: algorithm, worker: worker,
			stderr: os.Stderr}}},
		GRPCServer: plugin.DefaultGRPCServer,
		Logger:     hclog.NewNullLogger(),
	})
	os.Exit(0)
}
