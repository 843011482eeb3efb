package sonic

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Characters and lengths at the ends of what a name has, and beside them.
func TestEdgesOfNames(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "9": true, "/": false, ":": false,
		"a": true, "z": true, "`": false, "{": false,
		"A": true, "Z": true, "@": false, "[": false,
		"a-": true, "-a": false, "": false,
		strings.Repeat("a", 64): true, strings.Repeat("a", 65): false,
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			if got := isName(text); got != want {
				t.Errorf("%q is a name: %t", text, got)
			}
		})
	}
	for name, want := range map[string]bool{
		"Ethernet0": true, "Ethernet9": true, "Ethernet/": false, "Ethernet:": false, "Ethernet": false,
	} {
		t.Run(name, func(t *testing.T) {
			if got := isPort(name); got != want {
				t.Errorf("%q is a port: %t", name, got)
			}
		})
	}
	for name, want := range map[string]int{
		"Ethernet0": 0, "Ethernet9": 9, "Ethernet10": 10, "Ethernet/1": 1, "Eth1:2": 1,
		"Ethernet999999999": 999999999, "Ethernet1000000005": 100000000, // nine digits count
	} {
		t.Run(name, func(t *testing.T) {
			if got := portNumber(name); got != want {
				t.Errorf("%q has number %d, want %d", name, got, want)
			}
		})
	}
	for name, want := range map[string]string{
		"a": "a", "z": "z", "A": "A", "Z": "Z", "e": `"e"`, "1": `"1"`, "@": `"@"`, "[": `"["`, "`": "\"`\"", "{": `"{"`,
	} {
		t.Run(name, func(t *testing.T) {
			if got := quoted(name); got != want {
				t.Errorf("%s is written %s, want %s", name, got, want)
			}
		})
	}
}

// A text of 120 characters stays, and of a list without a majority the first value counts.
func TestEdgesOfTexts(t *testing.T) {
	for n, want := range map[int]string{
		119: strings.Repeat("ä", 119),
		120: strings.Repeat("ä", 120),
		121: strings.Repeat("ä", 117) + "...",
	} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			if got := shorten(strings.Repeat("ä", n)); got != want {
				t.Errorf("%d characters become %q", n, got)
			}
		})
	}
	if got := mostOf([]int{1, 2}); got != 1 {
		t.Errorf("most of 1 and 2 is %d", got)
	}
	if got := (&numberMap{of: []int{0, -1}}).get(0, 7); got != 0 {
		t.Errorf("a map to 0 gives %d", got)
	}
	if got := given(0, 7); got != 0 {
		t.Errorf("a size of 0 becomes %v", got)
	}
}

// Names at the bound, and one beyond.
func TestEdgesOfNameLengths(t *testing.T) {
	for n, want := range map[int]string{60: "", 61: "is not the name of a port"} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			name := "Ethernet" + strings.Repeat("0", n-len("Ethernet"))
			_, err := Import("x", fmt.Appendf(nil, `{"PORT": {%q: {"speed": "100000"}, "Ethernet4": {"speed": "100000"}}}`,
				name))
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("a name of %d: %v", n, err)
			}
		})
	}
}

// Thresholds may be equal, and the longest cable is allowed.
func TestEdgesOfFields(t *testing.T) {
	const ports = `"PORT": {"Ethernet0": {"speed": "100000"}, "Ethernet4": {"speed": "100000"}}`
	const cable = `"CABLE_LENGTH": {"A": {"Ethernet0": "%dm"}}`
	for _, c := range []struct{ table, want string }{
		{`"WRED_PROFILE": {"A": {"green_min_threshold": "200", "green_max_threshold": "199"}}`, "200 is above"},
		{`"WRED_PROFILE": {"A": {"green_min_threshold": "200", "green_max_threshold": "200"}}`, ""},
		{fmt.Sprintf(cable, int64(maxCable/unit.Metre)), ""},
		{fmt.Sprintf(cable, int64(maxCable/unit.Metre)+1), "must be a length in metres"},
	} {
		_, err := Import("x", []byte(`{`+ports+`, `+c.table+`}`))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.table, err)
		}
	}
}
