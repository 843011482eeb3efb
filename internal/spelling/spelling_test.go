package spelling

import (
	"fmt"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	algorithms := []string{"dcqcn", "dctcp", "fixed", "hpcc", "none", "pc4", "swift", "timely"}
	metrics := []string{"fct_mean_us", "fct_p99_us", "queue_max_bytes", "queueing_mean_us"}
	for _, c := range []struct {
		word string
		list []string
		want string
	}{
		{"dcqn", algorithms, "dcqcn"},
		{"dqccn", algorithms, "dcqcn"},
		{"PC4", algorithms, "pc4"},
		{"pc5", algorithms, "pc4"},
		{"cp4", algorithms, "pc4"},
		{"timley", algorithms, "timely"},
		{"cubic", algorithms, ""},
		{"pc", algorithms, ""},
		{"", algorithms, ""},
		{"fct_p99", metrics, "fct_p99_us"},
		{"queue", metrics, ""}, // two begin so
		{"queue_max", metrics, "queue_max_bytes"},
		{strings.Repeat("x", 65), []string{strings.Repeat("x", 64)}, ""},
		{"dcqcn", nil, ""},
	} {
		t.Run(fmt.Sprintf("%.50q", c.word), func(t *testing.T) {
			if got := Nearest(c.word, c.list); got != c.want {
				t.Errorf("%q: %q, want %q", c.word, got, c.want)
			}
		})
	}
}

func TestByNearness(t *testing.T) {
	list := []string{"alpha", "kmax", "ecn", "uplink_rate", "kmin", "rate"}
	for word, want := range map[string]string{
		"link_rate":             "uplink_rate rate kmax alpha ecn kmin",
		"kmn":                   "kmin kmax ecn rate alpha uplink_rate",
		strings.Repeat("x", 65): "alpha kmax ecn uplink_rate kmin rate",
	} {
		t.Run(fmt.Sprintf("%.50q", word), func(t *testing.T) {
			if got := strings.Join(ByNearness(word, list), " "); got != want {
				t.Errorf("%s: %s, want %s", word, got, want)
			}
		})
	}
}

func TestHint(t *testing.T) {
	list := []string{"h0", "leaf1"}
	if got := Hint("leaf2", list, "there are h0, leaf1"); got != "did you mean leaf1?" {
		t.Error(got)
	}
	if got := Hint("spine", list, "there are h0, leaf1"); got != "there are h0, leaf1" {
		t.Error(got)
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     int
	}{
		{"", "", 0},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abc", 0},
		{"abc", "abd", 1},
		{"abc", "acb", 1},
		{"abc", "bc", 1},
		{"abcd", "badc", 2},
		{"kitten", "sitting", 3},
		{"ca", "abc", 3}, // no letter is changed twice
	} {
		t.Run(fmt.Sprintf("from=%s,to=%s", c.from, c.to), func(t *testing.T) {
			if got := distance(c.from, c.to); got != c.want {
				t.Errorf("%q to %q: %d, want %d", c.from, c.to, got, c.want)
			}
		})
	}
}
