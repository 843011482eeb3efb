package switchd

import (
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// stamper writes in-band telemetry at an egress port (Li et al., HPCC, SIGCOMM
// 2019, section 3.2): what the port has sent and what it leaves behind in all of
// its queues, both without the packet itself, at the instant of dequeueing, as
// the public RDMA simulator stamps.
type stamper struct {
	inband.Stamper
	// on is set if the port stamps: the switch does and the rate can be expressed.
	on bool
	// tag distinguishes the port's link from others.
	tag uint16
}

func newStamper(on bool, rate unit.BitRate, link fabric.LinkID) stamper {
	if !on || !inband.Stampable(rate) {
		return stamper{}
	}
	return stamper{inband.NewStamper(rate), true, tagOf(link)}
}

// tagOf spreads a link's number over 16 bits (the finaliser of SplitMix64, Steele
// et al., OOPSLA 2014), so that the sums of two paths' tags rarely agree.
func tagOf(link fabric.LinkID) uint16 {
	z := (uint64(link) + 1) * 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return uint16(z >> 48)
}

// stamps reports whether a frame asks for the port's record. Only data do: what an ACK
// carries is an echo.
func (st *stamper) stamps(frame *wire.Frame) bool { return frame.Extension() == wire.ExtINT && st.on }

// stamp adds the port's record to a frame that asks for it, and its link to the
// path.
//
// Differs from the paper (figure 7), whose path is the XOR of 12 bits of each
// switch's identity: of each link's, which tells parallel links apart.
func (st *stamper) stamp(frame *wire.Frame, now unit.Time, sent, queued unit.Bytes) {
	frame.Rare.INT.Path ^= st.tag
	frame.Rare.INT.Push(st.Stamp(now, sent, queued))
}
