package result

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Metric documents one number of a Summary. Its name carries its unit; a name
// without one is a count or a ratio.
type Metric struct {
	// Name is its name in expectations and files.
	Name string
	// Doc is its documentation.
	Doc string
	// Better is the direction in which values are better.
	Better Direction
	// Decimals is the number of decimals in files: enough for three digits of the smallest usual value, 0 for counts.
	Decimals int

	of func(*Summary) float64
	// bin is set if values are edges of bins.
	bin bin
}

func counter(name, doc string, better Direction, of func(*Summary) uint64) Metric {
	return measure(name, doc, better, 0, func(s *Summary) float64 { return float64(of(s)) })
}

func measure(name, doc string, better Direction, decimals int, of func(*Summary) float64) Metric {
	return Metric{
		Name:     name,
		Doc:      doc,
		Better:   better,
		Decimals: decimals,
		of:       of,
	}
}

// shareDecimals is the number of decimals of a share of frames or packets: one in a million has four significant
// digits.
const shareDecimals = 9

// metrics is the table behind summaries, tables, expectations and documentation: the metrics of the sections in the
// order common to all of these. The shares and rates of several sections stand together.
var metrics = slices.Concat(
	flowMetrics,
	[]Metric{goodputMetric, resentShareMetric, droppedShareMetric, flowRateMetric, utilisationMetric, jainMetric},
	rttMetrics,
	queueMetrics,
	signalMetrics,
	pauseMetrics,
	dropMetrics,
	recoveryMetrics,
	[]Metric{decisionMetric},
	edgeMetrics,
	standstillMetrics,
	outageMetrics,
	proximalMetrics,
	collectiveMetrics,
)

// Metrics returns the documentation of every metric, in the order of tables.
func Metrics() []Metric { return metrics }

// MetricNames returns the names that expectations may name, in the same order.
func MetricNames() (names []string) {
	for _, m := range metrics {
		names = append(names, m.Name)
	}
	return names
}

var metricIndex = func() map[string]int {
	index := make(map[string]int, len(metrics))
	for i, m := range metrics {
		index[m.Name] = i
	}
	return index
}()

// MetricOf returns the metric of a name, which may be that of a job; false if there is none.
func MetricOf(name string) (Metric, bool) {
	if i, ok := metricIndex[name]; ok {
		return metrics[i], true
	}
	job, rest, _ := cutJob(name)
	for _, m := range jobMetrics(job) {
		if job != "" && m.Name == job+"."+rest {
			return m, true
		}
	}
	return Metric{}, false
}

// Value returns a metric by its name: NaN if it was not measured, false if
// there is no such metric.
func (s *Summary) Value(name string) (float64, bool) {
	m, ok := MetricOf(name)
	if !ok {
		return math.NaN(), false
	}
	return m.of(s), true
}

// Of returns the metric's value in a summary, NaN if it was not measured.
func (m Metric) Of(summary *Summary) float64 { return m.of(summary) }

// FilesOnly reports whether the metric is in expectations and files only and not in tables: it is a second reading of
// another row, or a place.
func (m Metric) FilesOnly() bool {
	return strings.HasPrefix(m.Name, sampleMetrics) || strings.HasPrefix(m.Name, waitMetrics) ||
		slices.Contains([]string{"queue_p50_bytes", "drops_congestion"}, m.Name)
}

// Format prints a value of the metric with its decimals; "" if not measured.
func (m Metric) Format(value float64) string {
	if math.IsNaN(value) {
		return ""
	}
	return strconv.FormatFloat(value, 'f', m.Decimals, 64)
}

// Rounded is a value of the metric with its decimals, as summary.json has it.
func (m Metric) Rounded(value float64) float64 {
	rounded, err := strconv.ParseFloat(m.Format(value), 64)
	if err != nil {
		return math.NaN() // not measured
	}
	return rounded
}

// Direction is the better direction of a metric's values.
type Direction uint8

// The directions.
const (
	// None: neither is better, as for a count of requests or of signals.
	None Direction = iota
	// Lower: the smaller one, as of a time or a loss.
	Lower
	// Higher: the larger one, as of a rate.
	Higher
)

var directionNames = [...]string{"none", "lower", "higher"}

// String returns the direction as lists spell it.
func (d Direction) String() string { return directionNames[d] }

// Best returns the better one of two values, ignoring NaN; NaN if neither direction is better.
func (d Direction) Best(a, b float64) float64 {
	switch {
	case d == None:
		return math.NaN()
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	case d == Lower:
		return min(a, b)
	}
	return max(a, b)
}
