package lockstep

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/internal/sealed"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// line is a cache line: words of different writers are that far apart.
const line = 64

type spaced struct {
	atomic.Uint64
	_ [line - 8]byte
}

// bell is a futex word.
type bell struct {
	atomic.Uint32
	_ [line - 4]byte
}

// header is the start of the page.
type header struct {
	magic, size, run uint64
	_                [line - 24]byte

	// The window: written by the participant that concludes the last one, before it wakes the others.
	window       atomic.Uint64
	start, bound atomic.Int64
	end          atomic.Int64
	over         atomic.Uint32 // 1 + engine.Stop when the run is over
	final        atomic.Uint32 // the end is known
	quiet        atomic.Uint32 // windows for samples only since something happened
	_            [line - 44]byte
	// CLOCK_MONOTONIC at the first window and at the end; for readers outside the run.
	began, ended  atomic.Int64
	_             [line - 16]byte
	busy          atomic.Int64 // participants that are not done with the window
	_             [line - 8]byte
	unfinished    atomic.Int64 // participants with incomplete flows
	_             [line - 8]byte
	stop, aborted atomic.Uint32 // asked for from outside
	_             [line - 8]byte
}

const magic = 0x6c6f636b73746570 // "lockstep"

// Page is the shared memory of one run. Make one with Create, or Map one that
// another process made.
type Page struct {
	setup Setup
	file  *os.File // the maker's
	bytes []byte
	head  *header
	// Of each participant.
	next     []atomic.Int64 // its earliest event
	inbound  [2][]atomic.Int64
	waiting  []atomic.Int64  // the earliest arrival it was not woken for yet
	granted  []atomic.Uint64 // the last window granted to it
	last     []atomic.Int64  // its last completion of a flow
	told     []told
	hastened []atomic.Int64 // its earliest input that waits for a window
	doorbell []bell         // one for each group of 32
	// Of each direction of a link.
	sent, received []spaced

	clock *clockwork // nil where the run is held to no clock
	looks bool       // a participant looks at every window
}

// layout places the parts and returns the size of the page.
func (p *Page) layout(base unsafe.Pointer) int {
	n, l := p.setup.Participants, p.setup.Links
	at := int(unsafe.Sizeof(header{}))
	words := func(count int) unsafe.Pointer {
		here := at
		at += (count*8 + line - 1) / line * line
		if base == nil {
			return nil
		}
		return unsafe.Add(base, here)
	}
	block := func(size uintptr) unsafe.Pointer { return words((int(size) + 7) / 8) }
	p.head = (*header)(base)
	p.next = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.inbound[0] = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.inbound[1] = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.waiting = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.granted = unsafe.Slice((*atomic.Uint64)(words(n)), lengthIf(base, n))
	p.last = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	const step = line / 8
	p.told = unsafe.Slice((*told)(words(n*step)), lengthIf(base, n))
	p.doorbell = unsafe.Slice((*bell)(words(groups(n)*step)), lengthIf(base, groups(n)))
	p.sent = unsafe.Slice((*spaced)(words(l*step)), lengthIf(base, l))
	p.received = unsafe.Slice((*spaced)(words(l*step)), lengthIf(base, l))
	p.looks = p.setup.Clock != nil && slices.Contains(p.setup.Looks, true)
	if p.looks {
		p.hastened = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	}
	if p.setup.Clock != nil {
		p.clock = (*clockwork)(block(unsafe.Sizeof(clockwork{})))
	}
	return at
}

// lengthIf is n, or 0 as long as there is no memory.
func lengthIf(base unsafe.Pointer, n int) int {
	if base == nil {
		return 0
	}
	return n
}

// groups is the number of futex words for n participants.
func groups(n int) int { return (n + 31) / 32 }

// Name returns the name of a run's page in /proc, after "/memfd:".
func Name(run uint32) string { return fmt.Sprintf("rocelab-page-%08x", run) }

// Create makes the page in sealed memory and begins the run: every participant must
// Join and then arrive once before the first window.
func Create(s Setup) (*Page, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	p := &Page{setup: s}
	size := p.layout(nil)
	var err error
	if p.file, err = sealed.Memory(Name(s.Run), size); err != nil {
		return nil, fmt.Errorf("shared page: %w", err)
	}
	if err := p.mapFile(p.file, size, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		p.file.Close()
		return nil, err
	}
	h := p.head
	h.size, h.run = uint64(size), uint64(s.Run)
	end, final := s.Schedule.InitialEnd()
	h.end.Store(int64(end))
	if final {
		h.final.Store(1)
	}
	h.busy.Store(int64(s.Participants))
	h.unfinished.Store(int64(s.Participants))
	for i := range s.Participants {
		p.next[i].Store(working) // until it arrives for the first time
		p.waiting[i].Store(int64(unit.Never))
		p.inbound[0][i].Store(int64(unit.Never))
		p.inbound[1][i].Store(int64(unit.Never))
		if p.looks {
			p.hastened[i].Store(int64(unit.Never))
		}
	}
	h.magic = magic
	return p, nil
}

// File is the page for others to Map or View; it is closed with the page that Create
// made, and nil of any other.
func (p *Page) File() *os.File { return p.file }

// Map opens the page that Create made with the same setup, from a duplicate of its
// file.
func Map(f *os.File, s Setup) (*Page, error) { return open(f, s, unix.PROT_READ|unix.PROT_WRITE) }

// View opens the page for reading: its methods that change anything may not be
// called.
func View(f *os.File, s Setup) (*Page, error) { return open(f, s, unix.PROT_READ) }

func open(f *os.File, s Setup, protection int) (*Page, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	p := &Page{setup: s}
	size := p.layout(nil)
	if err := p.mapFile(f, size, protection); err != nil {
		return nil, err
	}
	if h := p.head; h.magic != magic || h.size != uint64(size) || h.run != uint64(s.Run) {
		p.Close()
		return nil, fmt.Errorf("shared page: it was not made for run %08x of %d participants and %d links", s.Run,
			s.Participants, s.Links)
	}
	return p, nil
}

// mapFile maps a page. One that could be cut short is refused: to touch a missing part ends a process.
func (p *Page) mapFile(f *os.File, size, protection int) error {
	info, err := f.Stat()
	switch {
	case err != nil:
	case info.Size() < int64(size):
		err = fmt.Errorf("it has %d B, the run needs %d", info.Size(), size)
	case !sealed.Sealed(f):
		err = errors.New("it is not sealed memory")
	}
	if err == nil {
		p.bytes, err = unix.Mmap(int(f.Fd()), 0, size, protection, unix.MAP_SHARED)
	}
	if err != nil {
		return fmt.Errorf("shared page: %w", err)
	}
	p.layout(unsafe.Pointer(&p.bytes[0]))
	return nil
}

// Close unmaps the page. Nothing of it may be used after.
func (p *Page) Close() error {
	err := unix.Munmap(p.bytes)
	if p.file != nil {
		err = errors.Join(err, p.file.Close())
	}
	return err
}
