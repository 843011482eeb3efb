package view

import (
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/testbed/look/report"
)

// asked is the address of a series.
func asked(values ...string) string {
	query := url.Values{}
	for i := 0; i < len(values); i += 2 {
		query.Set(values[i], values[i+1])
	}
	return "series?" + query.Encode()
}

const where = "node=s0&port=16&queue=3"

// A stretch of a series is as the file has it.
func TestSeries(t *testing.T) {
	dir := runs(t)
	putRun(t, dir+"/a-1", "s", "pass")
	s := shown(t, dir)
	id := runOf(t, s, "a-1").ID
	w := get(t, s, asked("run", id, "file", "v0/series_queues.csv", "column", "depth_max_bytes", "where", where,
		"from", "2", "to", "3.4"))
	wants(t, w, 200)
	var got report.Stretch
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	values, _ := json.Marshal(got.Values)
	if got.First != 4 || got.Width != 5e5 || got.Merged != 1 || string(values) != "[4,5,6]" {
		t.Errorf("%+v %s", got, values)
	}
	if len(s.series.kept) != 1 || s.series.kept[0].size != 20 {
		t.Errorf("kept are %+v", s.series.kept)
	}
	// A file that was changed since its run is not shown.
	put(t, "variant,seed,time_us,node,port,queue,depth_max_bytes\n", dir, "a-1", "v0", "series_queues.csv")
	s.series = &cache{}
	wants(t, get(t, s, asked("run", id, "file", "v0/series_queues.csv", "column", "depth_max_bytes", "where", where)), 422,
		"was changed")
	if len(s.series.kept) != 0 {
		t.Error("an error is kept")
	}
}

// Only files of series, of a run in the list, are read, under any name, and nothing that a link leads out to. Tier:
// -short.
func TestNothingElseIsRead(t *testing.T) {
	dir := runs(t)
	const secret = "variant,seed,time_us,node,port,queue,depth_max_bytes\nv0,1,0,s0,16,3,4711\n"
	putRun(t, dir+"/a-1", "s", "pass", "pass")
	putRun(t, dir+"/../out/b-1", "s", "pass")
	put(t, secret, dir, "..", "out", "series_queues.csv")
	for link, to := range map[string]string{dir + "/b-1": "../out/b-1", dir + "/again": "a-1", dir + "/loop": "loop"} {
		if err := os.Symlink(to, link); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	// What the link leads to has the right digest.
	if err := os.Rename(dir+"/a-1/v1/series_queues.csv", dir+"/../out/series_queues.csv"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../../out/series_queues.csv", dir+"/a-1/v1/series_queues.csv"); err != nil {
		t.Fatal(err)
	}
	s := shown(t, dir)
	list := get(t, s, "")
	wants(t, list, 200, "a symbolic link that leads out of the folder")
	if strings.Contains(list.Body.String(), "again") {
		t.Error("a run is listed twice")
	}
	id := runOf(t, s, "a-1").ID
	for _, file := range []string{"v1/series_queues.csv", "../out/series_queues.csv", "../../out/series_queues.csv",
		"/etc/passwd", "v0/../../../out/series_queues.csv", "v0/summary.json", "manifest.json", ".", "",
		"v0/series_queues.csv/",
		"v0\\series_queues.csv", "v0/series_queues.csv\x00"} {
		t.Run(fmt.Sprintf("%q", file), func(t *testing.T) {
			w := get(t, s, asked("run", id, "file", file, "column", "depth_max_bytes", "where", where))
			if w.Code == 200 || strings.Contains(w.Body.String(), "4711") {
				t.Errorf("%q: %d %s", file, w.Code, w.Body)
			}
		})
	}
	for _, run := range []string{"", "a-1", "../out/b-1", idOf("b-1"), idOf("../out/b-1"), "%2e%2e",
		strings.Repeat("f", 16)} {
		t.Run(fmt.Sprintf("%.50q", run), func(t *testing.T) {
			for _, page := range []string{"run?run=", "series?file=v0/series_queues.csv&column=depth_max_bytes&run="} {
				if w := get(t, s, page+url.QueryEscape(run)); w.Code == 200 {
					t.Errorf("%s%s: %d", page, run, w.Code)
				}
			}
		})
	}
	for _, path := range []string{"../", "..%2f..%2fout/b-1/manifest.json", "a-1/manifest.json", "//etc/passwd"} {
		t.Run(path, func(t *testing.T) {
			if w := get(t, s, path); w.Code == 200 {
				t.Errorf("%s: %d", path, w.Code)
			}
		})
	}
}

// The report of a run is served with the data for its script, also for several side by side; a report that cannot be
// shown is answered with the reason.
func TestReportPages(t *testing.T) {
	dir := runs(t)
	putRun(t, dir+"/a-1", "s", "pass")
	putRun(t, dir+"/b-1", "s", "failed")
	put(t, "{", dir, "bad", "manifest.json")
	s := shown(t, dir)
	a, b := runOf(t, s, "a-1").ID, runOf(t, s, "b-1").ID
	w := get(t, s, "run?run="+a)
	wants(t, w, 200, `href="./">All runs`, "<h2>v0</h2>")
	if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "connect-src 'self'") ||
		!strings.Contains(policy, "frame-ancestors 'none'") || !strings.Contains(policy, "script-src 'sha256-") {
		t.Errorf("the policy is %s", policy)
	}
	wants(t, get(t, s, "run?run="+a+"&run="+b+"&run="+a), 200, "<h2>a-1/v0</h2>", "<h2>b-1/v0</h2>")
	wants(t, get(t, s, "run"), 400, "tick runs")
	wants(t, get(t, s, "run?run="+runOf(t, s, "bad").ID), 422, "bad: manifest.json:1:1 is damaged")
	if err := os.Remove(dir + "/a-1/v0/summary.json"); err != nil {
		t.Fatal(err)
	}
	wants(t, get(t, s, "run?run="+a), 422, "a-1: v0/summary.json is missing")
}

// Any request is answered with a stretch or a fault.
func FuzzSeriesQuery(f *testing.F) {
	dir := runs(f)
	putRun(f, dir+"/a-1", "s", "pass")
	s := shown(f, dir)
	id := runOf(f, s, "a-1").ID
	f.Add("v0/series_queues.csv", "depth_max_bytes", where, "1", "2")
	f.Add("v0/series_queues.csv", "depth_max_bytes", where, "-9223372036854775808", "9223372036854775807")
	f.Add("../../x", "time_us", "", "", "1e9")
	f.Fuzz(func(t *testing.T, file, column, where, from, to string) {
		w := get(t, s, asked("run", id, "file", file, "column", column, "where", where, "from", from, "to", to))
		var got report.Stretch
		if w.Code == 200 && (json.Unmarshal(w.Body.Bytes(), &got) != nil || len(got.Values) > 20) {
			t.Errorf("%s", w.Body)
		}
		if w.Code >= 500 || w.Code < 200 {
			t.Errorf("%d: %s", w.Code, w.Body)
		}
	})
}

// The last used ones are kept, as far as there is room.
func TestCacheTrims(t *testing.T) {
	c := &cache{}
	for _, file := range []string{"a", "b", "c", "a"} {
		c.trim(c.take(seriesKey{file: file}), mostValues/2)
	}
	var names []string
	for _, col := range c.kept {
		names = append(names, col.key.file)
	}
	if strings.Join(names, "") != "ca" {
		t.Errorf("kept are %v", names)
	}
	c.trim(c.take(seriesKey{file: "huge"}), math.MaxInt32)
	if len(c.kept) != 1 {
		t.Errorf("kept are %d", len(c.kept))
	}
}
