package report

import (
	"fmt"
	"testing"
)

// Tier: -short.
func TestFixed(t *testing.T) {
	for text, want := range map[string]string{
		"5.700": "5700 3", "-0.05": "-5 2", "12": "12 0", ".5": "5 1", "922337203685477.580": "922337203685477580 3",
		"": "error", "-": "error", "1-": "error", "1.2.3": "error", "1e5": "error", "99999999999999999999": "error",
	} {
		value, decimals, err := fixed(text)
		got := fmt.Sprint(value, decimals)
		if err != nil {
			got = "error"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
