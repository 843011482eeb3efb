package lockstep

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/rocelab/rocelab/emulator/engine"
	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/unit"
)

// Setup is what a run's windows follow from. All participants get the same.
type Setup struct {
	// Run is the number that every frame of the run carries.
	Run uint32
	// Participants and Links count who takes part and the directions of links.
	Participants, Links int
	// Lookahead is the longest window; see fabric.Attachment.
	Lookahead unit.Duration
	// Schedule says where the run ends.
	Schedule engine.Schedule
	// SamplePeriod is the interval at whose multiples a window ends and participants
	// that hold switches are woken to sample their blocked queues; 0 for none.
	SamplePeriod unit.Duration
	// Sampled says of each participant whether it is one of those.
	Sampled []bool
}

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
	magic, size uint64
	_           [line - 16]byte

	// The window: written by whoever concludes the last one, before it wakes.
	window       atomic.Uint64
	start, bound atomic.Int64
	end          atomic.Int64
	over         atomic.Uint32 // 1 + engine.Stop when the run is over
	final        atomic.Uint32 // the end is known
	_            [line - 40]byte
	// The wall clock at the first window and at the end; for readers outside the run.
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
	bytes []byte
	head  *header
	// Of each participant.
	next     []atomic.Int64 // its earliest event
	inbound  [2][]atomic.Int64
	waiting  []atomic.Int64  // the earliest arrival it was not woken for yet
	granted  []atomic.Uint64 // the last window granted to it
	last     []atomic.Int64  // its last completion of a flow
	acked    []spaced
	hops     []spaced
	doorbell []bell // one for each group of 32
	// Of each direction of a link.
	sent, received []spaced
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
	p.head = (*header)(base)
	p.next = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.inbound[0] = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.inbound[1] = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.waiting = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	p.granted = unsafe.Slice((*atomic.Uint64)(words(n)), lengthIf(base, n))
	p.last = unsafe.Slice((*atomic.Int64)(words(n)), lengthIf(base, n))
	const step = line / 8
	p.acked = unsafe.Slice((*spaced)(words(n*step)), lengthIf(base, n))
	p.hops = unsafe.Slice((*spaced)(words(n*step)), lengthIf(base, n))
	p.doorbell = unsafe.Slice((*bell)(words(groups(n)*step)), lengthIf(base, groups(n)))
	p.sent = unsafe.Slice((*spaced)(words(l*step)), lengthIf(base, l))
	p.received = unsafe.Slice((*spaced)(words(l*step)), lengthIf(base, l))
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

// Create makes the page in an empty file and begins the run: every
// participant must Join and then arrive once before the first window.
func Create(f *os.File, s Setup) (*Page, error) {
	p := &Page{setup: s}
	size := p.layout(nil)
	if err := f.Truncate(int64(size)); err != nil {
		return nil, fmt.Errorf("shared page of %d B: %w", size, err)
	}
	if err := p.mapFile(f, size, unix.PROT_READ|unix.PROT_WRITE); err != nil {
		return nil, err
	}
	h := p.head
	h.size = uint64(size)
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
	}
	h.magic = magic
	return p, nil
}

// Map opens the page that Create made in f with the same setup.
func Map(f *os.File, s Setup) (*Page, error) { return open(f, s, unix.PROT_READ|unix.PROT_WRITE) }

// View opens the page for reading: its methods that change anything may not be
// called.
func View(f *os.File, s Setup) (*Page, error) { return open(f, s, unix.PROT_READ) }

func open(f *os.File, s Setup, protection int) (*Page, error) {
	p := &Page{setup: s}
	size := p.layout(nil)
	if err := p.mapFile(f, size, protection); err != nil {
		return nil, err
	}
	if p.head.magic != magic || p.head.size != uint64(size) {
		err := fmt.Errorf("shared page: it was not made for %d participants and %d links", s.Participants, s.Links)
		return nil, joinClose(err, p)
	}
	return p, nil
}

func joinClose(err error, p *Page) error {
	p.Close()
	return err
}

func (p *Page) mapFile(f *os.File, size, protection int) error {
	info, err := f.Stat()
	if err == nil && info.Size() < int64(size) {
		err = fmt.Errorf("it has %d B, the run needs %d", info.Size(), size)
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
func (p *Page) Close() error { return unix.Munmap(p.bytes) }

// Now returns an instant before which nothing more can happen. It is the only
// view of a run's time for those who take no part, such as a live capture.
func (p *Page) Now() unit.Time { return unit.Time(p.head.start.Load()) }

// Window returns the number of the current window, counted from 1.
func (p *Page) Window() uint64 { return p.head.window.Load() }

// Over reports whether the run is over, and then when it ended, why, and the
// last window's end.
func (p *Page) Over() (end unit.Time, why engine.Stop, over bool) {
	o := p.head.over.Load()
	if o == 0 {
		return 0, 0, false
	}
	return unit.Time(p.head.end.Load()), engine.Stop(o - 1), true
}

// Wall is how long the windows took, by the wall clock, when the run is over.
func (p *Page) Wall() time.Duration {
	if p.head.began.Load() == 0 { // stopped before
		return 0
	}
	return time.Duration(p.head.ended.Load() - p.head.began.Load())
}

// Stop asks for the run to end, as interrupted, before the next window.
func (p *Page) Stop() { p.head.stop.Store(1) }

// Abort has every participant give up at once: after an error the windows
// cannot go on.
func (p *Page) Abort() {
	p.head.aborted.Store(1)
	for g := range p.doorbell {
		p.doorbell[g].Add(1)
		p.doorbell[g].wake(^uint32(0))
	}
}

// Aborted reports whether someone asked to give up.
func (p *Page) Aborted() bool { return p.head.aborted.Load() != 0 }

// Progress returns the sums of what the participants noted.
func (p *Page) Progress() (hops uint64, acked unit.Bytes) {
	for i := range p.hops {
		hops += p.hops[i].Load()
		acked += unit.Bytes(p.acked[i].Load())
	}
	return hops, acked
}

// Laggards returns the participants that the current window waits for; for
// messages.
func (p *Page) Laggards() (list []int) {
	for i := range p.next {
		if p.next[i].Load() == working {
			list = append(list, i)
		}
	}
	return list
}

// Announced returns how many frames were sent on a link so far.
func (p *Page) Announced(l fabric.LinkID) uint64 { return p.sent[l].Load() }

// Taken returns how many frames of a link its receiver has read.
func (p *Page) Taken(l fabric.LinkID) uint64 { return p.received[l].Load() }
