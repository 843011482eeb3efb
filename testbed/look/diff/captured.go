package diff

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/pcapng"
	"github.com/rocelab/rocelab/emulator/result"
)

// CaptureOf returns the path of a run's capture, "" if there is none.
func CaptureOf(s *Side, run result.RunID) string {
	for _, file := range s.Host.Files {
		if file.Name == path.Join(run.Folder, result.CaptureName) {
			return filepath.Join(s.Dir, filepath.FromSlash(file.Name))
		}
	}
	return ""
}

// CapturedPorts are the names of the ports of a capture, "leaf1:3".
func CapturedPorts(name string) ([]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	r, err := pcapng.NewReader(file)
	if err != nil {
		return nil, err
	}
	if _, err := r.Next(); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return r.Interfaces, nil // they come before the packets
}

// stream has the frames of a capture that ports sent and received. Frames that were dropped later have no direction,
// and a capture on veth lacks them.
type stream struct {
	from *pcapng.Reader
	// next is the next frame, nil at the end.
	next *Frame
}

func newStream(from io.Reader) (*stream, error) {
	r, err := pcapng.NewReader(from)
	if err != nil {
		return nil, err
	}
	s := &stream{from: r}
	return s, s.step()
}

// step reads the next frame.
func (s *stream) step() error {
	for {
		p, err := s.from.Next()
		if errors.Is(err, io.EOF) {
			s.next = nil
			return nil
		}
		if err != nil {
			return err
		}
		if p.Direction == pcapng.Undirected {
			continue
		}
		node, number, _ := strings.Cut(p.Interface, ":")
		port, _ := strconv.Atoi(number) // 0 of a name that is none
		s.next = &Frame{
			At:       p.At,
			Node:     node,
			Port:     port,
			Received: p.Direction == pcapng.Inbound,
			Bytes:    bytes.Clone(p.Frame),
		}
		return nil
	}
}

// sooner orders the frames of captures of these ports.
func sooner(ports []string) func(x, y *Frame) bool {
	rank := func(f *Frame) int { return slices.Index(ports, f.Node+":"+strconv.Itoa(f.Port)) }
	return func(x, y *Frame) bool {
		switch {
		case x.At != y.At:
			return x.At < y.At
		case rank(x) != rank(y):
			return rank(x) < rank(y)
		}
		return x.Received && !y.Received
	}
}

// firstCaptured returns the first frame by which two captures of the same ports differ, nil if there is none: A is of
// the first, B of the second.
func firstCaptured(a, b io.Reader) (*First, error) {
	x, err := newStream(a)
	if err != nil {
		return nil, err
	}
	y, err := newStream(b)
	if err != nil {
		return nil, err
	}
	last := map[string][]Frame{} // the latest at each port
	place := func(f *Frame) string { return f.Node + ":" + strconv.Itoa(f.Port) }
	for x.next != nil && y.next != nil && x.next.same(y.next) {
		list := append(last[place(x.next)], *x.next)
		last[place(x.next)] = list[max(0, len(list)-contextFrames):]
		if err := errors.Join(x.step(), y.step()); err != nil {
			return nil, err
		}
	}
	if x.next == nil && y.next == nil {
		return nil, nil
	}
	first := firstOf(x.next, y.next, sooner(x.from.Interfaces))
	first.Before = last[first.Node+":"+strconv.Itoa(first.Port)]
	for i, s := range []*stream{x, y} {
		after := [2]*[]Frame{&first.AfterA, &first.AfterB}[i]
		if own := [2]*Frame{first.A, first.B}[i]; own != nil && s.next != nil && own.same(s.next) {
			if err := s.step(); err != nil {
				return nil, err
			}
		}
		for s.next != nil && len(*after) < contextFrames {
			if s.next.Node == first.Node && s.next.Port == first.Port {
				*after = append(*after, *s.next)
			}
			if err := s.step(); err != nil {
				return nil, err
			}
		}
	}
	return first, nil
}
