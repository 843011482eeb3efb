package eventlog

import (
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/inband"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// formatVersion is the version of the format that this package writes and reads.
const formatVersion = 1

// headerLine is the first line of a log. Signals are named as in cc.Signals.
type headerLine struct {
	Format    int               `json:"rocelab_event_log"`
	Flow      uint32            `json:"flow"`
	Name      string            `json:"name,omitempty"`
	End       string            `json:"end"`
	Algorithm string            `json:"algorithm"`
	Version   string            `json:"version"`
	Params    map[string]string `json:"params"`
	Signals   cc.Signals        `json:"signals"`
	Values    []valueLine       `json:"values,omitempty"`
	Facts     factsLine         `json:"facts"`
}

type factsLine struct {
	LineRate    unit.BitRate  `json:"line_rate_bps"`
	MTU         unit.Bytes    `json:"mtu_bytes"`
	PacketBytes unit.Bytes    `json:"packet_bytes"`
	BaseRTT     unit.Duration `json:"base_rtt_ps"`
	Baseline    unit.Duration `json:"baseline_ps"`
	Hops        int           `json:"hops"`
	Size        unit.Bytes    `json:"size_bytes,omitempty"`
	Group       *groupLine    `json:"group,omitempty"`
	// Chance is the state of the flow's stream, in hexadecimal.
	Chance []string `json:"chance,omitempty"`
}

type groupLine struct {
	Mode  cc.Mode `json:"mode,omitempty"`
	Flows int     `json:"flows,omitempty"`
	Ranks int     `json:"ranks,omitempty"`
}

// groupCallLine is a receiver's call with the controller's group.
type groupCallLine struct {
	N     int        `json:"n"`
	Group *groupLine `json:"group"`
}

// stackLine holds the records in hexadecimal: JSON readers take numbers of 64
// bits for floats.
type stackLine struct {
	Hops    uint8    `json:"hops"`
	Max     uint8    `json:"max"`
	Path    uint16   `json:"path,omitempty"`
	Records []string `json:"records,omitempty"`
}

// ownText writes an own extension without the zeros at its end.
func ownText(own *[cc.OwnBytes]byte) string {
	n := len(own)
	for n > 0 && own[n-1] == 0 {
		n--
	}
	return hex.EncodeToString(own[:n])
}

func parseOwn(text string) (own [cc.OwnBytes]byte, err error) {
	if len(text) > 2*len(own) {
		return own, fmt.Errorf("own is of %d characters, allowed are up to %d", len(text), 2*len(own))
	}
	if _, err := hex.Decode(own[:], []byte(text)); err != nil {
		return own, fmt.Errorf("own %q: %w", text, err)
	}
	return own, nil
}

func formatHex[T ~uint64](words []T) (list []string) {
	for _, w := range words {
		list = append(list, fmt.Sprintf("%016x", uint64(w)))
	}
	return list
}

func parseHex[T ~uint64](list []string, to []T) error {
	if len(list) > len(to) {
		return fmt.Errorf("%d words, allowed are %d", len(list), len(to))
	}
	for i, s := range list {
		if _, err := fmt.Sscanf(s, "%016x", &to[i]); err != nil || len(s) != 16 {
			return fmt.Errorf("%q is not a word of 16 hexadecimal digits", s)
		}
	}
	return nil
}

func lineOfStack(stack *inband.Stack) *stackLine {
	if *stack == (inband.Stack{}) {
		return nil
	}
	n := len(stack.Record)
	for n > 0 && stack.Record[n-1] == 0 {
		n--
	}
	return &stackLine{stack.Hops, stack.Max, stack.Path, formatHex(stack.Record[:n])}
}

func (l *stackLine) stack() (stack inband.Stack, err error) {
	stack.Hops, stack.Max, stack.Path = l.Hops, l.Max, l.Path
	return stack, parseHex(l.Records, stack.Record[:])
}

func lineOfGroup(group cc.Group) *groupLine { return &groupLine{group.Mode, group.Flows, group.Ranks} }

func (l *groupLine) group() cc.Group {
	if l == nil {
		return cc.Group{}
	}
	return cc.Group{Mode: l.Mode, Flows: l.Flows, Ranks: l.Ranks}
}

// kinds are the events by name.
var kinds = func() (names []string) {
	for k := cc.EventStart; k <= cc.EventLoss; k++ {
		names = append(names, k.String())
	}
	return names
}()

func parseKind(name string) (cc.EventKind, error) {
	if i := slices.Index(kinds, name); i >= 0 {
		return cc.EventKind(i), nil
	}
	return 0, fmt.Errorf("event %q, allowed are %v", name, kinds)
}
