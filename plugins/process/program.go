package process

import (
	"fmt"
	"io"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Run starts the plugin at path, appends what it prints to the file log, and
// returns its algorithm; closing it ends the process.
func Run(path, log string) (cc.Algorithm, io.Closer, error) {
	p, err := Start(path, Options{Log: log})
	if err != nil {
		return nil, nil, err
	}
	return p.Algorithm(), p, nil
}

// introduction is what a plugin prints that was started by hand.
func introduction(program string, d cc.Description) string {
	return fmt.Sprintf(`%s is a plugin for rocelab, not a command: the congestion-control algorithm
%s %s, %s.

To install it, copy it to ~/.local/share/rocelab/plugins or any folder that is
named by --plugin-dir or $ROCELAB_PLUGINS. `+"`rocelab algorithms %s`"+` then shows its
parameters, and scenarios can name it.
`, program, d.Name, d.Version, d.Summary, d.Name)
}
