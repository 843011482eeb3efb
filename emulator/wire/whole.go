package wire

// DigestWhole returns a 64-bit digest of all bytes of the frame as a wire carries them, and room, which it
// overwrites and may have enlarged for the next call. Digest leaves out what no model reads: addresses
// of Ethernet, the tag, the UDP checksum, most transport headers and the payload.
func (f *Frame) DigestWhole(room []byte) (digest uint64, used []byte) {
	if f.IsOpaque() {
		f.settle()
		return digestOf(f.Rare.Raw), room
	}
	room = f.AppendTo(room[:0])
	if short := minFrameLen - len(room); short > 0 { // captured where a host has not padded it yet
		room = append(room, make([]byte, minFrameLen)[:short]...)
	}
	return digestOf(room), room
}
