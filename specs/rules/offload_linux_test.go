package rules

import (
	"bytes"
	"encoding/binary"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/testbed/nodes/live/device/offload"
)

// segment is TCP over IPv4 as a stack leaves it to its device: the checksum's field has the sum of the
// pseudo-header.
func segment(payload []byte) (frame []byte, left offload.Header) {
	frame = datagram(station(1), station(0), 2, 14+20+20+len(payload))
	ip, tcp := frame[14:34], frame[34:]
	ip[5], ip[9] = 7, 6
	ip[10], ip[11] = 0, 0
	binary.BigEndian.PutUint16(ip[10:], ^onesSum(ip))
	binary.BigEndian.PutUint32(tcp[4:], 1_000_000)
	tcp[12], tcp[13] = 5<<4, 0x80|0x10|0x08|0x01 // CWR, ACK, PSH and FIN
	copy(tcp[20:], payload)
	binary.BigEndian.PutUint16(tcp[16:], onesSum(pseudo(frame)))
	return frame, offload.Header{Flags: unix.VIRTIO_NET_HDR_F_NEEDS_CSUM, Start: 34, Offset: 16}
}

// pseudo is the header that TCP's checksum has before the segment (RFC 9293, section 3.1).
func pseudo(frame []byte) []byte {
	return binary.BigEndian.AppendUint16(append(bytes.Clone(frame[26:34]), 0, 6), uint16(len(frame)-34))
}

// expectSums wants right checksums of IPv4 and TCP.
func expectSums(frame []byte) {
	GinkgoHelper()
	Expect(onesSum(frame[14:34])).To(BeEquivalentTo(0xFFFF), "IPv4")
	Expect(onesSum(append(pseudo(frame), frame[34:]...))).To(BeEquivalentTo(0xFFFF), "TCP")
}

var _ = Describe("an edge's device", Label("edge"), func() {
	payload := make([]byte, 3456)
	for i := range payload {
		payload[i] = byte(i * 7)
	}

	It("finishes the checksum that a host left to it", func() {
		for n := range 40 {
			frame, left := segment(payload[:n])
			want := bytes.Clone(frame)
			Expect(offload.Finish(frame, left)).To(BeTrue())
			expectSums(frame)
			copy(want[50:], frame[50:52])
			Expect(frame).To(Equal(want), "and nothing else")
		}
	})

	It("cuts what a host left whole: numbers go on, and ends are the last one's", func() {
		super, left := segment(payload)
		left.Type, left.SegmentSize = unix.VIRTIO_NET_HDR_GSO_TCPV4|unix.VIRTIO_NET_HDR_GSO_ECN, 1000
		var cutter offload.Cutter
		Expect(cutter.Begin(super, left)).To(BeTrue())
		var got []byte
		room := make([]byte, 2000)
		for i := range 4 {
			frame := cutter.Next(room)
			expectSums(frame)
			ip, tcp := frame[14:34], frame[34:]
			Expect(binary.BigEndian.Uint16(ip[2:])).To(BeEquivalentTo(len(frame) - 14))
			Expect(binary.BigEndian.Uint16(ip[4:])).To(BeEquivalentTo(7 + i))
			Expect(binary.BigEndian.Uint32(tcp[4:])).To(BeEquivalentTo(1_000_000 + len(got)))
			flags := byte(0x10)
			if i == 0 {
				flags |= 0x80
			}
			if i == 3 {
				flags |= 0x08 | 0x01
			}
			Expect(tcp[13]).To(Equal(flags))
			got = append(got, tcp[20:]...)
		}
		Expect(cutter.Next(room)).To(BeNil())
		Expect(got).To(Equal(payload))
	})
})
