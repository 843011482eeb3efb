package pcapng

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Interface describes a captured port.
type Interface struct {
	// Name is the port as the user knows it, such as "leaf1:3".
	Name string
	// Rate is the line rate of the link, in bit/s.
	Rate unit.BitRate
}

// Direction is the direction of a frame at the port: received or sent.
type Direction uint8

// The directions, with the values of bits 0 and 1 of epb_flags.
const (
	Undirected Direction = 0
	Inbound    Direction = 1
	Outbound   Direction = 2
)

// Block types, option codes and values of pcapng.
const (
	blockSection   = 0x0A0D0D0A
	blockInterface = 1
	blockPacket    = 6
	byteOrderMagic = 0x1A2B3C4D

	optEnd       = 0
	optComment   = 1
	optName      = 2  // interface block: if_name
	optFlags     = 2  // packet block: epb_flags
	optUser      = 4  // section block: shb_userappl
	optSpeed     = 8  // interface block: if_speed
	optTimeScale = 9  // interface block: if_tsresol
	picoseconds  = 12 // if_tsresol: 10^-12 s
	linkEthernet = 1
	maxOption    = 0xFFFF
)

// Writer writes a pcapng file. After an error of the underlying writer every
// further call returns it.
type Writer struct {
	buffer     *bufio.Writer
	interfaces int
	block      []byte
}

// NewWriter writes the section header and a description of each interface to
// w. Interfaces are numbered in the order given. It refuses an empty list, a
// name that is empty or longer than 65535 bytes, and a rate that is not
// positive.
func NewWriter(w io.Writer, interfaces []Interface) (*Writer, error) {
	if len(interfaces) == 0 {
		return nil, fmt.Errorf("capture: no interface to capture at")
	}
	writer := &Writer{buffer: bufio.NewWriterSize(w, 1<<16), interfaces: len(interfaces)}
	writer.begin(blockSection)
	writer.uint32(byteOrderMagic)
	writer.uint16(1) // version 1.0
	writer.uint16(0)
	writer.uint64(1<<64 - 1) // length of the section: not given
	writer.option(optUser, "rocelab")
	writer.endOptions()
	if err := writer.end(); err != nil {
		return nil, err
	}
	for i, n := range interfaces {
		if n.Name == "" || len(n.Name) > maxOption || n.Rate <= 0 {
			return nil, fmt.Errorf("capture: interface %d %.40q at %d bit/s: name must have 1 to %d bytes, rate must "+
				"be positive",
				i, n.Name, int64(n.Rate), maxOption)
		}
		if err := writer.describe(n); err != nil {
			return nil, err
		}
	}
	return writer, nil
}

func (c *Writer) describe(port Interface) error {
	c.begin(blockInterface)
	c.uint16(linkEthernet)
	c.uint16(0)
	c.uint32(0) // no limit on the captured length
	c.option(optName, port.Name)
	c.uint16(optSpeed)
	c.uint16(8)
	c.uint64(uint64(port.Rate))
	c.option(optTimeScale, string(rune(picoseconds)))
	c.endOptions()
	return c.end()
}

// WritePacket writes one frame, without FCS, seen at the given interface. An
// empty comment is left out. Frames should come in the order of time. It
// refuses an unknown interface, a negative time, and a comment longer than
// 65535 bytes.
func (c *Writer) WritePacket(iface int, at unit.Time, direction Direction, frame []byte, comment string) error {
	if iface < 0 || iface >= c.interfaces {
		return fmt.Errorf("capture: interface %d, allowed are 0 to %d", iface, c.interfaces-1)
	}
	if at < 0 || len(comment) > maxOption {
		return fmt.Errorf("capture: frame at %d ps with a comment of %d bytes: time must not be negative, the comment has "+
			"up to %d bytes",
			int64(at), len(comment), maxOption)
	}
	c.begin(blockPacket)
	c.uint32(uint32(iface))
	c.uint32(uint32(uint64(at) >> 32))
	c.uint32(uint32(at))
	c.uint32(uint32(len(frame)))
	c.uint32(uint32(len(frame)))
	c.block = append(c.block, frame...)
	c.align()
	if direction != Undirected {
		c.uint16(optFlags)
		c.uint16(4)
		c.uint32(uint32(direction))
	}
	if comment != "" {
		c.option(optComment, comment)
	}
	if direction != Undirected || comment != "" {
		c.endOptions()
	}
	return c.end()
}

// Flush hands everything written so far to the underlying writer.
func (c *Writer) Flush() error { return c.wrap(c.buffer.Flush()) }

func (c *Writer) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("capture: %w", err)
	}
	return nil
}

// A block is gathered in c.block, since its length is written at both ends.

func (c *Writer) begin(kind uint32) {
	c.block = c.block[:0]
	c.uint32(kind)
	c.uint32(0)
}

func (c *Writer) end() error {
	length := uint32(len(c.block) + 4)
	c.uint32(length)
	binary.LittleEndian.PutUint32(c.block[4:], length)
	_, err := c.buffer.Write(c.block)
	return c.wrap(err)
}

func (c *Writer) option(code uint16, value string) {
	c.uint16(code)
	c.uint16(uint16(len(value)))
	c.block = append(c.block, value...)
	c.align()
}

func (c *Writer) endOptions() { c.uint32(optEnd) }

func (c *Writer) align() {
	for len(c.block)%4 != 0 {
		c.block = append(c.block, 0)
	}
}

func (c *Writer) uint16(v uint16) { c.block = binary.LittleEndian.AppendUint16(c.block, v) }
func (c *Writer) uint32(v uint32) { c.block = binary.LittleEndian.AppendUint32(c.block, v) }
func (c *Writer) uint64(v uint64) { c.block = binary.LittleEndian.AppendUint64(c.block, v) }
