//go:build linux && !mem && (amd64 || arm64)

package process

import "testing"

// Programs that were built before keep their layout, so that they run with this rocelab. Those of
// protocol 2 hear of no losses and are refused. What changes the layout refuses all of them, and is done knowingly:
// by another number here. Tier: -short.
func TestLayoutIsTheOneOfBefore(t *testing.T) {
	const before = 0xb89738ba88fb4c8
	if got := layoutDigest(); got != before || protocolVersion != 3 {
		t.Errorf("layout %#x, protocol %d: programs that were built with layout %#x, protocol 3, are refused", got,
			protocolVersion, uint64(before))
	}
}
