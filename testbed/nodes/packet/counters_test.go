package packet

import "testing"

func TestSinceNamesWhatDiffers(t *testing.T) {
	before := Counters{
		RxErrors:  1,
		TxErrors:  2,
		RxDropped: 3,
		TxDropped: 4,
		RxMissed:  5,
	}
	if got := before.Since(before); got != "" {
		t.Errorf("nothing changed: %q", got)
	}
	for _, test := range []struct {
		now  Counters
		want string
	}{
		{Counters{2, 2, 3, 4, 5}, "rx_errors +1"},
		{Counters{1, 4, 3, 4, 5}, "tx_errors +2"},
		{Counters{1, 2, 6, 5, 5}, "rx_dropped +3, tx_dropped +1"},
		{Counters{1, 2, 3, 4, 9}, "rx_missed +4"},
		{Counters{1, 2, 3, 0, 5}, "tx_dropped -4"},
	} {
		if got := test.now.Since(before); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.now, got, test.want)
		}
	}
}

func TestClaimedFramesAreNoDrops(t *testing.T) {
	before := Counters{RxDropped: 3, TxDropped: 4}
	for _, test := range []struct{ rxDropped, unclaimed, want uint64 }{
		{3, 5, 3}, {8, 5, 3}, {9, 5, 4}, {6, 5, 3}, {6, 0, 6}, {2, 5, 2},
	} {
		got := Counters{RxDropped: test.rxDropped, TxDropped: 9}.Claim(before, test.unclaimed)
		if want := (Counters{RxDropped: test.want, TxDropped: 9}); got != want {
			t.Errorf("%+v: got %+v", test, got)
		}
	}
}

func TestReadCountersNamesTheInterface(t *testing.T) {
	if _, err := ReadCounters("nothing"); err == nil {
		t.Error("an interface that does not exist has counters")
	}
}
