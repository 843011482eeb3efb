package process

import (
	"fmt"
	"io"

	"github.com/rocelab/rocelab/plugins/cc"
)

// Run starts the plugin at path, appends what it prints to the file log, and
// returns its algorithm; closing it ends the process.
func Run(path, log string) (cc.Algorithm, io.Closer, error) {
	plugin, err := Start(path, Options{Log: log})
	if err != nil {
		return nil, nil, err
	}
	return plugin.Algorithm(), plugin, nil
}

// introduction is what a plugin prints that was started by hand.
func introduction(program string, algorithm cc.Description) string {
	return fmt.Sprintf(`%s is a plugin for rocelab, not a command: the congestion-control algorithm
%s %s, %s.

To install it, copy it to ~/.local/share/rocelab/plugins or any folder that is
named by --plugin-dir or $ROCELAB_PLUGINS. `+"`rocelab algorithm show %s`"+` then shows its
parameters, and scenarios can name it.
`, program, algorithm.Name, algorithm.Version, algorithm.Summary, algorithm.Name)
}
