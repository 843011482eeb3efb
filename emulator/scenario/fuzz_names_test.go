package scenario

import "testing"

// FuzzVariantNames takes any bytes for the scenario whose variants a shell offers:
// each offer is a plain word.
func FuzzVariantNames(f *testing.F) {
	f.Add([]byte("variants:\n  - {name: pc4}\n  - {name: \"a b\"}\n  - 7\n"))
	f.Add([]byte("variants: {name: x}"))
	f.Fuzz(func(t *testing.T, source []byte) {
		for _, name := range VariantNames(source) {
			if !isName(name) {
				t.Errorf("%q", name)
			}
		}
	})
}
