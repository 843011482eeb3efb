package verbs

import "github.com/rocelab/rocelab/emulator/wire"

// operation is that of a message's packets.
type operation uint8

const (
	none operation = iota // no message under way
	send
	write
	read
	atomic
)

// part is where a packet is in its message.
type part struct {
	operation               operation
	begins, ends, immediate bool
}

// partOf returns the part of a request's opcode; its operation is none for every opcode that is not a request of a
// reliable connection (IBA volume 1, 9.2.1).
func partOf(o wire.Opcode) part {
	switch {
	case o <= wire.WriteOnlyImm:
		p := part{operation: send}
		if o >= wire.WriteFirst {
			p.operation, o = write, o-wire.WriteFirst
		}
		// First, Middle, Last, Last with immediate, Only, Only with immediate
		p.begins, p.ends, p.immediate = o == 0 || o >= 4, o >= 2, o == 3 || o == 5
		return p
	case o == wire.ReadRequest:
		return part{operation: read, begins: true, ends: true}
	case o == wire.CompareSwap || o == wire.FetchAdd:
		return part{operation: atomic, begins: true, ends: true}
	}
	return part{}
}

// opcodeOf is the opcode of a part of a SEND or a WRITE.
func opcodeOf(p part) wire.Opcode {
	o := wire.SendFirst
	if p.operation == write {
		o = wire.WriteFirst
	}
	switch {
	case p.begins && p.ends:
		o += 4
	case p.ends:
		o += 2
	case !p.begins:
		o++
	}
	if p.ends && p.immediate {
		o++
	}
	return o
}

// responseOf is the opcode of a READ response.
func responseOf(begins, ends bool) wire.Opcode {
	switch {
	case begins && ends:
		return wire.ReadOnly
	case begins:
		return wire.ReadFirst
	case ends:
		return wire.ReadLast
	}
	return wire.ReadMiddle
}

// packetsOf returns the number of packets of n bytes; a message without bytes takes one.
func packetsOf(n uint64, mtu int) int64 { return max(1, int64((n+uint64(mtu)-1)/uint64(mtu))) }
