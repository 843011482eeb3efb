package packet

import (
	"fmt"
	"strings"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"
)

// Counters are the frames that an interface lost since it was made, by the
// names of ip-link(8) and /sys/class/net. What a socket's ring lost is not
// among them: see Port.Statistics.
type Counters struct {
	// RxErrors and TxErrors are frames that the device found damaged.
	RxErrors, TxErrors uint64
	// RxDropped are frames that arrived and were not handed on: no room in the processor's backlog, or no listener.
	RxDropped uint64
	// TxDropped are frames that were refused on the way out: the other end of
	// a veth pair is down, has a smaller MTU, or no room in its backlog.
	TxDropped uint64
	// RxMissed are frames for which a real device had no buffer.
	RxMissed uint64
}

// ReadCounters reads the counters of an interface of the calling thread's network namespace. It does not need
// privileges.
func ReadCounters(ifname string) (Counters, error) {
	link, err := netlink.LinkByName(ifname)
	if err != nil {
		return Counters{}, fmt.Errorf("read the counters of %s: %w", ifname, err)
	}
	s := link.Attrs().Statistics
	if s == nil {
		return Counters{}, fmt.Errorf("read the counters of %s: the kernel sent none", ifname)
	}
	return Counters{
		RxErrors:  s.RxErrors,
		TxErrors:  s.TxErrors,
		RxDropped: s.RxDropped,
		TxDropped: s.TxDropped,
		RxMissed:  s.RxMissedErrors,
	}, nil
}

// Claim returns c without the frames that RxDropped counts since before though a socket had them: up to unclaimed of
// them.
func (c Counters) Claim(before Counters, unclaimed uint64) Counters {
	if c.RxDropped > before.RxDropped {
		c.RxDropped -= min(c.RxDropped-before.RxDropped, unclaimed)
	}
	return c
}

// Unclaimed reports whether the kernel counts a tagged frame as dropped although a packet socket had it: beyond the tag
// it looks for receivers again, and it has none for most protocols. Next is the type that follows the tag. Source:
// __netif_receive_skb_core in the kernel's net/core/dev.c.
func Unclaimed(next uint16) bool {
	return next != unix.ETH_P_IP && next != unix.ETH_P_ARP && next != unix.ETH_P_IPV6
}

// Since names the counters that have changed, and by how much:
// "rx_dropped +3, tx_dropped +1". It is empty if none has.
func (c Counters) Since(before Counters) string {
	var changed []string
	for _, f := range []struct {
		name        string
		then, since uint64
	}{
		{"rx_errors", before.RxErrors, c.RxErrors},
		{"tx_errors", before.TxErrors, c.TxErrors},
		{"rx_dropped", before.RxDropped, c.RxDropped},
		{"tx_dropped", before.TxDropped, c.TxDropped},
		{"rx_missed", before.RxMissed, c.RxMissed},
	} {
		if f.since != f.then {
			changed = append(changed, fmt.Sprintf("%s %+d", f.name, int64(f.since-f.then)))
		}
	}
	return strings.Join(changed, ", ")
}
