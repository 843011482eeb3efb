package wire

import (
	"errors"
	"fmt"
)

// The kinds of refusal. A DecodeError wraps one of them.
var (
	// ErrTruncated: the bytes end before the frame does.
	ErrTruncated = errors.New("truncated")
	// ErrLength: two lengths contradict each other, or a length and the opcode.
	ErrLength = errors.New("inconsistent length")
	// ErrChecksum: the IPv4 header checksum is wrong, or a datagram's UDP
	// checksum.
	ErrChecksum = errors.New("wrong checksum")
	// ErrICRC: the invariant CRC is wrong.
	ErrICRC = errors.New("wrong ICRC")
	// ErrUnsupported: legal somewhere, but not among the frames that a Frame
	// can hold.
	ErrUnsupported = errors.New("unsupported")
)

// DecodeError reports a frame that Decode refused, with the position of the fault.
type DecodeError struct {
	// Kind is one of the Err variables of this package.
	Kind error
	// Header is the header at fault, as the standards name it.
	Header string
	// Offset is the byte of the frame with the fault.
	Offset int
	// Detail describes the value found and the allowed ones.
	Detail string
}

// Error names header, offset, finding and kind in one line.
func (e *DecodeError) Error() string {
	return fmt.Sprintf("%s in %s at byte %d: %s", e.Kind, e.Header, e.Offset, e.Detail)
}

// Unwrap returns the kind, for errors.Is.
func (e *DecodeError) Unwrap() error { return e.Kind }

func refuse(kind error, header string, offset int, format string, args ...any) error {
	return &DecodeError{Kind: kind, Header: header, Offset: offset, Detail: fmt.Sprintf(format, args...)}
}
