package nicd

import "math/bits"

// bitmap has a bit for each packet of a window, by its number modulo the window, a power of 2 from
// 64 on. Packets outside of the window share their bits with those inside.
type bitmap []uint64

func newBitmap(window int64) bitmap { return make(bitmap, window/64) }

// word is the index of a packet's word. Callers compare it with the length, which spares them a call of panic.
func (b bitmap) word(packet int64) int { return int(packet>>6) & (len(b) - 1) }

func (b bitmap) has(packet int64) bool {
	i := b.word(packet)
	return uint(i) < uint(len(b)) && b[i]>>(packet&63)&1 != 0
}

func (b bitmap) put(packet int64) {
	if i := b.word(packet); uint(i) < uint(len(b)) {
		b[i] |= 1 << (packet & 63)
	}
}

// take clears a bit and reports whether it was set.
func (b bitmap) take(packet int64) (had bool) {
	if i := b.word(packet); uint(i) < uint(len(b)) {
		had = b[i]>>(packet&63)&1 != 0
		b[i] &^= 1 << (packet & 63)
	}
	return had
}

// next returns the first packet from one on whose bit is set, -1 if there is none before end, which is at most a window
// away.
func (b bitmap) next(packet, end int64) int64 {
	for packet < end {
		if rest := b[b.word(packet)] >> (packet & 63); rest != 0 {
			if packet += int64(bits.TrailingZeros64(rest)); packet < end {
				return packet
			}
			return -1
		}
		packet = packet&^63 + 64
	}
	return -1
}

// block returns the bits of the 64 packets from one on, the first in the lowest bit.
func (b bitmap) block(packet int64) uint64 {
	bits := b[b.word(packet)] >> (packet & 63)
	if packet&63 != 0 {
		bits |= b[b.word(packet+64)] << (64 - packet&63)
	}
	return bits
}
