//go:build linux && !mem

package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/keeper"
	"github.com/rocelab/rocelab/plugins/cc/control"
)

// launched is a program that was started: held by a keeper, connected by go-plugin.
type launched struct {
	*keeper.Kept
	client *plugin.Client
	// cmd is the keeper.
	cmd *exec.Cmd
	// pid is the program's, as the host counts, once it runs; 0 before.
	pid int
}

// launch starts the program with files to inherit and connects to it. The keeper and
// all that it holds are in place before the first instruction of the program.
func (p *Plugin) launch(inherit []*os.File) error {
	words := append(slices.Clone(p.options.Through), p.program.Path)
	if p.program.Algorithm != "" {
		words = append(words, p.program.Algorithm)
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		path = words[0] // the keeper says why it is none
	}
	order := keeper.Order{
		Path:   path,
		Args:   words[1:],
		Env:    p.options.Env,
		Files:  inherit,
		Folder: plugin.EnvUnixSocketDir, // it keeps others from the socket
		Gate:   p.held.files(),
		Fence:  p.held.own.Folders(),
		Memory: int64(p.options.Limits.OrDefault().Memory),
		User:   (*keeper.User)(p.options.User),
	}
	kept, err := keeper.New(order)
	if err != nil {
		return fmt.Errorf("start plugin %s: %w", p.program, err)
	}
	p.launched = &launched{Kept: kept}
	rpc, err := p.launched.connect(p.options, p.log)
	if p.launched.cmd.Process == nil {
		return fmt.Errorf("start plugin %s: start its keeper: %w", p.program, err)
	}
	// If the handshake failed, go-plugin has killed the keeper, perhaps before it could report that the program runs.
	failed := kept.Started(exitLimit)
	if said := (*keeper.Error)(nil); failed != nil && (err == nil || errors.As(failed, &said)) {
		return p.executeError(failed)
	}
	p.launched.pid = kept.Pid()
	kept.Release() // connected: the folder is not needed any more
	if barred := kept.Barred(); err != nil && barred != "" {
		p.end(false)
		return fmt.Errorf("start plugin %s: user %d, the user that plugins run as here (SUDO_UID), may not enter "+
			"%s: set TMPDIR to a folder that this user may enter, such as "+
			"/tmp", p.program, p.options.User.UID, barred)
	}
	if err != nil {
		return p.startError(err)
	}
	raw, err := rpc.Dispense(control.ServiceName)
	if err != nil {
		return p.startError(err)
	}
	p.control = raw.(control.AlgorithmClient)
	return nil
}

// connect starts the keeper, in the best way that the kernel lets it, and shakes hands
// with the program.
func (l *launched) connect(options Options, log *log) (rpc plugin.ClientProtocol, err error) {
	// A keeper that starts later ends at once, too.
	defer context.AfterFunc(options.context(), func() { l.Kill(exitLimit) })()
	for _, l.cmd = range l.Commands() {
		l.client = plugin.NewClient(&plugin.ClientConfig{
			HandshakeConfig:  control.Handshake,
			Plugins:          plugin.PluginSet{control.ServiceName: &control.Service{}},
			Cmd:              l.cmd,
			AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC},
			StartTimeout:     options.StartLimit,
			SkipHostEnv:      true,
			Logger:           hclog.NewNullLogger(),
			Stderr:           log,
		})
		if rpc, err = l.client.Client(); l.cmd.Process != nil {
			break
		}
	}
	return rpc, err
}

// exitLimit is the maximum time that an ended process may take to be gone.
const exitLimit = 3 * time.Second

// politeLimit is the maximum time that a program may take to end by itself when it is asked to.
const politeLimit = time.Second

// end ends the program with all that it has started, and returns when they are gone
// and their output is read.
func (p *Plugin) end(gracefully bool) {
	if p.launched == nil || p.launched.cmd == nil || p.launched.cmd.Process == nil {
		return
	}
	p.launched.end(gracefully)
}

func (l *launched) end(gracefully bool) {
	l.cmd.Process.Signal(unix.SIGCONT) // a stopped keeper ends nothing
	if !gracefully {
		l.Kill(exitLimit)
	}
	gone := make(chan struct{})
	go func() {
		l.client.Kill()
		close(gone)
	}()
	if gracefully {
		select {
		case <-gone:
			return
		case <-time.After(politeLimit):
			l.Kill(exitLimit)
		}
	}
	select {
	case <-gone:
	case <-time.After(exitLimit):
	}
}
