package result

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var rewritePage = flag.Bool("rewrite", false, "write the table of metrics to docs/metrics.md")

// unitName is the unit of a metric on the page.
func unitName(m Metric) string {
	units := []struct{ suffix, name string }{{"_us", "us"}, {"_gbps", "Gb/s"}, {"_gigabytes_s", "GB/s"}, {"_bytes", "B"}}
	for _, u := range units {
		if strings.HasSuffix(m.Name, u.suffix) {
			return u.name
		}
	}
	if m.Decimals > 0 {
		return "ratio"
	}
	return "count"
}

// metricPage is the generated part of docs/metrics.md.
func metricPage() string {
	var b strings.Builder
	b.WriteString("| metric | unit | better | meaning |\n|---|---|---|---|\n")
	perJob := map[string]bool{}
	for _, name := range JobMetricNames() {
		perJob[name] = true
	}
	for _, m := range Metrics() {
		better := m.Better.String()
		if m.Better == None {
			better = ""
		}
		name := "`" + m.Name + "`"
		if m.FilesOnly() {
			name += " ¹"
		}
		if perJob[m.Name] {
			name += " ²"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", name, unitName(m), better, m.Doc)
	}
	return b.String() + "\n## Fairness\n\n" + fairnessDoc + "\n\n## Collectives\n\n" + collectiveDoc + "\n\n"
}

// TestThePageListsTheMetrics: docs/metrics.md has every metric with its unit, direction and
// meaning, as the table in the code. Short tier, 10 ms.
func TestThePageListsTheMetrics(t *testing.T) {
	const path, begin, end = "../../docs/metrics.md", "<!-- metrics -->\n\n", "<!-- end of metrics -->"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), begin)
	has, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place for the metrics", path)
	}
	if *rewritePage {
		if err := os.WriteFile(path, []byte(before+begin+metricPage()+end+after), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if has != metricPage() {
		t.Errorf("%s has other metrics than the code: go test ./emulator/result -run ThePageListsTheMetrics -rewrite", path)
	}
}
