//go:build linux && !mem && (amd64 || arm64)

package process

import (
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/control"
	"github.com/rocelab/rocelab/plugins/cc/ring"
)

// Programs that were built before keep their layout, so that they run with this rocelab. Those of protocol 2 do not
// hear of losses and are refused. A change of the layout refuses all of them, and is done knowingly: by another number
// here.
func TestLayoutIsTheOneOfBefore(t *testing.T) {
	const before = 0xb2e9a39c515ec408
	if got := ring.Digest(); got != before || control.Version != 3 {
		t.Errorf("layout %#x, protocol %d: programs that were built with layout %#x, protocol 3, are refused", got,
			control.Version, uint64(before))
	}
}
