package journal

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/chance"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

var header = Header{Edge: "a", Dilation: 10, Digest: "5f2c", Seed: 7}

// end is the end of the runs of these journals, after all entries.
const end = 1000 * unit.Time(unit.Second)

// some are entries of every sort: before the run, at the same time, of no and all bytes.
func some(n int) (list []Entry) {
	rng := chance.New(1, "entries")
	taken := unit.Time(0)
	for i := range n {
		frame := make([]byte, rng.Below(40))
		if i == 3 && n > 10 {
			frame = make([]byte, maxFrame)
		}
		for j := range frame {
			frame[j] = byte(rng.Uint64())
		}
		came := taken - unit.Time(rng.Below(1000))
		list = append(list, Entry{came, taken, frame})
		taken += unit.Time(rng.Below(3) * rng.Below(1e9))
	}
	return list
}

// written is the journal of a list.
func written(t testing.TB, list []Entry, limit int64) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, header, limit)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		w.Add(e.Came, e.Taken, e.Frame)
	}
	if err := w.Close(end); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// read reads a journal to its end.
func read(file []byte) (list []Entry, r *Reader, err error) {
	if r, err = Open("a.journal", bytes.NewReader(file)); err != nil {
		return nil, nil, err
	}
	var e Entry
	for {
		more, err := r.Next(&e)
		if err != nil || !more {
			return list, r, err
		}
		list = append(list, Entry{e.Came, e.Taken, bytes.Clone(e.Frame)})
	}
}

func same(a, b []Entry) bool {
	return slices.EqualFunc(a, b, func(a, b Entry) bool {
		return a.Came == b.Came && a.Taken == b.Taken && bytes.Equal(a.Frame, b.Frame)
	})
}

// A written journal is read again. The larger one fills the buffers several times.
func TestRoundTrip(t *testing.T) {
	for _, n := range []int{0, 1, 50, 100_000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			list := some(n)
			got, r, err := read(written(t, list, 0))
			if err != nil || !same(got, list) {
				t.Fatalf("%d entries: %d are back, %v", n, len(got), err)
			}
			total := uint64(0)
			for i := range list {
				total += uint64(len(list[i].Frame))
			}
			want := Footer{Frames: uint64(n), Bytes: total, End: end}
			if r.Header() != header || r.Footer() != want {
				t.Errorf("%d entries: %+v, %+v", n, r.Header(), r.Footer())
			}
		})
	}
}

// refused insists on a *DamagedError that names the file and a place.
func refused(t *testing.T, what string, file []byte, atMost int) {
	t.Helper()
	_, err := Open("a.journal", bytes.NewReader(file))
	var damaged *DamagedError
	if !errors.As(err, &damaged) || damaged.Name != "a.journal" || damaged.Offset > int64(atMost) ||
		!strings.HasPrefix(err.Error(), fmt.Sprintf("journal a.journal: at offset %d: ", damaged.Offset)) {
		t.Fatalf("%s: %v, want damage at offset %d or before", what, err, atMost)
	}
}

// Every cut is refused, and every change of a bit, at or before its place.
func TestDamageIsRefused(t *testing.T) {
	file := written(t, some(8), 0)
	for n := range file {
		refused(t, fmt.Sprintf("cut to %d bytes", n), file[:n], n)
	}
	for i := range file {
		for bit := range 8 {
			changed := bytes.Clone(file)
			changed[i] ^= 1 << bit
			refused(t, fmt.Sprintf("bit %d of byte %d", bit, i), changed, i)
		}
	}
	refused(t, "a byte more", append(bytes.Clone(file), 0), len(file))
}

// Records that are left out, exchanged or repeated are whole each, and are refused.
func TestRecordsInAnotherOrderAreRefused(t *testing.T) {
	var ends []int // of the records
	file := written(t, some(8), 0)
	r, err := Open("a.journal", bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for more := true; more; {
		ends = append(ends, int(r.offset))
		var e Entry
		if more, err = r.Next(&e); err != nil {
			t.Fatal(err)
		}
	}
	for i := range len(ends) - 1 {
		a, b := ends[i], ends[i+1]
		refused(t, fmt.Sprintf("without record %d", i), slices.Concat(file[:a], file[b:]), len(file))
		refused(t, fmt.Sprintf("record %d twice", i), slices.Concat(file[:b], file[a:b], file[b:]), len(file))
	}
}

// An entry whose time is before the last one's, or after the end, is refused with its position.
func TestTimesThatCannotBeAreRefused(t *testing.T) {
	list := some(4)
	last := len(written(t, list[:3], 0)) - endLength
	late := list[3]
	late.Taken = end + 1
	back := binary.AppendUvarint([]byte{frameRecord}, uint64(1<<64-1)) // a picosecond less than the one before
	for what, c := range map[string]struct {
		file []byte
		want string
	}{
		"after the end": {written(t, append(list[:3:3], late), 0), "after the end at 1000s"},
		"going back": {slices.Concat(written(t, list[:3], 0)[:last], back, make([]byte, 20)),
			"a time of 18446744073709551615: allowed are 0 to"},
	} {
		t.Run(what, func(t *testing.T) {
			_, err := Open("a.journal", bytes.NewReader(c.file))
			var damaged *DamagedError
			if !errors.As(err, &damaged) || damaged.Offset != int64(last) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s at offset %d", what, err, c.want, last)
			}
		})
	}
	late.Taken = end
	if _, _, err := read(written(t, append(list[:3:3], late), 0)); err != nil {
		t.Errorf("at the end: %v", err)
	}
}

// A record may claim any length: missing bytes do not take memory.
func TestNonsenseCostsNoMemory(t *testing.T) {
	whole := written(t, nil, 0)
	headerEnd := len(whole) - endLength
	huge := []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x7F}
	endless := bytes.Repeat([]byte{0xFF}, 20)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 100 {
		refused(t, "a huge header", slices.Concat([]byte(firstLine), []byte{headerRecord}, huge), 1<<20)
		refused(t, "a huge frame", slices.Concat(whole[:headerEnd], []byte{frameRecord, 0, 0}, huge), 1<<20)
		refused(t, "a huge number", slices.Concat(whole[:headerEnd], []byte{frameRecord}, endless), 1<<20)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 300*300<<10 {
		t.Errorf("%d bytes for 300 small files", used)
	}
}

// The limit ends the recording; the rest is whole and marked so.
func TestLimit(t *testing.T) {
	list := some(1000)[4:]
	const limit = 5000
	file := written(t, list, limit)
	got, r, err := read(file)
	if err != nil || !r.Footer().Full || len(file) > limit+endLength || len(file) < limit-100 ||
		!same(got, list[:len(got)]) {
		t.Errorf("%d bytes with %d entries, full %v, %v", len(file), len(got), r.Footer().Full, err)
	}
}

// gate is a disk that writes nothing until it is opened, and then may be full.
type gate struct {
	open    chan struct{}
	room    int
	written int
}

var errFull = errors.New("no space left on device")

func (g *gate) Write(b []byte) (int, error) {
	<-g.open
	if g.written+len(b) > g.room {
		return 0, errFull
	}
	g.written += len(b)
	return len(b), nil
}

// Add does not wait for a slow disk, as long as that is less than the buffers behind.
func TestSlowDisk(t *testing.T) {
	disk := &gate{open: make(chan struct{}), room: 1 << 30}
	w, err := NewWriter(disk, header, 0)
	if err != nil {
		t.Fatal(err)
	}
	frame := make([]byte, 1500)
	const frames = (chunks - 2) * chunk / 1600
	for i := range frames {
		w.Add(unit.Time(i), unit.Time(i), frame) // would never return
	}
	close(disk.open)
	if err := w.Close(1e9); err != nil || disk.written < frames*1500 {
		t.Errorf("%d bytes written, %v", disk.written, err)
	}
}

// A full disk is an error of Close, and does not block anything.
func TestFullDisk(t *testing.T) {
	disk := &gate{open: make(chan struct{}), room: 2 * chunk}
	close(disk.open)
	w, err := NewWriter(disk, header, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 * chunks * chunk / 1500 {
		w.Add(unit.Time(i), unit.Time(i), make([]byte, 1500))
	}
	if err := w.Close(1e9); !errors.Is(err, errFull) {
		t.Errorf("%v, want %v", err, errFull)
	}
}

// Adding a frame allocates nothing.
func TestAddAllocatesNothing(t *testing.T) {
	w, err := NewWriter(io.Discard, header, 0)
	if err != nil {
		t.Fatal(err)
	}
	frame, at := make([]byte, 100), unit.Time(0)
	if n := testing.AllocsPerRun(1000, func() { at++; w.Add(at, at, frame) }); n != 0 {
		t.Errorf("%v allocations a frame", n)
	}
	if err := w.Close(at); err != nil {
		t.Error(err)
	}
}

// An edge that gives a journal times that decrease is broken.
func TestTimesThatDecreasePanic(t *testing.T) {
	for _, times := range [][2]unit.Time{{0, 99}, {200, 150}} {
		t.Run(fmt.Sprint(times), func(t *testing.T) {
			w, err := NewWriter(io.Discard, header, 0)
			if err != nil {
				t.Fatal(err)
			}
			w.Add(100, 100, nil)
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("came at %d, taken at %d: no panic", times[0], times[1])
					}
				}()
				w.Add(times[0], times[1], nil)
			}()
		})
	}
}

// Reading any file ends, in an error or in entries that a writer writes again.
func FuzzOpen(f *testing.F) {
	f.Add(written(f, nil, 0))
	f.Add(written(f, some(8), 0))
	f.Add(written(f, some(8), 150))
	f.Add([]byte(firstLine))
	f.Fuzz(func(t *testing.T, file []byte) {
		list, r, err := read(file)
		if err != nil {
			return
		}
		var again bytes.Buffer
		w, err := NewWriter(&again, r.Header(), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			w.Add(e.Came, e.Taken, e.Frame)
		}
		w.footer.Full = r.Footer().Full
		if err := w.Close(r.Footer().End); err != nil {
			t.Fatal(err)
		}
		back, r2, err := read(again.Bytes())
		if err != nil || !same(back, list) || !reflect.DeepEqual(r.Footer(), r2.Footer()) {
			t.Errorf("%d entries, %+v; written again %d, %v", len(list), r.Footer(), len(back), err)
		}
	})
}

func BenchmarkAdd(b *testing.B) {
	w, err := NewWriter(io.Discard, header, 0)
	if err != nil {
		b.Fatal(err)
	}
	frame := make([]byte, 1514)
	b.SetBytes(int64(len(frame)))
	at := unit.Time(0)
	for b.Loop() {
		at += 1e6
		w.Add(at, at, frame)
	}
	if err := w.Close(at); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkOpen checks a journal whole, as is done at the end of a run and before a replay.
func BenchmarkOpen(b *testing.B) {
	var file bytes.Buffer
	w, err := NewWriter(&file, Header{}, 0)
	if err != nil {
		b.Fatal(err)
	}
	frame := make([]byte, 1514)
	for i := range 20_000 {
		w.Add(unit.Time(i), unit.Time(i), frame)
	}
	if err := w.Close(1 << 40); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		if _, err := Open("", bytes.NewReader(file.Bytes())); err != nil {
			b.Fatal(err)
		}
	}
}
