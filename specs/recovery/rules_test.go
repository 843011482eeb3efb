package recovery

import (
	"strconv"
	"strings"
	"testing"
)

// traceOf reads a trace: "3" is data packet 3, "a3" an ACK, "n3" a NAK; "!" behind it: lost.
func traceOf(t *testing.T, text string) (trace []packet) {
	t.Helper()
	for _, word := range strings.Fields(text) {
		var p packet
		word, p.Lost = strings.CutSuffix(word, "!")
		switch word[0] {
		case 'a':
			p.Kind, word = ackPacket, word[1:]
		case 'n':
			p.Kind, word = nakPacket, word[1:]
		}
		number, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		p.Number = number
		trace = append(trace, p)
	}
	return trace
}

// Traces by hand of four packets, as each end sees them, with their fault, if any.
func TestRulesOfGoBackN(t *testing.T) {
	for _, x := range []struct {
		name, sender, receiver string
		broken                 [2]string // "" if the rules are kept
	}{
		{"nothing lost", "0 1 a0 2 3 a3", "0 a0 1 2 3 a3", [2]string{}},
		{"one lost", "0 1 2 3 a0 n1 1 2 3 a3", "0 a0 1! 2 n1 3 1 2 3 a3", [2]string{}},
		{"the NAK lost, too", "0 1 2 3 a0 n1! 1 2 3 a3", "0 a0 1! 2 n1 3 1 2 3 a3", [2]string{}},
		{"an ACK lost, the next covers it", "0 1 2 3 a0! a3", "0 a0 1 2 3 a3", [2]string{}},
		{"the last ACK lost", "0 1 2 3 a2 3 a3", "0 1 2 a2 3 a3 3 a3", [2]string{}},
		{"a repair lost, found by the timer", "0 1 2 3 a0 n1 1 2 3 1 2 3 a3", "0 a0 1! 2 n1 3 1! 2 3 1 2 3 a3", [2]string{}},
		{"a second NAK of a gap", "0 1 2 3 n1 n1 1 2 3 a3", "0 1! 2 n1 3 n1 1 2 3 a3",
			[2]string{"NAK of 1 while that of 1 waits", "NAK of 1 after that of 1"}},
		{"a NAK each round", "0 1 2 3 n1 1 2 3 n1 1 2 3 a3", "0 1! 2 n1 3 1! 2 n1 3 1 2 3 a3",
			[2]string{"", "NAK of 1 after that of 1"}},
		{"a NAK of another packet", "0 1 2 3 n2 2 3 a3", "0 1! 2 n2 3 1 2 3 a3",
			[2]string{"", "NAK of 2 while 1 is missing"}},
		{"a NAK without a gap", "0 1 2 3 n2 2 3 a3", "0 1 n2 2 3 a3", [2]string{"", "NAK of 2 while -1 is missing"}},
		{"back to another packet than the NAK's", "0 1 2 3 n1 2 3 a3", "0 1! 2 n1 3 2 3 a3",
			[2]string{"packet 2 is sent after 3, while the NAK of 1 waits", "0 came last"}},
		{"an ACK that goes back", "0 1 2 3 a2 a1 a3", "0 1 2 a2 a1 3 a3",
			[2]string{"ACK of 1 after that of 2", "ACK of 1 after that of 2"}},
		{"not all acknowledged", "0 1 2 3 a2", "0 1 2 a2 3", [2]string{"3 was sent last and 2", "3 came last and 2"}},
		{"not all sent", "0 1 2 a2", "0 1 2 a2", [2]string{"2 was sent last", "2 came last"}},
		{"a NAK that is not answered", "0 1 2 3 n1 a3", "0 1! 2 n1 3 a3", [2]string{"the NAK of 1 was never", "0 came last"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, sender := checkSender(traceOf(t, x.sender), 4)
			_, receiver := checkReceiver(traceOf(t, x.receiver), 4)
			for i, err := range []error{sender, receiver} {
				switch {
				case err == nil && x.broken[i] != "":
					t.Errorf("%s: end %d keeps the rules, want %q", x.name, i, x.broken[i])
				case err != nil && (x.broken[i] == "" || !strings.Contains(err.Error(), x.broken[i])):
					t.Errorf("%s: end %d: %v, want %q", x.name, i, err, x.broken[i])
				}
			}
		})
	}
}

// The further counts for one lost packet whose repair is lost.
func TestTalliesOfGoBackN(t *testing.T) {
	sender, _ := checkSender(traceOf(t, "0 1 2 3 n1 1 2 3 1 2 3 a3"), 4)
	receiver, _ := checkReceiver(traceOf(t, "0 1! 2 n1 3 1! 2 3 1 2 3 a3"), 4)
	if want := (tally{Data: 10, Naks: 1, Timeouts: 1}); sender != want {
		t.Errorf("sender %+v, want %+v", sender, want)
	}
	if want := (tally{Data: 10, Lost: 2, Naks: 1, Gaps: 1}); receiver != want {
		t.Errorf("receiver %+v, want %+v", receiver, want)
	}
}
