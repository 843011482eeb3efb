package pcapng

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Reader reads the output of a Writer. It refuses a file of another program unless it has the same form.
type Reader struct {
	from *bufio.Reader
	// Interfaces are the interfaces that packets named so far, by number.
	Interfaces []string
	block      []byte
	at         int64 // in the file
}

// Packet is a frame of a capture. Its bytes are good until the next one is read.
type Packet struct {
	// Interface is the name of the port, "leaf1:3".
	Interface string
	At        unit.Time
	Direction Direction
	Frame     []byte
}

// mostBlock bounds a block: a jumbo frame with options takes some 10 KB.
const mostBlock = 1 << 20

// NewReader reads the header of a capture. It fails if the file is not a capture.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: bufio.NewReaderSize(from, 1<<16)}
	kind, body, err := r.next()
	if err != nil {
		return nil, err
	}
	if kind != blockSection || len(body) < 4 || binary.LittleEndian.Uint32(body) != byteOrderMagic {
		return nil, errors.New("capture: the file does not begin as a capture by rocelab")
	}
	return r, nil
}

// next returns the kind and the body of the next block.
func (r *Reader) next() (kind uint32, body []byte, err error) {
	var head [8]byte
	if _, err := io.ReadFull(r.from, head[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return 0, nil, io.EOF
		}
		return 0, nil, r.damaged("it ends within a block")
	}
	kind, length := binary.LittleEndian.Uint32(head[:]), binary.LittleEndian.Uint32(head[4:])
	if length < 12 || length > mostBlock || length%4 != 0 {
		return 0, nil, r.damaged("a block of %d bytes", length)
	}
	if cap(r.block) < int(length) {
		r.block = make([]byte, length)
	}
	rest := r.block[:length-8]
	if _, err := io.ReadFull(r.from, rest); err != nil {
		return 0, nil, r.damaged("it ends within a block")
	}
	if again := binary.LittleEndian.Uint32(rest[len(rest)-4:]); again != length {
		return 0, nil, r.damaged("a block has %d bytes by its beginning, and %d by its end", length, again)
	}
	r.at += int64(length)
	return kind, rest[:len(rest)-4], nil
}

func (r *Reader) damaged(format string, args ...any) error {
	return fmt.Errorf("capture: damaged at byte %d: %s", r.at, fmt.Sprintf(format, args...))
}

// Next reads the next packet; the error at the end of the file is io.EOF.
func (r *Reader) Next() (Packet, error) {
	for {
		kind, body, err := r.next()
		if err != nil {
			return Packet{}, err
		}
		switch kind {
		case blockInterface:
			if len(body) < 8 {
				return Packet{}, r.damaged("an interface of %d bytes", len(body))
			}
			name, _ := option(body[8:], optName)
			r.Interfaces = append(r.Interfaces, string(name))
		case blockPacket:
			return r.packet(body)
		}
	}
}

// packet reads a block of a packet.
func (r *Reader) packet(body []byte) (p Packet, err error) {
	const head = 20
	if len(body) < head {
		return p, r.damaged("a packet of %d bytes", len(body))
	}
	number, length := binary.LittleEndian.Uint32(body), uint64(binary.LittleEndian.Uint32(body[12:]))
	padded := (length + 3) &^ 3
	if int64(number) >= int64(len(r.Interfaces)) || padded > uint64(len(body)-head) {
		return p, r.damaged("a packet of interface %d with %d bytes in a block of %d", number, length, len(body))
	}
	p.Interface = r.Interfaces[number]
	p.At = unit.Time(uint64(binary.LittleEndian.Uint32(body[4:]))<<32 | uint64(binary.LittleEndian.Uint32(body[8:])))
	if p.At < 0 {
		return p, r.damaged("a packet at a time below 0")
	}
	p.Frame = body[head : head+length]
	if flags, ok := option(body[head+padded:], optFlags); ok && len(flags) >= 4 {
		p.Direction = Direction(binary.LittleEndian.Uint32(flags) & 3)
	}
	return p, nil
}

// option finds an option of a block.
func option(list []byte, wanted uint16) (value []byte, found bool) {
	for len(list) >= 4 {
		code, length := binary.LittleEndian.Uint16(list), int(binary.LittleEndian.Uint16(list[2:]))
		padded := (length + 3) &^ 3
		if code == optEnd || padded > len(list)-4 {
			return nil, false
		}
		if code == wanted {
			return list[4 : 4+length], true
		}
		list = list[4+padded:]
	}
	return nil, false
}
