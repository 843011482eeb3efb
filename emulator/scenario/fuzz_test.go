package scenario

import (
	"os"
	"path/filepath"
	"testing"
)

// FuzzLoad feeds the reader anything: it must answer with plans or with
// Errors, and never panic. What it accepts must have flows that can run.
func FuzzLoad(f *testing.F) {
	for _, pattern := range []string{"testdata/bad/*.yaml", "testdata/*.yaml", specs + "/*.yaml", specs + "/live/*.yaml"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range files {
			src, err := os.ReadFile(file)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(src)
		}
	}
	small := func(o *options) { o.maxFlows, o.maxHosts = 1000, 200 }
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4000 {
			return // length alone finds nothing new
		}
		s, err := Parse("fuzz.yaml", src, known, small)
		if err != nil {
			checkErrors(t, "fuzz.yaml", err)
			return
		}
		plans, err := s.Plans()
		if err != nil {
			t.Fatalf("accepted by Parse, refused by Plans: %v", err)
		}
		for _, p := range plans {
			if len(p.Flows) == 0 && (len(p.Edges()) == 0 || p.Until == 0) {
				t.Errorf("plan %s has no flows", p.Name)
			}
			for i := range p.Flows {
				fl := &p.Flows[i]
				if fl.Src == fl.Dst || len(fl.Path) == 0 || len(fl.Back) == 0 || fl.Algorithm == nil ||
					fl.Stop != 0 && fl.Stop <= fl.Start || fl.Size == 0 && fl.Stop == 0 {
					t.Errorf("flow %s cannot run: %+v", fl.Name, fl)
				}
			}
			Analyse(p, nil)
		}
	})
}

// FuzzResolved lays anything over a scenario: an accepted overlay must give the same once it is written into the
// source.
func FuzzResolved(f *testing.F) {
	src, err := os.ReadFile("testdata/resolved/source.yaml")
	if err != nil {
		f.Fatal(err)
	}
	for _, overrides := range overridesTried {
		for path, value := range overrides {
			f.Add(src, path, value)
		}
	}
	small := func(o *options) { o.maxFlows, o.maxHosts = 1000, 200 }
	f.Fuzz(func(t *testing.T, src []byte, path, value string) {
		if len(src)+len(path)+len(value) > 4000 {
			return // length alone finds nothing new
		}
		s, err := Parse("fuzz.yaml", src, known, small, WithOverrides(map[string]string{path: value}))
		if err == nil {
			checkResolved(t, s)
		}
	})
}
