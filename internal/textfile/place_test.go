package textfile

import (
	"encoding/json"
	"fmt"
	"testing"
)

// A fault in a text of JSON has a line and a column.
func TestPlaceOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		"":                          "1:1",
		"{":                         "1:1",
		"{\n  \"a\": x}":            "2:8",
		"{\n \"\u00e9\": 1,\n}":     "3:1",
		"{\"b\": 1,\n\"c\": []}":    "2:6", // of another type
		"{\"b\": 1,\n\"c\": \"x\"}": "2:8",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			var into struct {
				C float64 `json:"c"`
			}
			line, column := PlaceOfJSON([]byte(text), json.Unmarshal([]byte(text), &into))
			if got := fmt.Sprintf("%d:%d", line, column); got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		})
	}
	if line, column := PlaceOfJSON(nil, nil); line != 0 || column != 0 {
		t.Error(line, column)
	}
}
