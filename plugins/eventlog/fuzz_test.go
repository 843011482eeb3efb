package eventlog_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/plugins/shipped"
)

// FuzzRead reads any bytes as an event log. A log that can be read is written again with the same contents, and can be
// replayed.
func FuzzRead(f *testing.F) {
	for _, name := range []string{"dcqcn", "pc4", "hpcc"} {
		_, texts, _ := record(f, planFor(f, name))
		for _, text := range texts[:2] { // a sender's and its receiver's
			f.Add([]byte(strings.Join(strings.SplitAfterN(text, "\n", 5)[:4], "")))
		}
	}
	f.Add([]byte(`{"rocelab_event_log":1,"end":"receiver","algorithm":"pc4","facts":{"line_rate_bps":1}}
{"n":1,"group":{"flows":-1}}
{"n":2,"data":{"own":"00"},"before":{}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		log, err := eventlog.Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		written := &bytes.Buffer{}
		w := eventlog.NewWriter(written, log.Header)
		for i := range log.Steps {
			w.Step(&log.Steps[i])
		}
		for i := range log.Receptions {
			w.Reception(&log.Receptions[i])
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		again, err := eventlog.Read(bytes.NewReader(written.Bytes()))
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if log.Params == nil {
			log.Params = map[string]string{} // is written so
		}
		if !reflect.DeepEqual(log, again) {
			t.Fatalf("read %+v\nafter %+v\nof %s", again, log, written)
		}
		replay(t, log)
	})
}

// replay plays a log to the shipped algorithm that it names.
func replay(t *testing.T, log *eventlog.Log) {
	algorithm, ok := shipped.Find(log.Algorithm)
	if !ok {
		return
	}
	params, err := hosting.Parse(algorithm.Describe(), log.Params)
	if err != nil {
		return
	}
	controller, err := algorithm.New(params)
	if err != nil {
		return
	}
	c, err := eventlog.Replay(log, controller)
	if err == nil && (c.Calls != log.Calls() || c.Different > c.Calls || (c.First == nil) != (c.Different == 0)) {
		t.Errorf("%+v of %d calls", c, log.Calls())
	}
}
