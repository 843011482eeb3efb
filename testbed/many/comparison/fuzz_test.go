package comparison

import (
	"reflect"
	"strings"
	"testing"
)

// FuzzEntries takes any text for a list of algorithms. An accepted entry reads the same by itself.
func FuzzEntries(f *testing.F) {
	for _, text := range []string{"pc4,dcqcn:set=paper,g=0.01,./mine:gain=2", "a:b=c,d", "/x:y/z:p=q,r=s", ":", "="} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, err := ParseEntries([]string{text})
		if err != nil {
			return
		}
		for _, e := range entries {
			again, err := parseEntry(e.Text)
			if err != nil || !reflect.DeepEqual(e, again) {
				t.Errorf("%+v, alone %+v: %v", e, again, err)
			}
			if e.Name == "" || e.IsPath != strings.Contains(e.Name, "/") {
				t.Errorf("%+v", e)
			}
		}
	})
}
