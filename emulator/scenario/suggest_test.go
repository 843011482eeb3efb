package scenario

import (
	"strings"
	"testing"
)

// What stands for a word is a key of scenarios.
func TestMeantWordsAreKeys(t *testing.T) {
	text := string(Schema())
	for word, ours := range meant {
		t.Run(word, func(t *testing.T) {
			for _, key := range ours {
				if !strings.Contains(text, `"`+key+`":{`) && !strings.Contains(text, `"`+key+`": {`) {
					t.Errorf("%s means %s, which is no key", word, key)
				}
			}
		})
	}
}

// All hosts are called all, unless a host has that name.
func TestAllHosts(t *testing.T) {
	const star = "algorithm: pc4\ntopology: {kind: star, hosts: 4}\n"
	for src, want := range map[string]int{
		star + "traffic: [{from: all, to: h3, size: 1MB}]":                  3,
		star + "traffic: [{from: all, to: all, size: 1MB}]":                 12,
		star + "traffic: [{kind: incast, senders: all, size: 1MB}]":         3,
		star + "traffic: [{kind: all-to-all, hosts: all, size: 1MB}]":       12,
		star + "traffic: [{kind: all-to-all, hosts: [h1, all], size: 1MB}]": 12,
		"algorithm: pc4\ntopology: {nodes: [{name: s, kind: switch}, {name: all}, {name: b}, {name: c}], " +
			"links: [{endpoints: [s, all]}, {endpoints: [s, b]}, {endpoints: [s, c]}], rate: 10G, latency: 1us}\n" +
			"traffic: [{from: all, to: b, size: 1MB}]": 1,
	} {
		if got := len(plansOf(t, src)[0].Flows); got != want {
			t.Errorf("%d flows, want %d, of\n%s", got, want, src)
		}
	}
}
