package view

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rocelab/rocelab/emulator/result"
)

// The list has everything there: complete folders, runs of a sweep, folders that are being written or were left, and
// invalid ones, each with the known facts.
func TestList(t *testing.T) {
	dir := runs(t)
	putRun(t, dir+"/incast-1", "incast", "pass", "pass", "failed")
	putRun(t, dir+"/sweep/runs/ab/abcd", "deep", "void")
	for name, text := range map[string]string{"empty": "", "torn": `{"format": 3, "runs": [`, "other": `{"format": 2}`,
		"odd": `{"format": 3, "status": "<b>", "runs": []}`, "typed": `{"format": 3, "runs": 7}`} {
		t.Run(name, func(t *testing.T) {
			put(t, text, dir, "bad", name, "manifest.json")
			put(t, `{"format": 3}`, dir, "bad", name, "host.json")
		})
	}
	put(t, "name: left # behind\n", dir, "left-1.part", "scenario.yaml")
	put(t, "", dir, "left-1.part", "UNFINISHED.md")
	old := time.Now().Add(-time.Hour)
	if err := errors.Join(os.Chtimes(dir+"/left-1.part/UNFINISHED.md", old, old),
		os.Mkdir(dir+"/left-1.part/dcqcn", 0o777),
		os.Mkdir(dir+"/hollow", 0o777)); err != nil {
		t.Fatal(err)
	}
	writing, err := result.Create(dir + "/now-1")
	if err != nil {
		t.Fatal(err)
	}
	s := shown(t, dir)
	list, err := s.list.runs()
	if err != nil {
		t.Fatal(err)
	}
	states := map[string]state{}
	for _, r := range list {
		states[r.Name] = r.State
	}
	want := map[string]state{"incast-1": complete, "sweep/runs/ab/abcd": complete, "bad/empty": damaged,
		"bad/torn":  damaged,
		"bad/other": damaged, "bad/odd": damaged, "bad/typed": damaged, "now-1.part": running, "left-1.part": killed}
	if fmt.Sprint(states) != fmt.Sprint(want) {
		t.Errorf("the list has %v, want %v", states, want)
	}
	r := runOf(t, s, "incast-1")
	if r.Scenario != "incast" || !slices.Equal(r.Variants, []string{"v0", "v1", "v2"}) || r.Seeds != 1 ||
		fmt.Sprint(r.Verdicts) != "[{pass 2} {failed 1}]" || time.Since(r.Date) > time.Hour {
		t.Errorf("%+v", r)
	}
	if r := runOf(t, s, "left-1.part"); r.Scenario != "left" || !slices.Equal(r.Variants, []string{"dcqcn"}) {
		t.Errorf("%+v", r)
	}
	w := get(t, s, "")
	wants(t, w, 200, "incast-1", "sweep/runs/ab/abcd", "is damaged", "is of format 2", "killed", "running",
		"&#34;&lt;b&gt;&#34;")
	if strings.Contains(w.Body.String(), "<b>") {
		t.Error("a name became an element")
	}
	if w := get(t, s, "?find=VOID+deep"); !strings.Contains(w.Body.String(), "abcd") ||
		strings.Contains(w.Body.String(), "incast-1") {
		t.Errorf("what is found is %s", w.Body)
	}
	wants(t, get(t, s, "?find=%22%3E%3Cscript%3E"), 200, "No run has this", "&#34;&gt;&lt;script&gt;")
	// When it closes, it is the same run.
	id := runOf(t, s, "now-1.part").ID
	if err := writing.Close(result.NewManifest("now", "", 1)); err != nil {
		t.Fatal(err)
	}
	if r, err := s.list.find(id); err != nil || r == nil || r.Name != "now-1" || r.State != complete {
		t.Errorf("%+v, %v", r, err)
	}
	places, err := s.Places()
	if err != nil || len(places) != 4 || !slices.Contains(places, Place{"incast-1", s.pathOf(r)}) {
		t.Errorf("%v, %v", places, err)
	}
}

// A folder that was rewritten is read again, one that was not is not.
func TestTheListRemembers(t *testing.T) {
	dir := runs(t)
	putRun(t, dir+"/a-1", "old", "pass")
	s := shown(t, dir)
	runOf(t, s, "a-1")
	before := s.list.known["a-1"].run
	if runOf(t, s, "a-1"); s.list.known["a-1"].run != before {
		t.Error("it was read again")
	}
	putRun(t, dir+"/a-1", "newer", "pass")
	if r := runOf(t, s, "a-1"); r.Scenario != "newer" {
		t.Errorf("%+v", r)
	}
	if err := os.RemoveAll(dir + "/a-1"); err != nil {
		t.Fatal(err)
	}
	if list, err := s.list.runs(); err != nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	wants(t, get(t, s, ""), 200, "There is no run folder here yet")
}

// One run folder can be shown by itself, whether it has ended or not.
func TestOneRun(t *testing.T) {
	dir := runs(t)
	putRun(t, dir+"/a-1", "mine", "pass")
	putRun(t, dir+"/b-1", "other", "pass")
	put(t, "", dir, "c-1.part", "UNFINISHED.md")
	for _, c := range []struct{ give, want string }{
		{"a-1", "a-1"}, {"a-1/", "a-1"}, {"c-1", "c-1.part"}, {"c-1.part", "c-1.part"},
	} {
		t.Run(c.give, func(t *testing.T) {
			s := shown(t, dir+"/"+c.give)
			if list, err := s.list.runs(); err != nil || len(list) != 1 || list[0].Name != c.want {
				t.Errorf("%s: %v, %v", c.give, list, err)
			}
			to := "run?run=" + idOf(strings.TrimSuffix(c.want, part))
			if w := get(t, s, ""); w.Code != 302 || w.Header().Get("Location") != to {
				t.Errorf("%s: %d %v", c.give, w.Code, w.Header())
			}
		})
	}
	for give, want := range map[string]string{"nowhere": "there is no folder", "a-1/manifest.json": "is a file"} {
		t.Run(give, func(t *testing.T) {
			if _, err := New(dir + "/" + give); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v", give, err)
			}
		})
	}
}

// Any manifest is a run or an error.
func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"format": 3, "status": "complete", "runs": [{"variant": "a", "folder": "a", "verdict": "pass"}]}`),
		[]byte(`{"format": 3, "runs": [{"folder": "a", "verdict": "red"}]}`))
	f.Add([]byte(`{"format": 3, "status": "failed", "scenario": "\u0000<script>"}`), []byte(`{}`))
	f.Add([]byte(`{"format": 1e999}`), []byte(`null`))
	f.Fuzz(func(t *testing.T, manifest, host []byte) {
		r, err := readRun("a", fstest.MapFS{"manifest.json": {Data: manifest}, "host.json": {Data: host}})
		if err != nil {
			return
		}
		count := 0
		for _, v := range r.Verdicts {
			count += v.Runs
		}
		if !r.Finished() || r.Seeds > count || len(r.Variants) > count {
			t.Errorf("%+v", r)
		}
	})
}

// A list of a thousand runs, first read and then remembered.
func BenchmarkList(b *testing.B) {
	dir := runs(b)
	for i := range 1000 {
		putRun(b, fmt.Sprintf("%s/incast-%d", dir, i), "incast", "pass", "pass", "failed")
	}
	for _, kind := range []string{"first", "again"} {
		b.Run(kind, func(b *testing.B) {
			s := shown(b, dir)
			for b.Loop() {
				if kind == "first" {
					s.list.known = map[string]*kept{}
				}
				if w := get(b, s, ""); w.Code != 200 || strings.Count(w.Body.String(), "incast-") < 1000 {
					b.Fatal(w.Code)
				}
			}
		})
	}
}
