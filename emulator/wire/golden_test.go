package wire

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"net/netip"
	"os"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"
)

func goldenFrames(t testing.TB) (frames [][]byte) {
	t.Helper()
	file, err := os.Open("testdata/rxe.pcap")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := pcapgo.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for {
		b, _, err := r.ReadPacketData()
		if err == io.EOF {
			return frames
		}
		if err != nil {
			t.Fatal(err)
		}
		frames = append(frames, b)
	}
}

// TestGolden holds the codec to soft-RoCE: every frame decodes to what tshark
// reads and encodes to the same bytes.
func TestGolden(t *testing.T) {
	table, err := os.ReadFile("testdata/rxe.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(table)), "\n")[1:]
	frames := goldenFrames(t)
	if len(frames) != 237 || len(rows) != 237 {
		t.Fatalf("%d frames and %d rows, want 237", len(frames), len(rows))
	}
	unpadded := 0
	for i, b := range frames {
		var f Frame
		if err := Decode(b, &f); err != nil {
			t.Errorf("frame %d: %v", i+1, err)
			continue
		}
		if got := f.AppendTo(nil); !bytes.Equal(got, b) {
			t.Errorf("frame %d\n got %x\nwant %x", i+1, got, b)
		}
		if got := tsharkRow(i+1, len(b), &f); got != rows[i] {
			t.Errorf("frame %d\n got %q\nwant %q", i+1, got, rows[i])
		}
		if f.Rare != nil && f.Rare.Unpadded {
			unpadded++
			if f.Len() != minFrameLen {
				t.Errorf("frame %d: Len %d, a wire carries %d", i+1, f.Len(), minFrameLen)
			}
		}
	}
	if unpadded == 0 {
		t.Error("no frame without Ethernet padding")
	}
}

// tsharkRow writes f as a row of rxe.tsv.
func tsharkRow(number, length int, f *Frame) string {
	ip, ip6 := IPString(f.SrcIP), ""
	if f.EtherType == EtherTypeIPv6 {
		ip, ip6 = "", netip.AddrFrom16(f.Rare.SrcIP6).String()
	}
	syndrome := ""
	if headersOf[f.Opcode]&HasAETH != 0 {
		syndrome = fmt.Sprint(f.Syndrome & 0x1F)
		if f.Syndrome>>5 != 0 {
			syndrome = fmt.Sprint(f.Syndrome)
		}
	}
	return fmt.Sprintf("%d\t%s\t%s\t%d\t0x%06x\t%d\t%d\t%d\t%s\t%d", number, ip, ip6, f.SrcPort, f.DestQP, f.PSN, f.Opcode,
		f.Flags&padMask>>PadShift, syndrome, length)
}

// TestICRC compares the word-wise ICRC with the definition: masked copies and
// eight bytes of ones through the ordinary CRC.
func TestICRC(t *testing.T) {
	for i, b := range goldenFrames(t) {
		end := len(b) - icrcLen
		p := bytes.Clone(b[14:end])
		ones := func(at ...int) {
			for _, i := range at {
				p[i] = 0xFF
			}
		}
		if p[0] == 0x45 {
			ones(1, 8, 10, 11, 26, 27, 32)
		} else {
			p[0] |= 0x0F
			ones(1, 2, 3, 7, 46, 47, 52)
		}
		want := crc32.ChecksumIEEE(append(bytes.Repeat([]byte{0xFF}, 8), p...))
		if got := ICRC(b[14:end]); got != want {
			t.Errorf("frame %d: ICRC %08x, want %08x", i+1, got, want)
		}
	}
}
