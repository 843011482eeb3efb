//go:build linux && !mem

package process_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/cctest"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
	"github.com/rocelab/rocelab/specs/tier"
)

// What a stream brings must be answers, one for each message; those before the
// nonsense count.
func TestNonsenseOnAStream(t *testing.T) {
	tier.Everyday(t)
	for _, c := range []struct {
		kind     string
		answered int
		want     string
	}{
		{"none", 0, "failed at the ACK event of flow 0 at 0s: its answers are nonsense: 0 for 2 messages"},
		{"many", 0, "failed at the ACK event of flow 0 at 0s: its answers are nonsense: 3 for 2 messages"},
		{"other", 1, "failed at the ACK event of flow 1 at 1ps: its answers are nonsense: one is of another kind " +
			"than its message"},
		{"end", 0, "failed at the ACK event of flow 0 at 0s, or at one of the 1 after it: it ended the conversation"},
	} {
		a := start(t, "./testdata/babbling", process.Options{}).Algorithm()
		params, err := hosting.Parse(a.Describe(), map[string]string{"kind": c.kind})
		if err != nil {
			t.Fatal(err)
		}
		plug := must(t)(a.New(params))
		steps := make([]hosting.Step, 2)
		for i := range steps {
			f := cctest.Facts()
			f.Flow = uint32(i)
			steps[i] = hosting.Step{Sender: plug.NewSender(f), Event: cc.Event{Kind: cc.EventAck, Now: unit.Time(i)},
				Decision: cc.Decision{Rate: 5}}
		}
		steps[0].Sender.(hosting.Batched).Batcher().HandleAll(steps)
		for i, want := range []unit.BitRate{7, 0} {
			if i >= c.answered {
				want = 0
			}
			if steps[i].Decision.Rate != want {
				t.Errorf("%s: step %d: %+v", c.kind, i, steps[i].Decision)
			}
		}
		if err := steps[0].Sender.(hosting.Failing).Err(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.kind, err, c.want)
		}
	}
}

// A program that ends within a batch loses the whole of it: only an exception is reported with the answers before it.
func TestEndWithinABatchOnAStream(t *testing.T) {
	plug := must(t)(ways[1].misbehaving(t, "third", "exit", process.Options{}))
	steps := make([]hosting.Step, 5)
	for i := range steps {
		steps[i] = hosting.Step{Sender: plug.NewSender(cctest.Facts()), Event: cc.Event{Kind: cc.EventAck},
			Decision: cc.Decision{Rate: 5}}
	}
	steps[0].Sender.(hosting.Batched).Batcher().HandleAll(steps)
	for i := range steps {
		if steps[i].Decision.Rate != 0 {
			t.Errorf("step %d: %+v", i, steps[i].Decision)
		}
	}
	want := "exited with code 3 at the ACK event of flow 0 at 0s, or at one of the 4 after it"
	if err := steps[0].Sender.(hosting.Failing).Err(); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// A decision in Python is a whole number or none.
func TestFloatsAreNoDecisions(t *testing.T) {
	s := must(t)(ways[1].misbehaving(t, "cnp", "float", process.Options{})).NewSender(cctest.Facts())
	d := cc.Decision{Rate: 5}
	s.Handle(&cc.Event{Kind: cc.EventCNP}, &d)
	if err := s.(hosting.Failing).Err(); d.Rate != 0 || err == nil || !strings.Contains(err.Error(),
		"failed at the CNP event of flow 0 at 0s: TypeError") {
		t.Errorf("%+v, %v", d, err)
	}
}

// An algorithm in Python sees and returns own extensions as one in Go does.
func TestOwnExtensionCrossesTheStream(t *testing.T) {
	s := must(t)(ways[1].misbehaving(t, "mirror", "exit", process.Options{})).NewSender(cctest.Facts())
	e, d := cc.Event{Kind: cc.EventAck}, cc.Decision{Rate: 5}
	for i := range e.Own {
		e.Own[i] = byte(i + 1)
	}
	s.Handle(&e, &d)
	for i := range d.Own {
		if d.Own[i] != byte(len(d.Own)-i) {
			t.Fatalf("own %v, %v", d.Own, s.(hosting.Failing).Err())
		}
	}
}

// A program in Python reports which Python runs it, and the modules of its own folder with their digests, but not
// modules that lie elsewhere, such as installed ones. Red if the digests are not of the files.
func TestPythonSaysWhatItConsistsOf(t *testing.T) {
	env, folder := pythonEnv(t), t.TempDir()
	texts := map[string]string{
		"mine": `#!/usr/bin/env python3
import os, sys
sys.dont_write_bytecode = True
sys.path[1:1] = [os.environ["ROCELAB_PYTHON"], os.path.join(sys.path[0], "site-packages")]
import installed, rocelab
from parts import part

class Mine(rocelab.Algorithm):
    name = "mine"
    version = part.VERSION

rocelab.serve(Mine)
`,
		"parts/part.py":              "VERSION = \"1.2.3\"\n",
		"parts/unused.py":            "never = True\n",
		"site-packages/installed.py": "\n",
	}
	for name, text := range texts {
		path := filepath.Join(folder, name)
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err := errors.Join(err, os.WriteFile(path, []byte(text), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	algorithm := startAt(t, filepath.Join(folder, "mine"), process.Options{Env: env}).Algorithm()
	d, i := algorithm.Describe(), hosting.InterpreterOf(algorithm)
	sum := sha256.Sum256([]byte(texts["parts/part.py"]))
	want := hosting.SourceFile{Name: "parts/part.py", SHA256: hex.EncodeToString(sum[:])}
	if d.Version != "1.2.3" || len(i.Files) != 1 || i.Files[0] != want || !strings.HasPrefix(i.Runtime, "CPython 3.") {
		t.Errorf("%+v, %+v", d, i)
	}
}
