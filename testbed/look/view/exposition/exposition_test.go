package exposition_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/testbed/look/progressfile"
	"github.com/rocelab/rocelab/testbed/look/view/exposition"
)

// folders are the run folders of a test.
type folders struct{ list []exposition.Folder }

// add makes a folder of files.
func (f *folders) add(name string, files map[string]string) fstest.MapFS {
	made := fstest.MapFS{}
	for file, text := range files {
		made[file] = &fstest.MapFile{Data: []byte(text)}
	}
	label, unfinished := strings.CutSuffix(name, ".part")
	f.list = append(f.list, exposition.Folder{Name: label, Unfinished: unfinished, Files: made})
	return made
}

// text returns the answer to a scrape.
func (f *folders) text() string {
	return string(exposition.New(func() []exposition.Folder { return f.list }).Text())
}

// line prints a line of telemetry.
func line(t *testing.T, line progressfile.Line) string {
	t.Helper()
	text, err := json.Marshal(line)
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + "\n"
}

// ended is a small run folder that is whole.
func ended() map[string]string {
	return map[string]string{
		"manifest.json": `{"format":3,"scenario":"incast","runs":[{"variant":"pc4","folder":"pc4","verdict":"pass"}]}`,
		"host.json": `{"format":3,"runs":[{"folder":"pc4","verdict":"amber","runner":"live",
			"wall_seconds":2.5}]}`,
		"pc4/summary.json": `{"variant":"pc4","algorithm":"pc4","seed":7,"metrics":{"flows":8,"completed":7,
			"duration_us":1415.081,"fct_mean_us":1372.403,"fct_p50_us":1395.003,"goodput_gbps":90.454,"jain":0.9964,
			"marks":12,"cnps":3,"drops_injected":4,"drops_headroom":5,"discards_duplicate":6,"paused_us":2000000,
			"feedback_us":null,"algbw_gigabytes_s":1.5,"queue_max_bytes":382344,"wait_share_host":1.0000,
			"timeouts":9,"unheard_of":1}}`,
		"pc4/flows.csv": "variant,seed,flow,acked_bytes,received_bytes,out_of_sequence,reordered_packets,rp_cnp_handled\n" +
			"pc4,7,\"a,b\",1000,1500,2,0,1\npc4,7,c,10,,3,4,1\n",
		"pc4/trace.csv": "variant,seed,time_us,node,hash\npc4,7,1.000000,,aa\npc4,7,1415.500000,,bb\n" +
			"pc4,7,1415.500000,h0,cc\n",
	}
}

// going is the line of a run that goes on.
func going() progressfile.Line {
	return progressfile.Line{
		Run:            "dcqcn/seed-2",
		Runner:         "mem",
		Scenario:       "incast",
		Variant:        "dcqcn",
		Algorithm:      "dcqcn",
		Seed:           2,
		Wall:           1250,
		Model:          2_230_000_000,
		Until:          10_000_000_000_000,
		Verdict:        "RED: a byte is missing",
		Flows:          8,
		Completed:      1,
		SentBytes:      2000,
		DeliveredBytes: 1000,
		Marks:          5,
		CNPs:           4,
		XOFFs:          3,
		Drops:          2,
		QueueBytes:     77,
		Queues:         []progressfile.Queue{{Port: "s0:8", Bytes: 77}, {Port: "s0:8", Bytes: 1}, {Port: "s0:1", Bytes: 7}},
	}
}

// wants checks that the text has each line.
func wants(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, want := range lines {
		if !strings.Contains("\n"+text, "\n"+want+"\n") {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// A run folder's numbers are exposed in base units.
func TestEnded(t *testing.T) {
	f := folders{}
	f.add("incast-1", ended())
	of := `{run="incast-1",variant="pc4",seed="7",runner="live",scenario="incast",algorithm="pc4"`
	text := f.text()
	wants(t, text,
		`rocelab_verdict`+of+`,verdict="amber"} 1`,
		`rocelab_ended`+of+`} 1`,
		`rocelab_model_time_seconds`+of+`} 0.0014155`,
		`rocelab_wall_time_seconds`+of+`} 2.5`,
		`# TYPE rocelab_flows gauge`,
		`rocelab_flows`+of+`} 8`,
		`# TYPE rocelab_completed_flows_total counter`,
		`rocelab_completed_flows_total`+of+`} 7`,
		`rocelab_delivered_bytes_total`+of+`} 1500`,
		`rocelab_acked_bytes_total`+of+`} 1010`,
		`rocelab_marks_total`+of+`} 12`,
		`rocelab_paused_seconds_total`+of+`} 2`,
		`rocelab_dropped_frames_total`+of+`,reason="injected"} 4`,
		`rocelab_dropped_frames_total`+of+`,reason="headroom"} 5`,
		`rocelab_discarded_packets_total`+of+`,reason="duplicate"} 6`,
		`rocelab_duration_seconds`+of+`} 0.001415081`,
		`rocelab_fct_seconds`+of+`,stat="mean"} 0.001372403`,
		`rocelab_fct_seconds`+of+`,stat="p50"} 0.001395003`,
		`rocelab_goodput_bytes_per_second`+of+`} 1.130675e+10`,
		`rocelab_algbw_bytes_per_second`+of+`} 1.5e+09`,
		`rocelab_wait_share_ratio`+of+`,tier="host"} 1`,
		`rocelab_queue_depth_bytes`+of+`,stat="max"} 382344`,
		`# TYPE np_cnp_sent untyped`,
		`np_cnp_sent`+of+`} 3`,
		`rp_cnp_handled`+of+`} 2`,
		`out_of_sequence`+of+`} 9`,
		`local_ack_timeout_err`+of+`} 9`,
		`rocelab_folders{state="ended"} 1`)
	for _, not := range []string{"feedback", "unheard_of", "NaN", "rocelab_sent_bytes_total", "rocelab_queue_bytes",
		`stat="p99"`} {
		t.Run(not, func(t *testing.T) {
			if strings.Contains(text, not) {
				t.Errorf("%s was not measured, and is there", not)
			}
		})
	}
	if again := f.text(); again != text {
		t.Error("another text of the same folder")
	}
}

// The last line of an unfinished run is exposed, and once it has ended what its files say, under
// the same labels.
func TestUnfinished(t *testing.T) {
	f := folders{}
	first, last, other := going(), going(), going()
	first.Marks, other.Run, other.Ended = 1, "pc4", "PASS"
	other.Variant, other.Algorithm, other.Seed = "pc4", "pc4", 7
	files := map[string]string{progressfile.File: line(t, first) + line(t, other) + line(t, last) + `{"run":"cut`}
	for _, name := range []string{"pc4/summary.json", "pc4/flows.csv", "pc4/trace.csv"} {
		files[name] = ended()[name]
	}
	f.add("incast-2.part", files)
	text := f.text()
	of := `{run="incast-2",variant="dcqcn",seed="2",runner="mem",scenario="incast",algorithm="dcqcn"`
	wants(t, text,
		`rocelab_verdict`+of+`,verdict="red"} 1`,
		`rocelab_ended`+of+`} 0`,
		`rocelab_model_time_seconds`+of+`} 0.00223`,
		`rocelab_model_time_limit_seconds`+of+`} 10`,
		`rocelab_wall_time_seconds`+of+`} 1.25`,
		`rocelab_completed_flows_total`+of+`} 1`,
		`rocelab_sent_bytes_total`+of+`} 2000`,
		`rocelab_delivered_bytes_total`+of+`} 1000`,
		`rocelab_marks_total`+of+`} 5`,
		`rocelab_cnps_total`+of+`} 4`,
		`rocelab_pauses_total`+of+`} 3`,
		`rocelab_drops_total`+of+`} 2`,
		`rocelab_queue_bytes`+of+`} 77`,
		`rocelab_port_queue_bytes`+of+`,port="s0:8"} 77`,
		`rocelab_port_queue_bytes`+of+`,port="s0:1"} 7`,
		`np_cnp_sent`+of+`} 4`,
		`rocelab_folders{state="unfinished"} 1`)
	of = `{run="incast-2",variant="pc4",seed="7",runner="mem",scenario="incast",algorithm="pc4"`
	wants(t, text,
		`rocelab_verdict`+of+`,verdict="pass"} 1`,
		`rocelab_ended`+of+`} 1`,
		`rocelab_model_time_seconds`+of+`} 0.0014155`,
		`rocelab_sent_bytes_total`+of+`} 2000`,
		`rocelab_acked_bytes_total`+of+`} 1010`)
	if strings.Contains(text, `rocelab_queue_bytes`+of) {
		t.Error("a run that has ended has a queue at this moment")
	}
}

// sampleLine is a line of the format, by its grammar.
var sampleLine = regexp.MustCompile(`^[a-z_]+(\{[a-z]+="([^"\\\n]|\\[\\"n])*"(,[a-z]+="([^"\\\n]|\\[\\"n])*")*\})? ` +
	`-?[0-9.]+(e[+-][0-9]+)?$`)

// wellFormed checks that each line is one of the format, and none there twice.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		name, _, _ := strings.Cut(line, "} ")
		if seen[name] {
			t.Errorf("twice: %s", line)
		}
		seen[name] = true
		if !strings.HasPrefix(line, "# ") && !sampleLine.MatchString(strings.TrimSuffix(line, "\n")) {
			t.Errorf("no line of the format: %q", line)
		}
		if len(line) > 4<<10 {
			t.Errorf("a line of %d B", len(line))
		}
	}
}

// Names from folders are escaped and cut, and a folder that cannot be read holds no other up.
func TestHostileFolders(t *testing.T) {
	f := folders{}
	wild := going()
	wild.Variant, wild.Algorithm = "a\"b\\c\nd\x1b[2J\xff", strings.Repeat("ü", 300)
	f.add("wild.part", map[string]string{progressfile.File: line(t, wild) + "nonsense\n"})
	f.add("empty", map[string]string{"x": ""})
	f.add("broken", map[string]string{"manifest.json": "{", "host.json": "{}"})
	outside := ended()
	outside["manifest.json"] = strings.ReplaceAll(outside["manifest.json"], `"folder":"pc4"`, `"folder":"../twice/pc4"`)
	f.add("outside", outside)
	odd := ended()
	odd["pc4/flows.csv"] = "acked_bytes,received_bytes\nmany,NaN\n"
	f.add("odd", odd)
	many := ended()
	many["pc4/summary.json"] = strings.Replace(many["pc4/summary.json"], "90.454", "1e305", 1)
	f.add("many", many)
	twice := ended()
	twice["manifest.json"] = strings.Replace(twice["manifest.json"], `"runs":[`,
		`"runs":[{"variant":"pc4","folder":"pc4","verdict":"pass"},`, 1)
	twice["host.json"] = strings.Replace(twice["host.json"], `"runs":[`,
		`"runs":[{"folder":"pc4","verdict":"pass","runner":"live"},`, 1)
	f.add("twice", twice)
	text := f.text()
	wellFormed(t, text)
	wants(t, text,
		`rocelab_ended{run="wild",variant="a\"b\\c\nd`+"\ufffd[2J\ufffd"+
			`",seed="2",runner="mem",scenario="incast",algorithm="`+strings.Repeat("ü", 128)+`…"} 0`,
		`rocelab_folders{state="ended"} 2`, `rocelab_folders{state="unfinished"} 1`,
		`rocelab_folders{state="unreadable"} 4`)
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		t.Error("what is no number is there")
	}
}

// Folders beyond the bound are counted.
func TestManyRuns(t *testing.T) {
	f := folders{}
	for range exposition.MaxRuns + 3 {
		f.add(fmt.Sprintf("incast-%d", len(f.list)), ended())
	}
	text := f.text()
	wants(t, text, `rocelab_folders{state="left_out"} 3`)
	if n := strings.Count(text, "\nrocelab_ended{"); n != exposition.MaxRuns {
		t.Errorf("%d runs are there", n)
	}
}

// A scrape gets the type of the format, and a change of a folder is seen.
func TestHandler(t *testing.T) {
	f := folders{}
	files := f.add("incast-1", ended())
	server := exposition.New(func() []exposition.Folder { return f.list })
	ask := func(method string) *httptest.ResponseRecorder {
		answer := httptest.NewRecorder()
		server.ServeHTTP(answer, httptest.NewRequest(method, "/metrics", nil))
		return answer
	}
	answer := ask(http.MethodGet)
	if got := answer.Header().Get("Content-Type"); got != "text/plain; version=0.0.4; charset=utf-8" {
		t.Errorf("type %s", got)
	}
	wellFormed(t, answer.Body.String())
	if code := ask(http.MethodPost).Code; code != http.StatusMethodNotAllowed {
		t.Errorf("POST gives %d", code)
	}
	files["host.json"] = &fstest.MapFile{Data: []byte(`{"format":3,"runs":[]}`)}
	if text := ask(http.MethodGet).Body.String(); !strings.Contains(text, `verdict="pass"`) {
		t.Errorf("the change is not seen in\n%s", text)
	}
}

// promtool has no complaints about the exposition.
func TestPromtool(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("no promtool: on Debian, install prometheus")
	}
	f := folders{}
	f.add("incast-1", everything())
	f.add("incast-2.part", map[string]string{progressfile.File: line(t, going())})
	text := f.text()
	for _, family := range exposition.Families() {
		if !strings.Contains(text, "\n# TYPE "+family.Name+" ") {
			t.Errorf("promtool does not see %s", family.Name)
		}
	}
	check := exec.Command(promtool, "check", "metrics")
	check.Stdin = strings.NewReader(text)
	var said bytes.Buffer
	check.Stdout, check.Stderr = &said, &said
	if err := check.Run(); err != nil || said.Len() > 0 {
		t.Errorf("promtool: %v\n%s", err, said.String())
	}
}
