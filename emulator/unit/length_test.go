package unit

import "testing"

func TestLengths(t *testing.T) {
	for text, want := range map[string]string{"120km": "120km", "1.5 km": "1500m", "300m": "300m", "0": "0m", "0.0005km": "0m", "20000km": "20000km"} {
		l, err := ParseLength(text)
		if err != nil || l.String() != want {
			t.Errorf("%q is %v (%v), want %s", text, l, err, want)
		}
	}
	for _, text := range []string{"120", "-1km", " -3m", "km", "1mile", "", "1e30km"} {
		if l, err := ParseLength(text); err == nil {
			t.Errorf("%q is accepted as %v", text, l)
		}
	}
}
