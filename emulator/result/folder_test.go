package result

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// series gives the star a time series.
func series(o *Outcome) *Outcome {
	w := 5 * unit.Microsecond
	o.Plan.Record.Interval = w
	for i := range o.Flows {
		s := o.Flows[i].Sender
		s.Over = &record.Progress{
			Acked:   record.Series{Bins: []uint32{5000, 5000}},
			Decided: record.Series{Kind: record.Last, Bins: []uint32{100000, 50000}},
			NAKs:    record.Series{Bins: []uint32{0, 2}},
		}
	}
	port := &o.Switches[0].Ports[2]
	port.Queues.Of(3).Depth = &record.Series{Kind: record.Max, Bins: []uint32{5410, 0, 1082}}
	port.Over = &record.Activity{
		Sent:    record.Series{Bins: []uint32{0, 0, 2164}},
		Marked:  record.Series{Bins: []uint32{2}},
		Dropped: record.Series{Bins: []uint32{0, 0, 0, 1}},
		Paused:  record.Series{Bins: []uint32{0, 0, 1_500_000}},
	}
	o.FinishRecording()
	return o
}

func writeFolder(t *testing.T, dir string, o *Outcome) *Manifest {
	t.Helper()
	f, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	m := NewManifest("incast", "digest", 1)
	s := Summarise(o)
	v := Judge(o, s)
	for _, step := range []func() error{
		func() error {
			return f.Write("scenario.yaml", func(w io.Writer) error {
				_, err := io.WriteString(w, "name: incast\n")
				return err
			})
		},
		func() error { return f.WriteRun("a", o, s, v) },
		func() error { m.Add("a", o, s, v, nil); return f.Close(m) },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Files written by others are in the folder with their digests, in the host's part if a host wrote them.
func TestFilesThatOthersWrite(t *testing.T) {
	folder, err := Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"pc4/capture.pcapng", "pc4/hosts/a.log", "pc4/other.bin"} {
		t.Run(name, func(t *testing.T) {
			to, err := folder.HandOver(name)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := to.WriteString("said"); err != nil {
				t.Fatal(err)
			}
			if err := to.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := folder.HandOver(name); err == nil {
				t.Errorf("%s is begun twice", name)
			}
		})
	}
	manifest := NewManifest("test", "", 1)
	if err := folder.Close(manifest); err != nil {
		t.Fatal(err)
	}
	const said = "fb46c79b7eb7af175f493755b491afa9b25574a9230b8822c629f224a2df4e58"
	host, own := manifest.Host.Files, manifest.Files
	if want := []FileSum{{"pc4/capture.pcapng", said}, {"pc4/hosts/a.log", said}}; !slices.Equal(host, want) {
		t.Errorf("the host's files are %v", host)
	}
	if !slices.ContainsFunc(own, func(f FileSum) bool { return f == FileSum{"pc4/other.bin", said} }) {
		t.Errorf("the run's files are %v", own)
	}
}

func TestFolderIsTheSameByteForByte(t *testing.T) {
	tmp := t.TempDir()
	writeFolder(t, filepath.Join(tmp, "one"), series(star()))
	second := series(star())
	second.Wall, second.Workers, second.Runner = time.Hour, 9, "mem --codec"
	writeFolder(t, filepath.Join(tmp, "two"), second)
	one, two := contents(t, filepath.Join(tmp, "one")), contents(t, filepath.Join(tmp, "two"))
	for name := range one {
		if differs := one[name] != two[name]; differs != (name == hostName) {
			t.Errorf("%s differs: %v", name, differs)
		}
	}
	want := "a/drops.csv a/flows.csv a/pfc.csv a/ports.csv a/queues.csv a/series_flows.csv a/series_ports.csv " +
		"a/series_queues.csv a/slow_flows.csv a/summary.json a/trace.csv a/watchdog.csv columns.md host.json " +
		"manifest.json scenario.yaml"
	for _, name := range strings.Fields(want) {
		if _, ok := one[name]; !ok {
			t.Errorf("no %s", name)
		}
	}
	if len(one) != len(strings.Fields(want)) || len(one) != len(two) {
		t.Errorf("%d files, %d in the second", len(one), len(two))
	}
}

func TestManifestHasTheSumOfEveryFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	m := writeFolder(t, dir, star())
	files := contents(t, dir)
	if len(m.Files) != len(files)-2 {
		t.Errorf("%d sums for %d files, the manifest and host.json apart", len(m.Files), len(files)-2)
	}
	for _, f := range m.Files {
		sum := sha256.Sum256([]byte(files[f.Name]))
		if hex.EncodeToString(sum[:]) != f.SHA256 {
			t.Errorf("wrong sum of %s", f.Name)
		}
	}
	if m.Status != StatusComplete || m.Runs[0].Verdict != "pass" || m.Runs[0].Trace != "0000000000000abc" {
		t.Errorf("%+v", m)
	}
}

func TestFlowsFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	writeFolder(t, dir, star())
	rows, err := csv.NewReader(strings.NewReader(contents(t, dir)["a/flows.csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for i, name := range rows[0] {
		got[name] = rows[2][i]
	}
	for name, want := range map[string]string{"variant": "a", "seed": "1", "flow": "h1-h2", "from": "h1",
		"to": "h2", "size_bytes": "10000",
		"start_us":     "0.000000",
		"completed_us": "20.000000", "fct_us": "20.000", "slowdown": "4.0000", "goodput_gbps": "4.000", "np_cnp_sent": "2",
		"rp_cnp_handled":             "2",
		"np_ecn_marked_roce_packets": "2", "rtt_mean_us": "8.500", "rate_max_gbps": "50.000000"} {
		t.Run(name, func(t *testing.T) {
			if got[name] != want {
				t.Errorf("%s = %q, want %q", name, got[name], want)
			}
		})
	}
	if !slices.Equal(rows[0][:3], []string{"variant", "seed", "flow"}) {
		t.Errorf("the columns are %v", rows[0])
	}
}

// A column that has no value in any row is neither in the file nor in its documentation.
func TestEmptyColumnsAreLeftOut(t *testing.T) {
	for _, measured := range []bool{false, true} {
		t.Run(fmt.Sprintf("measured=%v", measured), func(t *testing.T) {
			o := star()
			if measured {
				o.Flows[1].Receiver.Queueing.Add(unit.Microsecond) // one row of two
			}
			dir := filepath.Join(t.TempDir(), "run")
			writeFolder(t, dir, o)
			files := contents(t, dir)
			header, _, _ := strings.Cut(files["a/flows.csv"], "\n")
			for where, text := range map[string]string{"flows.csv": header, "columns.md": files["columns.md"]} {
				if strings.Contains(text, "owd_mean_us") != measured {
					t.Errorf("measured %v, %s has %v", measured, where, !measured)
				}
			}
			rows, err := csv.NewReader(strings.NewReader(files["a/flows.csv"])).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if at := slices.Index(rows[0], "owd_mean_us"); measured && (rows[1][at] != "" || rows[2][at] != "1.000") {
				t.Errorf("owd_mean_us is %q and %q", rows[1][at], rows[2][at])
			}
		})
	}
}

// A port is called by its node, its number and the node that it leads to, a queue and
// a class by what they are.
func TestPortsCanBeRead(t *testing.T) {
	o := star()
	o.Switches[0].Ports[2].Queues.Of(6).Frames = 1
	o.Switches[0].Ports[2].Queues.Of(0).Frames = 1
	o.NICs[1].Queues.Of(3).Frames = 1
	o.NICs[1].Classes.Of(3).ReceivedXOFF = 1
	dir := filepath.Join(t.TempDir(), "run")
	writeFolder(t, dir, o)
	files := contents(t, dir)
	for name, want := range map[string]string{
		"a/ports.csv":  "\na,1,s0,2,h2,",
		"a/queues.csv": "\na,1,s0,2,h2,0,lossy,1,",
		"a/pfc.csv":    "\na,1,h1,0,s0,3,lossless,",
	} {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(files[name], want) {
				t.Errorf("%s has no %q:\n%s", name, want, files[name])
			}
		})
	}
	for _, want := range []string{"\na,1,s0,2,h2,3,lossless,20,", "\na,1,s0,2,h2,6,control,1,",
		"\na,1,h1,0,s0,3,lossless,1,"} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if !strings.Contains(files["a/queues.csv"], want) {
				t.Errorf("queues.csv has no %q:\n%s", want, files["a/queues.csv"])
			}
		})
	}
	o.Plan.Switches[0].Profile.PFC.Enabled = false
	writeFolder(t, dir+"-lossy", o)
	if got := contents(t, dir+"-lossy")["a/queues.csv"]; !strings.Contains(got, "\na,1,s0,2,h2,3,lossy,20,") {
		t.Errorf("without PFC:\n%s", got)
	}
}

func TestSeriesFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	writeFolder(t, dir, series(star()))
	files := contents(t, dir)
	// h0's flow ends at 10 us; h1's goes on without a new decision.
	want := `variant,seed,time_us,flow,goodput_gbps,rate_gbps,acked_bytes,cnps_received,naks_received,timeouts
a,1,0,h0-h2,8.000,100.000,5000,0,0,0
a,1,5,h0-h2,8.000,50.000,5000,0,2,0
a,1,0,h1-h2,8.000,100.000,5000,0,0,0
a,1,5,h1-h2,8.000,50.000,5000,0,2,0
a,1,10,h1-h2,0.000,50.000,0,0,0,0
a,1,15,h1-h2,0.000,50.000,0,0,0,0
`
	if got := files["a/series_flows.csv"]; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	want = "variant,seed,time_us,node,port,queue,depth_max_bytes\na,1,0,s0,2,3,5410\n" +
		"a,1,10,s0,2,3,1082\n"
	if got := files["a/series_queues.csv"]; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	want = `variant,seed,time_us,node,port,tx_bytes,ecn_marked_frames,paused_us,dropped_frames
a,1,0,s0,2,0,2,0,0
a,1,10,s0,2,2164,0,1.5,0
a,1,15,s0,2,0,0,0,1
`
	if got := files["a/series_ports.csv"]; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestEveryColumnIsDocumented(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	writeFolder(t, dir, series(star()))
	files := contents(t, dir)
	for name, text := range files {
		if !strings.HasSuffix(name, ".csv") {
			continue
		}
		header, _, _ := strings.Cut(text, "\n")
		for _, column := range strings.Split(header, ",")[2:] {
			if !strings.Contains(files["columns.md"], "| `"+column+"` | ") {
				t.Errorf("%s: column %s is not documented", name, column)
			}
		}
	}
	for _, m := range Metrics() {
		if !strings.Contains(files["columns.md"], "| `"+m.Name+"` | ") {
			t.Errorf("metric %s is not documented", m.Name)
		}
	}
}

func TestExistingFolderIsRefused(t *testing.T) {
	dir := t.TempDir()
	if _, err := Create(dir); err == nil || !strings.Contains(err.Error(), dir+" exists already") {
		t.Errorf("Create of an existing folder: %v", err)
	}
	run := filepath.Join(dir, "run")
	if _, err := Create(run); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(run); err == nil || !strings.Contains(err.Error(), "another run is writing it") {
		t.Errorf("Create of a folder in the making: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(filepath.Join(dir, "file", "run")); err == nil {
		t.Error("Create below a file")
	}
}

func TestNextFreeFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	for _, want := range []string{"x-1", "x-2"} {
		t.Run(want, func(t *testing.T) {
			// x-1 is still being written
			f, err := CreateNext(dir, "x")
			if err != nil {
				t.Fatal(err)
			}
			if len(f.Left()) != 0 {
				t.Errorf("%v is said to be left", f.Left())
			}
			if filepath.Base(f.Dir()) != want {
				t.Errorf("got %s, want %s", f.Dir(), want)
			}
			if want == "x-2" {
				if err := f.Close(NewManifest("x", "", 1)); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
	if f, err := CreateNext(dir, "x"); err != nil || filepath.Base(f.Dir()) != "x-3" {
		t.Errorf("%v, %v", f, err)
	}
}

// The remains of a killed run explain how to go on, and the next run of that name knows of them.
func TestKilledRunLeavesWord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs")
	killed, err := CreateNext(dir, "x")
	if err != nil {
		t.Fatal(err)
	}
	part := filepath.Join(dir, "x-1"+partSuffix)
	o := star()
	s := Summarise(o)
	if err := killed.WriteRun("a", o, s, Judge(o, s)); err != nil {
		t.Fatal(err)
	}
	if text := contents(t, part)[partFile]; !strings.Contains(text, "that has a `summary.json` is complete") ||
		!strings.Contains(text, "It may be deleted.") {
		t.Errorf("%s says %q", partFile, text)
	}
	if abandoned(part) != nil {
		t.Error("a folder with a writer counts as left")
	}
	killed.lock.Close() // as the end of its process does
	if TryLock(openForLock(t)) != nil {
		t.Skip("no locks on this system")
	}
	next, err := CreateNext(dir, "x")
	if err != nil || !slices.Equal(next.Left(), []string{part}) {
		t.Errorf("%v, left %v", err, next.Left())
	}
	if err := next.Close(NewManifest("x", "", 1)); err != nil || exists(filepath.Join(dir, "x-2", partFile)) {
		t.Errorf("a finished folder: %v, or with %s", err, partFile)
	}
}

// The folder of a killed run is taken over by the next run of that name, by one of several at once, and without its
// content.
func TestTheFolderOfAKilledRunIsTakenOver(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	killed, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if killed.Replaced() {
		t.Error("a new folder counts as taken over")
	}
	if err := killed.Write("old", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(dir); !errors.Is(err, ErrExists) || !strings.Contains(err.Error(), "another run is writing it") {
		t.Errorf("beside a writer: %v", err)
	}
	killed.lock.Close() // as the end of its process does
	if TryLock(openForLock(t)) != nil {
		t.Skip("no locks on this system")
	}
	next, err := Create(dir)
	if err != nil || !next.Replaced() || exists(filepath.Join(dir+partSuffix, "old")) {
		t.Fatalf("the next: %v, %v", next, err)
	}
	if err := next.Write("old", func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	next.lock.Close()
	var made []*Folder // one that comes as another has emptied the folder has a new one
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			f, err := Create(dir)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made = append(made, f)
			} else if !errors.Is(err, ErrExists) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(made) != 1 || exists(filepath.Join(dir+partSuffix, "old")) {
		t.Fatalf("%d have it", len(made))
	}
	if err := made[0].Close(NewManifest("x", "", 1)); err != nil {
		t.Error(err)
	}
}

func openForLock(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "lock"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func TestFolderThatAppearsMeanwhileIsKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	f, err := Create(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(NewManifest("x", "", 1)); err == nil || !strings.Contains(err.Error(), dir+partSuffix) {
		t.Errorf("Close: %v", err)
	}
}

func TestInterruptedRunIsMarked(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	o := star()
	o.Interrupted = true
	writeFolder(t, dir, o)
	if m := contents(t, dir)[manifestName]; !strings.Contains(m, `"status": "interrupted"`) || !strings.Contains(m,
		`"verdict": "interrupted"`) || strings.Contains(m, `"interrupted": true`) {
		t.Error(m)
	}
	red := filepath.Join(t.TempDir(), "red")
	o.Deadlocks = []Deadlock{{At: us, Queues: []string{"a", "b"}}}
	writeFolder(t, red, o)
	if m := contents(t, red)[manifestName]; !strings.Contains(m, `"verdict": "red",
      "interrupted": true`) {
		t.Error(m)
	}
}

// disk holds a given number of bytes, and is then full at a Write or, as disks that allocate late, at the Sync.
type disk struct {
	room int
	late bool
}

type diskFile struct {
	io.WriteCloser
	disk *disk
}

func (d diskFile) Write(b []byte) (int, error) {
	if d.disk.room -= len(b); d.disk.room < 0 && !d.disk.late {
		return 0, syscall.ENOSPC
	}
	return d.WriteCloser.Write(b)
}

func (d diskFile) Sync() error {
	if d.disk.room < 0 {
		return syscall.ENOSPC
	}
	return nil
}

func TestFullDiskLeavesNothingThatLooksComplete(t *testing.T) {
	o := series(star())
	s := Summarise(o)
	v := Judge(o, s)
	for _, late := range []bool{false, true} {
		t.Run(fmt.Sprintf("late=%v", late), func(t *testing.T) {
			for room := 0; ; room += 500 {
				dir := filepath.Join(t.TempDir(), "run")
				f, err := Create(dir)
				if err != nil {
					t.Fatal(err)
				}
				d, create := &disk{room, late}, f.create
				f.create = func(path string) (file, error) {
					to, err := create(path)
					return diskFile{to, d}, err
				}
				m := NewManifest("x", "", 1)
				if err = f.WriteRun("", o, s, v); err == nil {
					m.Add("", o, s, v, nil)
					err = f.Close(m)
				}
				if err == nil {
					if room < 1000 || !exists(filepath.Join(dir, hostName)) {
						t.Fatalf("a disk of %d bytes was enough", room)
					}
					break
				}
				if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), "run folder cannot be written: ") {
					t.Fatalf("room %d: error %v", room, err)
				}
				if exists(dir) {
					t.Fatalf("room %d: the folder has its final name", room)
				}
				if err := f.Discard(); err != nil || exists(dir+partSuffix) {
					t.Fatalf("discard: %v", err)
				}
			}
		})
	}
}

// Output written as it comes, such as a capture, fails as the folder does.
func TestFullDiskUnderAnOpenFile(t *testing.T) {
	f, err := Create(filepath.Join(t.TempDir(), "run"))
	if err != nil {
		t.Fatal(err)
	}
	create := f.create
	f.create = func(path string) (file, error) {
		to, err := create(path)
		return diskFile{to, &disk{room: 3}}, err
	}
	write := func(w io.Writer) error { _, err := io.WriteString(w, "pcapng"); return err }
	e, err := f.Open("capture.pcapng")
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{write(e), f.Write("summary.json", write)} {
		t.Run(err.Error(), func(t *testing.T) {
			var refused *FolderError
			if !errors.As(err, &refused) || !errors.Is(err, syscall.ENOSPC) || strings.Count(err.Error(),
				"cannot be written") != 1 {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestCells(t *testing.T) {
	for ps, want := range map[int64]string{0: "0.000000", 1: "0.000001", -1: "-0.000001", 12345678: "12.345678",
		3e12:              "3000000.000000",
		int64(unit.Never): ""} {
		t.Run(fmt.Sprintf("ps=%v", ps), func(t *testing.T) {
			if got := string(appendMicroseconds(nil, ps)); got != want {
				t.Errorf("%d ps: %q, want %q", ps, got, want)
			}
		})
	}
	var b bytes.Buffer
	for _, text := range []string{"plain", "a,b", `say "x"`, "two\nlines"} {
		b.Write(append(appendText(nil, text), '\n'))
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][0] != "a,b" || rows[2][0] != `say "x"` || rows[3][0] != "two\nlines" {
		t.Errorf("%q, %v", rows, err)
	}
}
