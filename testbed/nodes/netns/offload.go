package netns

import (
	"fmt"

	"github.com/safchain/ethtool"
)

// disableOffloads switches off every feature of an interface of the calling thread's namespace that is active and may
// be changed: checksums left to a device that does not exist, super-frames, tags kept beside the frame.
//
// Source: ETHTOOL_GFEATURES and ETHTOOL_SFEATURES in linux/ethtool.h; netdevice(7).
func disableOffloads(name string) error {
	e, err := ethtool.NewEthtool()
	if err != nil {
		return fmt.Errorf("open a socket: %w", err)
	}
	defer e.Close()
	features, err := e.FeaturesWithState(name)
	if err != nil {
		return fmt.Errorf("read the offloads of %s: %w", name, err)
	}
	off := map[string]bool{}
	for feature, state := range features {
		if state.Active && state.Available && !state.NeverChanged {
			off[feature] = false
		}
	}
	if err := e.Change(name, off); err != nil {
		return fmt.Errorf("switch the offloads of %s off: %w", name, err)
	}
	return nil
}
