package nicd

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gopacket/gopacket/pcapgo"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/wire"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// The capture is of two hosts with Linux's soft-RoCE: ../emulator/wire/testdata/README.md. Their QPs have the numbers
// that ours have, from FirstQP on.
const (
	client, server = 10<<24 | 77<<16 | 1, 10<<24 | 77<<16 | 2
	lastQP         = 0x22
	spacing        = 100 * ns // from frame to frame, so that no ACK of ours is late enough to be sent unasked
)

// captured returns the frames of the capture, which begin with number 1.
func captured(t *testing.T) []wire.Frame {
	t.Helper()
	file, err := os.Open("../emulator/wire/testdata/rxe.pcap")
	must(t, err)
	defer file.Close()
	reader, err := pcapgo.NewReader(file)
	must(t, err)
	frames := make([]wire.Frame, 1)
	for {
		b, _, err := reader.ReadPacketData()
		if err == io.EOF {
			return frames
		}
		must(t, err)
		var frame wire.Frame
		must(t, wire.Decode(b, &frame))
		frames = append(frames, frame)
	}
}

// conn is the responding end of a reliable connection of the capture.
type conn struct{ ip, qp uint32 }

// answer is a responder's answer: its frame's number, 0 for ours, and the compared fields.
type answer struct {
	number   int
	opcode   wire.Opcode
	psn, msn uint32
	syndrome uint8
}

func answerOf(number int, f *wire.Frame) answer {
	return answer{number, f.Opcode, f.PSN, f.MSN, f.Syndrome}
}

func (a answer) same(b answer) bool {
	a.number = b.number
	return a == b
}

func isAnswer(op wire.Opcode) bool { return op >= wire.ReadFirst && op <= wire.AtomicAcknowledge }

// theirs returns, of each responder, the number of its first request, its peer's QP and its answers, and how many
// frames are none of a reliable connection over IPv4.
func theirs(frames []wire.Frame) (first map[conn]int, peer map[conn]uint32, answers map[conn][]answer, others int) {
	first, peer, answers = map[conn]int{}, map[conn]uint32{}, map[conn][]answer{}
	ofPort := map[[2]uint32]conn{} // responder by its address and the UDP source port, which both ends share
	for i := 1; i < len(frames); i++ {
		f := &frames[i]
		switch {
		case f.EtherType == wire.EtherTypeIPv4 && requests[f.Opcode].isRequest:
			c := conn{f.DstIP, f.DestQP}
			if _, known := first[c]; !known {
				first[c] = i
			}
			ofPort[[2]uint32{f.DstIP, uint32(f.SrcPort)}] = c
		case f.EtherType == wire.EtherTypeIPv4 && isAnswer(f.Opcode):
			c := ofPort[[2]uint32{f.SrcIP, uint32(f.SrcPort)}]
			peer[c] = f.DestQP
			answers[c] = append(answers[c], answerOf(i, f))
		default:
			others++
		}
	}
	return first, peer, answers, others
}

func atFrame(number int) unit.Time { return at(us + unit.Duration(number)*spacing) }

// hostOf sets the host state of the program behind a QP of the server: its buffer, and receives. Unknown ones,
// perftest's and rping's, have all memory and receives without end.
func hostOf(c conn, config *ReceiverConfig) {
	const page = 0x560ffb569000
	if c.ip != server || c.qp > 0x15 {
		return
	}
	config.Memory = &Memory{RKey: 0x291, Address: page, Length: 8192}
	config.RNRTimer = 18
	switch config.Receives = slices.Repeat([]Receive{{Room: 4096}}, 7); c.qp {
	case 0x13:
		config.Receives = []Receive{{Posted: atFrame(48), Room: 4096}} // between frame 47 and its repetition
	case 0x15:
		config.Receives = []Receive{{Room: 32}} // for 64 B
	}
}

// ours feeds each request of the capture, at its place, to a NIC with the address of its destination, and returns
// what the receiving ends answer.
func ours(t *testing.T, frames []wire.Frame, first map[conn]int, peer map[conn]uint32) map[conn][]answer {
	t.Helper()
	answers := map[conn][]answer{}
	for _, ip := range []uint32{client, server} {
		l := newLone(t, config("nic", 0, ip, profile.DefaultNIC()))
		for qp := uint32(FirstQP); qp <= lastQP; qp++ {
			c, path := conn{ip, qp}, fabric.PathOf(channel, channel)
			receiver := ReceiverConfig{
				Name:       fmt.Sprintf("QP %#x", qp),
				QP:         qp,
				Peer:       Peer{QP: peer[c], IP: client + server - ip},
				MTU:        wire.MaxPayload,
				Controller: &script{},
				Path:       path,
				Back:       path,
			}
			if i, used := first[c]; used {
				receiver.FirstPSN = frames[i].PSN
			}
			hostOf(c, &receiver)
			must(t, l.n.AddReceiver(receiver))
		}
		for i := 1; i < len(frames); i++ {
			if f := &frames[i]; f.DstIP == ip && requests[f.Opcode].isRequest {
				l.arrive(atFrame(i), *f)
			}
		}
		of := map[uint32]conn{} // by the peer's QP
		for c := range first {
			if c.ip == ip {
				of[peer[c]] = c
			}
		}
		for _, d := range l.run(atFrame(len(frames))) {
			var f wire.Frame
			must(t, wire.Decode(d.Frame.AppendTo(nil), &f)) // as it is on the wire
			c := of[f.DestQP]
			answers[c] = append(answers[c], answerOf(0, &f))
		}
	}
	return answers
}

// refusalOf is the NAK in the place of a captured answer to a READ or an atomic, which there completed a message.
func refusalOf(a answer) answer {
	return answer{0, wire.Acknowledge, a.psn, a.msn - 1, wire.SyndromeNAKInvalid}
}

// differences are the numbers of the captured answers for which ours differs, and for which there is none, by
// responder; odd are answers of ours without any in the capture. Answers belong together by PSN, and by place if there
// are several.
func differences(theirs, ours map[conn][]answer) (other, none map[conn][]int, equal int, odd []string) {
	other, none = map[conn][]int{}, map[conn][]int{}
	for c, list := range theirs {
		rest := slices.Clone(ours[c])
		for _, want := range list {
			i := slices.IndexFunc(rest, func(a answer) bool { return a.psn == want.psn })
			switch {
			case i < 0 && len(other[c]) > 0: // in error
				none[c] = append(none[c], want.number)
				continue
			case i < 0:
				odd = append(odd, fmt.Sprintf("frame %d is %+v, ours has none", want.number, want))
				continue
			case rest[i].same(want):
				equal++
			case len(other[c]) == 0 && rest[i].same(refusalOf(want)):
				other[c] = append(other[c], want.number)
			default:
				odd = append(odd, fmt.Sprintf("frame %d is %+v, ours %+v", want.number, want, rest[i]))
			}
			rest = slices.Delete(rest, i, i+1)
		}
		for _, a := range rest {
			odd = append(odd, fmt.Sprintf("%+v of QP %#x, the capture has none", a, c.qp))
		}
	}
	return other, none, equal, odd
}

// rows are the rows of the table in README.md, but for their last column, the reason.
func rows(other, none map[conn][]int) (rows []string) {
	for c, numbers := range other {
		rows = append(rows, fmt.Sprintf("| %s %#x | %s | %s |", wire.IPString(c.ip), c.qp, ranges(numbers), ranges(none[c])))
	}
	slices.Sort(rows)
	return rows
}

// ranges lists numbers in order; three and more that follow each other are "1 to 3".
func ranges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		j := i
		for j+1 < len(numbers) && numbers[j+1] == numbers[j]+1 {
			j++
		}
		if j < i+2 {
			j = i
			parts = append(parts, fmt.Sprint(numbers[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d to %d", numbers[i], numbers[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// TestReplayOfSoftRoCE feeds the requests of a capture between two hosts with Linux's soft-RoCE to receiving ends of
// ours, and compares opcode, PSN, syndrome and MSN of what they answer with what the capture has: ACKs, an RNR NAK,
// the NAKs 0x62 and 0x63, PSNs that wrap. The differences are the rows of the table in README.md.
func TestReplayOfSoftRoCE(t *testing.T) {
	frames := captured(t)
	first, peer, want, others := theirs(frames)
	got := ours(t, frames, first, peer)
	other, none, equal, odd := differences(want, got)
	for _, line := range odd {
		t.Error(line)
	}
	readme, err := os.ReadFile("README.md")
	must(t, err)
	for _, row := range rows(other, none) {
		if !strings.Contains(string(readme), "\n"+row+" ") {
			t.Errorf("README.md has no row %s", row)
		}
	}
	if n := strings.Count(string(readme), "\n| 10.77.0."); n != len(other) {
		t.Errorf("README.md has %d rows, want %d", n, len(other))
	}
	t.Logf("%d answers are the same, %d connections differ, %d frames are of none", equal, len(other), others)
	if line := fmt.Sprintf("%d answers are the same", equal); !strings.Contains(string(readme), line) {
		t.Errorf("README.md has no %q", line)
	}
	wrong := func(name string, change func(a *answer)) {
		mutant := map[conn][]answer{}
		for c, list := range got {
			for _, a := range list {
				change(&a)
				mutant[c] = append(mutant[c], a)
			}
		}
		if _, _, _, odd := differences(want, mutant); len(odd) == 0 {
			t.Errorf("%s: the comparison sees nothing", name)
		}
	}
	wrong("NAK with PSN + 1", func(a *answer) {
		if a.syndrome != wire.SyndromeACK {
			a.psn = (a.psn + 1) & wire.PSNMask
		}
	})
	wrong("MSN not counted", func(a *answer) { a.msn = 0 })
}
