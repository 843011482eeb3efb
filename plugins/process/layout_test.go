//go:build linux && !mem && (amd64 || arm64)

package process

import "testing"

// Programs that were built before keep their layout, so that they run with this rocelab: those that
// know of no values name none. What changes the layout refuses all of them, and is done knowingly:
// by another number here. Tier: -short.
func TestLayoutIsTheOneOfBefore(t *testing.T) {
	const before = 0x26fb28b70bad2bf8
	if got := layoutDigest(); got != before || protocolVersion != 2 {
		t.Errorf("layout %#x, protocol %d: programs that were built with layout %#x, protocol 2, are refused", got,
			protocolVersion, uint64(before))
	}
}
