package process

import (
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
