// Package peer has the settings of a connection between a NIC of ours and a real stack behind an
// edge: numbers of both ends, memory, receives, and the requests of our host. Package nicd/verbs does the rest.
package peer

import (
	"errors"
	"fmt"
	"math/bits"

	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// MaxLength is the most that a region may hold, in bytes: 64 MiB.
const MaxLength = 64 << 20

// Region is a piece of registered memory as the far end addresses it.
type Region struct {
	// RKey is the key that requests must carry.
	RKey uint32
	// VA is the address of its first byte, Length its size in bytes, 0 to MaxLength.
	VA, Length uint64
}

// Holds reports whether an access of n bytes at address va with a key is allowed (IBA volume 1, 9.7.4.1.5).
// One of zero bytes touches nothing and is allowed with any key.
func (r *Region) Holds(rkey uint32, va, n uint64) bool {
	if n == 0 {
		return true
	}
	end, beyond := bits.Add64(va, n, 0)
	return rkey == r.RKey && beyond == 0 && va >= r.VA && end <= r.VA+r.Length
}

// Config is the settings of our end.
type Config struct {
	// MTU is the payload of a full packet in bytes: 256, 512, 1024, 2048 or 4096, the smaller of both ends'.
	MTU int
	// PeerQP is the peer's QP number. The pattern of our payload depends on it.
	PeerQP uint32
	// FirstPSN is that of our first request, PeerPSN that of the peer's: 24 bits.
	FirstPSN, PeerPSN uint32
	// Memory is our region, Peer is the peer's.
	Memory, Peer Region
	// Receives is the number of receives that the host has posted, each of ReceiveSize bytes; 0 means that SENDs and
	// immediates are answered with RNR forever. One that was taken is posted again Repost later. With
	// Credits, ACKs carry their number, in place of 31 for no limit. A ReceiveSize above the region's length
	// is a malformed receive: the SEND that meets it is answered with NAK 0x63.
	Receives    int
	ReceiveSize uint64
	Repost      unit.Duration
	Credits     bool
	// RNRTimer is the timer code of our RNR NAKs: 0 to 31 (IBA volume 1, table 45).
	RNRTimer uint8
	// Window is the number of packets that may be unacknowledged, Reads that of READs; both at least 1.
	Window int64
	Reads  int
	// Timeout is the retransmission timeout; Retries how many in a row end the connection, 0 for no limit.
	Timeout unit.Duration
	Retries int
	// Work is the requests of our host, Seed that of its random part.
	Work []Work
	Seed uint64
}

// Check joins the errors of the config.
func (c *Config) Check() error {
	var errs []error
	refuse := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	if PathMTU(c.MTU) != c.MTU {
		refuse("MTU is %d B, allowed is 256, 512, 1024, 2048 and 4096", c.MTU)
	}
	if c.FirstPSN > wire.PSNMask || c.PeerPSN > wire.PSNMask {
		refuse("PSNs are %#x and %#x, allowed is 0 to %#x", c.FirstPSN, c.PeerPSN, wire.PSNMask)
	}
	for _, r := range []Region{c.Memory, c.Peer} {
		if r.Length > MaxLength || r.VA+r.Length < r.VA {
			refuse("region is %d B at %#x, allowed is up to %d B that end by the last address", r.Length, r.VA, MaxLength)
		}
	}
	if c.RNRTimer > wire.RNRTimerMask {
		refuse("RNR timer is %d, allowed is 0 to %d", c.RNRTimer, wire.RNRTimerMask)
	}
	if c.Window < 1 || c.Reads < 1 || c.Timeout <= 0 {
		refuse("window is %d packets, READs are %d and the timeout is %v, allowed is above 0", c.Window, c.Reads, c.Timeout)
	}
	if c.Receives < 0 || c.Repost < 0 || c.Retries < 0 {
		refuse("receives are %d, reposted after %v, and retries are %d, allowed is 0 and more", c.Receives, c.Repost,
			c.Retries)
	}
	return errors.Join(errs...)
}

// PathMTU returns the largest MTU of InfiniBand that is not above n bytes, 0 if none is (IBA volume 1, 9.5).
func PathMTU(n int) int {
	for mtu := 4096; mtu >= 256; mtu /= 2 {
		if mtu <= n {
			return mtu
		}
	}
	return 0
}

// FirstQP is the number of our first QP towards a real stack at each NIC. QPs of flows have lower numbers.
const FirstQP = 0x800000

// VA is where our regions begin, as the peer addresses them.
const VA = 0x100000000

// Default returns what a scenario does not say: 16 receives of 4 KB that are posted again at once, RNR timer 12 (0.64
// ms), 32 packets and 4 READs under way, a timeout of 100 ms, no limit of retries.
func Default() Config {
	return Config{
		Receives:    16,
		ReceiveSize: 4096,
		RNRTimer:    12,
		Window:      32,
		Reads:       4,
		Timeout:     100 * unit.Millisecond,
	}
}
