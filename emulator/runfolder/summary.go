package runfolder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/rocelab/rocelab/internal/textfile"
)

// Summary is a run's summary.json.
type Summary struct {
	Variant   string            `json:"variant"`
	Fabric    string            `json:"fabric"`
	Algorithm string            `json:"algorithm"`
	Seed      uint64            `json:"seed"`
	Overrides map[string]string `json:"overrides"`
	Verdict   string            `json:"verdict"`
	Findings  []Finding         `json:"findings"`
	Trace     string            `json:"trace"`
	// Metrics are the texts of numbers by name, null if not measured.
	Metrics map[string]json.RawMessage `json:"metrics"`
	// Recording is nil of a run that recorded nothing.
	Recording *Recording `json:"recording"`
}

// Finding is a ground of a verdict.
type Finding struct {
	About  string `json:"about"`
	Status string `json:"status"`
	Text   string `json:"text"`
}

// Recording describes the available series.
type Recording struct {
	WidthUS float64 `json:"width_us"`
	// WidthsUS are the widths of the bins in the files, in microseconds.
	WidthsUS map[string]float64 `json:"widths_us"`
	Bins     int                `json:"bins"`
	LeftOut  []string           `json:"left_out"`
}

// ParseSummary reads the text of a summary.json of that name. A metric that is neither a number nor null is an error.
func ParseSummary(name string, text []byte) (*Summary, error) {
	s := &Summary{}
	if err := json.Unmarshal(text, s); err != nil {
		line, column := textfile.PlaceOfJSON(text, err)
		return nil, &Damaged{name, line, column, err}
	}
	for _, metric := range slices.Sorted(maps.Keys(s.Metrics)) {
		value := s.Metrics[metric]
		var number *float64
		if err := json.Unmarshal(value, &number); err != nil {
			line, column := placeOfMetric(text, metric)
			err = fmt.Errorf("metric %s is %s: allowed are a number and null", metric, value)
			return nil, &Damaged{name, line, column, err}
		}
	}
	return s, nil
}

// placeOfMetric is where the key of a metric is in the text of a summary.json.
func placeOfMetric(text []byte, metric string) (line, column int) {
	from := max(0, bytes.Index(text, []byte(`"metrics"`)))
	key := bytes.Index(text[from:], []byte(strconv.Quote(metric)))
	if key < 0 {
		return 0, 0
	}
	return textfile.Place(text, from+key)
}

// Text is a metric as summary.json has it, "" if it was not measured.
func (s *Summary) Text(metric string) string {
	if text := string(s.Metrics[metric]); text != "null" {
		return text
	}
	return ""
}

// Value is a metric, NaN if it was not measured. Known is false of one that the file lacks, as one of an older rocelab
// may.
func (s *Summary) Value(metric string) (value float64, known bool) {
	text, known := s.Metrics[metric]
	var number *float64
	if json.Unmarshal(text, &number) != nil || number == nil {
		return math.NaN(), known
	}
	return *number, known
}
