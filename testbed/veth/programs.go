package veth

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/emulator/plan"
)

// Programs says which binaries containers run.
type Programs struct {
	// Switchd, Nicd and Wand host switches, NICs and long-haul paths, Pool all
	// nodes at once. Each is a path and the arguments before the daemon's.
	Switchd, Nicd, Wand, Pool Program
}

// Program is a binary and its leading arguments.
type Program struct {
	Path string
	Args []string
}

// FindPrograms returns switchd, nicd and wand where they lie beside the running
// program, as `go build ./cmd/...` leaves them, and otherwise the running
// program itself, which can be any daemon (`rocelab daemon`).
func FindPrograms() (Programs, error) {
	self, err := os.Executable()
	if err == nil {
		self, err = filepath.EvalSymlinks(self)
	}
	if err != nil {
		return Programs{}, fmt.Errorf("where this program lies: %w", err)
	}
	any := Program{self, []string{"daemon"}}
	p := Programs{Switchd: any, Nicd: any, Wand: any, Pool: any}
	for name, to := range map[string]*Program{"switchd": &p.Switchd, "nicd": &p.Nicd, "wand": &p.Wand} {
		path := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			*to = Program{Path: path}
		}
	}
	return p, nil
}

// programFor returns the program for a container, and what messages call it. A kind of node
// with no such program has the pool's, which hosts any.
func (p *Programs) programFor(kind string) (name string, program Program) {
	switch kind {
	case string(plan.KindSwitch):
		return "switchd", p.Switchd
	case serverKind:
		return "nicd", p.Nicd
	case string(plan.KindWAN):
		return "wand", p.Wand
	}
	return "the daemon", p.Pool
}
