package edge

import (
	"testing"

	"github.com/rocelab/rocelab/emulator/wire"
)

// Data that models do not read is still in the trace, if a frame comes in, if it is dropped or waits for the link to
// the end, and if one leaves.
func TestEveryByteIsInTheTrace(t *testing.T) {
	known := func() *wire.Frame {
		f := frame(1, 64, 26)
		f.Opcode, f.DMALen, f.Rare = wire.WriteOnly, 64, &wire.Rare{Payload: make([]byte, 64)}
		f.Rare.Payload[0] = 1
		return f
	}
	changes := map[string]func(*wire.Frame){
		"payload":      func(f *wire.Frame) { f.Rare.Payload[63] ^= 1 },
		"RETH":         func(f *wire.Frame) { f.VA ^= 1 },
		"MAC":          func(f *wire.Frame) { f.Dst[5] ^= 1 },
		"UDP checksum": func(f *wire.Frame) { f.UDPChecksum ^= 1 },
	}
	full := config()
	full.Queue = 1
	stuck := config()
	stuck.PFCHere = true
	held := []sent{{0, *pause(3, 0xFFFF)}}
	for what, c := range map[string]struct {
		config Config
		script func(f *wire.Frame) *script
	}{
		"comes in": {config(), func(f *wire.Frame) *script { return &script{foreign: []foreign{{frame: *f, taken: us}}} }},
		"dropped":  {full, func(f *wire.Frame) *script { return &script{foreign: []foreign{{frame: *f, taken: us}}} }},
		"waits": {stuck, func(f *wire.Frame) *script {
			return &script{foreign: []foreign{{frame: *f, taken: 500 * us}}, fabric: held}
		}},
		"leaves": {config(), func(f *wire.Frame) *script { return &script{fabric: []sent{{us, *f}}} }},
	} {
		t.Run(what, func(t *testing.T) {
			trace := func(f *wire.Frame) any {
				s := play(t, c.config, c.script(f), even(window), false)
				return s.edge.Trace(s.hash)
			}
			plain := trace(known())
			if trace(known()) != plain {
				t.Errorf("%s: the trace does not repeat", what)
			}
			for part, change := range changes {
				f := known()
				change(f)
				if trace(f) == plain {
					t.Errorf("%s: another %s is not in the trace", what, part)
				}
			}
		})
	}
}
