package campaign

import "testing"

// FuzzReadRow reads any text as a row.
func FuzzReadRow(f *testing.F) {
	f.Add([]byte(`{"id":"` + string(someID) + `","exit":0,"verdict":"pass","trace":"1","metrics":{"drops":0}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if row, err := readRow(text, someID); err == nil && row.ID != someID {
			t.Errorf("%+v", row)
		}
	})
}
