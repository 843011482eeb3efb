package serve

import (
	"fmt"

	"github.com/rocelab/rocelab/plugins/cc"
)

// introduction is the output of a plugin that was started by hand.
func introduction(program string, algorithm cc.Description) string {
	return fmt.Sprintf(`%s is a plugin for rocelab, not a command: the congestion-control algorithm
%s %s, %s.

To install it, copy it to ~/.local/share/rocelab/plugins or any folder that is
named by --plugin-dir or $ROCELAB_PLUGINS. `+"`rocelab algorithm show %s`"+` then shows its
parameters, and scenarios can name it.
`, program, algorithm.Name, algorithm.Version, algorithm.Summary, algorithm.Name)
}
