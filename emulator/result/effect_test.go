package result

import (
	"fmt"
	"math"
	"testing"
)

// A verdict has the shares of packets sent again and of frames lost beside the goodput from a tenth on, and calls it a
// collapse from half on.
func TestCollapse(t *testing.T) {
	for _, c := range []struct {
		resent uint64 // of 1000
		want   string
	}{
		{0, ""},
		{99, ""},
		{100, "10 % of the data packets were sent again, and 2.5 % of the frames were lost; goodput is 8 Gb/s"},
		{499, "49.9 % of the data packets were sent again, and 2.5 % of the frames were lost; goodput is 8 Gb/s"},
		{500, "collapse: 50 % of the data packets were sent again, and 2.5 % of the frames were lost; goodput is 8 Gb/s"},
		{990, "collapse: 99 % of the data packets were sent again, and 2.5 % of the frames were lost; goodput is 8 Gb/s"},
	} {
		t.Run(fmt.Sprintf("resent=%v", c.resent), func(t *testing.T) {
			o := star()
			for i := range o.Flows {
				o.Flows[i].Sender.Packets = 500
			}
			o.Flows[0].Sender.Resent = min(c.resent, 500)
			o.Flows[1].Sender.Resent = c.resent - min(c.resent, 500)
			s := Summarise(o)
			if s.ResentShare != float64(c.resent)/1000 {
				t.Fatalf("%v of the packets were sent again, want %d of 1000", s.ResentShare, c.resent)
			}
			s.DroppedShare = 0.025
			got := ""
			for _, f := range Judge(o, s).Findings {
				if f.Subject == Effect && f.Status == Pass && f.Text == collapse(s) {
					got = f.Text
				}
			}
			if got != c.want {
				t.Errorf("%d of 1000: %q, want %q", c.resent, got, c.want)
			}
		})
	}
	without := &Summary{}
	if without.ResentShare = math.NaN(); collapse(without) != "" {
		t.Errorf("without packets: %q", collapse(without))
	}
}
