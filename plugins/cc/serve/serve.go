//go:build linux && !mem

package serve

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/control"
)

// Algorithm runs an algorithm as a plugin; it is all that a plugin's main does. It
// does not return. Started by hand instead of by rocelab, the program prints what
// it is and exits with code 2.
func Algorithm(algorithm cc.Algorithm) {
	if os.Getenv(control.Handshake.MagicCookieKey) != control.Handshake.MagicCookieValue {
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
		HandshakeConfig: control.Handshake,
		Plugins: plugin.PluginSet{control.ServiceName: &control.Service{
			Answers: &controlServer{algorithm: algorithm, worker: worker, stderr: os.Stderr},
		}},
		GRPCServer: plugin.DefaultGRPCServer,
		Logger:     hclog.NewNullLogger(),
	})
	os.Exit(0)
}
