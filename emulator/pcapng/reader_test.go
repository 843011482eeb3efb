package pcapng

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// written is a capture of three frames at two ports.
func written(t testing.TB) []byte {
	t.Helper()
	var file bytes.Buffer
	w, err := NewWriter(&file, []Interface{{"h0:0", 100 * unit.Gbps}, {"s0:0", 100 * unit.Gbps}})
	if err != nil {
		t.Fatal(err)
	}
	for i, direction := range []Direction{Outbound, Inbound, Undirected} {
		frame := bytes.Repeat([]byte{byte(i)}, 60+i)
		if err := w.WritePacket(i%2, unit.Time(1)<<40+unit.Time(i), direction, frame, strings.Repeat("CE", i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// A written file is read again; a file cut off between two blocks ends there, and one cut off within a block is
// refused.
func TestReader(t *testing.T) {
	file := written(t)
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []Packet{
		{Interface: "h0:0", At: 1 << 40, Direction: Outbound},
		{Interface: "s0:0", At: 1<<40 + 1, Direction: Inbound},
		{Interface: "h0:0", At: 1<<40 + 2},
	} {
		t.Run(fmt.Sprintf("Interface=%s,At=%v", want.Interface, want.At), func(t *testing.T) {
			got, err := r.Next()
			want.Frame = bytes.Repeat([]byte{byte(i)}, 60+i)
			if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v, %v, want %v", got, err, want)
			}
		})
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
	ends := 0
	for n := range file {
		if readAll(file[:n]) == nil {
			ends++
		}
	}
	if ends != 5 { // behind the header, two interfaces and two packets
		t.Errorf("%d places to cut are no error, want 5", ends)
	}
}

func readAll(file []byte) error {
	r, err := NewReader(bytes.NewReader(file))
	for err == nil {
		_, err = r.Next()
	}
	if errors.Is(err, io.EOF) && r != nil {
		return nil
	}
	return err
}

// Any bytes are read or refused.
func FuzzReader(f *testing.F) {
	f.Add(written(f))
	f.Fuzz(func(_ *testing.T, file []byte) { _ = readAll(file) })
}
