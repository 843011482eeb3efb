package switchd

import (
	"runtime"
	"testing"
)

// A port that nothing has come to takes 5.2 KB, with its part of the switch: large fabrics have some hundred thousand.
// Tier: -short. Red where each port's record is made by itself.
func TestRoomOfAnIdlePort(t *testing.T) {
	const ports, most = 64, 5300
	config := star(ports)
	config.Profile.Buffer *= 64 // the headroom of so many
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := New(config); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / ports; each > most {
		t.Errorf("%d B a port, at most %d are allowed", each, most)
	}
}
