package runfolder_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// flow is a row of a sheet.
type flow struct {
	Name    string        `csv:"flow"`
	Size    uint64        `csv:"size_bytes"`
	Start   unit.Time     `csv:"start_us"`
	Silence unit.Duration `csv:"silence_us,optional"`
	Rate    float64       `csv:"goodput_gbps"`
	Begin   float64       `csv:"start_us,optional,time"`
}

const sheet = `flow,size_bytes,start_us,goodput_gbps
"in,1",300000,0.000000,5.700
in2,0,12.000001,
`

// zeros is a cell of up to 64 MB, without an end.
type zeros struct{ read int }

// Read implements io.Reader.
func (z *zeros) Read(buffer []byte) (int, error) {
	if z.read > 64<<20 {
		return 0, io.EOF
	}
	for i := range buffer {
		buffer[i] = '0'
	}
	z.read += len(buffer)
	return len(buffer), nil
}

func read(text string) ([]flow, error) {
	run := runfolder.RunIn(fstest.MapFS{"run/flows.csv": &fstest.MapFile{Data: []byte(text)}}, "run")
	var list []flow
	for f, err := range runfolder.Rows[flow](run, "flows.csv") {
		if err != nil {
			return list, err
		}
		list = append(list, f)
	}
	return list, nil
}

// Tier: -short, as all of this file.
func TestRows(t *testing.T) {
	list, err := read(sheet)
	if err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	first := flow{Name: "in,1", Size: 300000, Silence: unit.Duration(unit.Never), Rate: 5.7}
	if list[0] != first {
		t.Errorf("%+v, want %+v", list[0], first)
	}
	if second := list[1]; second.Start != 12*unit.Time(unit.Microsecond)+1 || !math.IsNaN(second.Rate) ||
		second.Begin != 12.000001 {
		t.Errorf("%+v", second)
	}
}

// Damage is reported with its file, line, column and the allowed values, by every reader. Red if a damaged cell is 0,
// or a time with more decimals than a picosecond has is cut off.
func TestDamagedFiles(t *testing.T) {
	for _, c := range []struct{ old, new, says string }{
		{"12.000001", "12.0000019", `run/flows.csv:3:3 is damaged: start_us: "12.0000019" is not a time in micro`},
		{"12.000001", "-1", `start_us: "-1" is not a time`},
		{"12.000001", "99999999999999", "beyond the longest run"},
		{"5.700", "many", `run/flows.csv:2:4 is damaged: goodput_gbps: "many" is not a number`},
		{"5.700", "NaN", `"NaN" is not a number`},
		{"5.700", "1_0", `"1_0" is not a number`},
		{"5.700", "1e3", `"1e3" is not a number`},
		{"300000", "-3", `size_bytes: "-3" is not a whole number from 0`},
		{"in2,0,12.000001,", "in2,0,12.0", "run/flows.csv:3 is damaged: it has 3 cells, and the header 4"}, // cut off
		{"start_us", "begin_us", "run/flows.csv is damaged: it has no column start_us"},
		{`"in,1"`, `"in,1`, "is not a row of a CSV file"},
		{sheet, "", "it is empty"},
		{"12.000001,\n", "12.000001,", "run/flows.csv:3 is damaged: the file does not end with a whole line"},
		{"goodput_gbps\n", "goodput_gbps,start_us\n", "run/flows.csv:1:5 is damaged: column start_us is there twice"},
		{"flow,", "\ufeffflow,", "run/flows.csv:1:1 is damaged: it begins with a byte order mark"},
		{sheet, "flow,size_bytes,start_us,goodput_gbps", "run/flows.csv:1 is damaged: the file does not end"},
	} {
		t.Run(c.says, func(t *testing.T) {
			_, err := read(strings.Replace(sheet, c.old, c.new, 1))
			var damaged *runfolder.Damaged
			if err == nil || !errors.As(err, &damaged) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v, want %q", c.new, err, c.says)
			}
		})
	}
}

// Neither a pipe, nor a folder, nor a file of JSON or a row of CSV beyond the bound is read.
func TestBounds(t *testing.T) {
	const head, row = "flow,size_bytes,start_us,goodput_gbps\n", "a,1,2,3\n"
	for text, line := range map[string]int{
		head: 2, head + row: 3, head + row + "\"": 3, head + "\"a\nb\",1,2,3\n" + row + "\"x\n": 5, "": 1, "\"": 1,
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			endless := &zeros{}
			all := func(runfolder.Row) error { return nil }
			err := runfolder.ReadSheet("f.csv", io.MultiReader(strings.NewReader(text), endless), nil, all)
			want := fmt.Sprintf("f.csv:%d is damaged: is not a row of a CSV file: a line has more than 4194304 bytes", line)
			if err == nil || err.Error() != want || endless.read > 2*runfolder.MaxLine {
				t.Errorf("%q: %v after %d bytes, want %s", text, err, endless.read, want)
			}
		})
	}
	large := fstest.MapFS{"summary.json": &fstest.MapFile{Data: make([]byte, runfolder.MaxJSON+1)}}
	_, err := runfolder.RunIn(large, ".").Summary()
	if err == nil || !strings.Contains(err.Error(), "more than 67108864 bytes") {
		t.Error(err)
	}
	for _, mode := range []fs.FileMode{fs.ModeDir, fs.ModeNamedPipe, fs.ModeDevice} {
		t.Run(fmt.Sprintf("mode=%v", mode), func(t *testing.T) {
			odd := fstest.MapFS{"summary.json": &fstest.MapFile{Mode: mode}}
			if _, err := runfolder.RunIn(odd, ".").Summary(); err == nil || !strings.Contains(err.Error(), "expected a file") {
				t.Error(mode, err)
			}
		})
	}
}

func TestSummary(t *testing.T) {
	text := `{"seed":7,"metrics":{"jain":null,"drops":3,"fct_p99_us":1.250}}`
	s, err := runfolder.ParseSummary("x/summary.json", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if v, known := s.Value("jain"); !math.IsNaN(v) || !known || s.Text("jain") != "" {
		t.Error(v, known)
	}
	if v, known := s.Value("marks"); !math.IsNaN(v) || known {
		t.Error(v, known)
	}
	if v, _ := s.Value("fct_p99_us"); v != 1.25 || s.Text("fct_p99_us") != "1.250" {
		t.Error(v)
	}
	for text, place := range map[string]string{
		"{": "1:1", "{\n\"metrics\":{\"drops\":\"3\"}}": "2:12", `{"metrics":{"drops":[]}}`: "1:13", `{"metrics":3}`: "1:12",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if _, err := runfolder.ParseSummary("x/summary.json", []byte(text)); err == nil ||
				!strings.HasPrefix(err.Error(), "x/summary.json:"+place+" is damaged: ") {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
}

// Any text is read or refused, and times are exact.
func FuzzReadSheet(f *testing.F) {
	f.Add(sheet)
	f.Add("flow,size_bytes,start_us,goodput_gbps\r\n\"a\"\"b\",1,0.5,1e3\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := read(text)
		if err == nil {
			for _, one := range list {
				if one.Start < 0 || math.IsInf(one.Rate, 0) {
					t.Fatalf("%+v", one)
				}
			}
		}
	})
}

// Times are exact, and what no clock of a run has is refused.
func TestParseTime(t *testing.T) {
	for text, want := range map[string]unit.Time{
		"0": 0, "12": 12e6, "12.5": 12_500_000, "12.000001": 12_000_001, "9223372036854.775800": 9223372036854775800,
	} {
		t.Run(text, func(t *testing.T) {
			if at, err := runfolder.ParseTime(text); err != nil || at != want {
				t.Errorf("%q is %d, %v", text, at, err)
			}
		})
	}
	for _, text := range []string{
		"", ".", ".5", "-1", "+1", "1e3", "1.0000001", "1.2.3", " 1", "1 ", "\u0661", "9223372036854.776",
		"99999999999999999999", "9223372036855",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if at, err := runfolder.ParseTime(text); err == nil {
				t.Errorf("%q is %d", text, at)
			}
		})
	}
}

func FuzzParseTime(f *testing.F) {
	f.Add("12.000001")
	f.Fuzz(func(t *testing.T, text string) {
		at, err := runfolder.ParseTime(text)
		if err != nil {
			return
		}
		again, err := runfolder.ParseTime(fmt.Sprintf("%d.%06d", at/1e6, at%1e6))
		if at < 0 || err != nil || again != at {
			t.Fatalf("%q is %d, and that %d, %v", text, at, again, err)
		}
	})
}

// A series has its bins from 0 on, and only the rows that were asked for. A file that was not recorded is named, and so
// is a time beyond any run, with its place.
func TestSeries(t *testing.T) {
	files := fstest.MapFS{
		"a/summary.json":     {Data: []byte(`{"metrics": {}, "recording": {"widths_us": {"series_x.csv": 2}}}`)},
		"a/series_x.csv":     {Data: []byte("time_us,node,bytes\n0,s0,1\n4,s0,2\n4,s1,8\n4,s0,4\n")},
		"long/summary.json":  {Data: []byte(`{"metrics": {}, "recording": {"widths_us": {"series_x.csv": 2}}}`)},
		"long/series_x.csv":  {Data: []byte("time_us,node,bytes\n9000000000000,s0,1\n")},
		"plain/summary.json": {Data: []byte(`{"metrics": {}}`)},
	}
	of := func(folder string) (runfolder.Series, error) {
		return runfolder.RunIn(files, folder).Series("series_x.csv", "bytes", "node=s0")
	}
	series, err := of("a")
	if err != nil || series.Width != 2 || !slices.Equal(series.Values, []float64{1, 0, 6}) ||
		!slices.Equal(series.Between(4, 8), []float64{6, 0}) {
		t.Errorf("%+v, %v", series, err)
	}
	if _, err := of("long"); err == nil || err.Error() != `long/series_x.csv:2:1 is damaged: time_us: "9000000000000" `+
		`is not a time of the run` {
		t.Error(err)
	}
	for _, at := range []string{"1e1", "-2", "4.0000001", ""} {
		t.Run(fmt.Sprintf("%q", at), func(t *testing.T) {
			// not what ParseTime reads
			files["long/series_x.csv"] = &fstest.MapFile{Data: []byte("time_us,node,bytes\n" + at + ",s0,1\n")}
			if _, err := of("long"); err == nil || !strings.HasPrefix(err.Error(),
				"long/series_x.csv:2:1 is damaged: time_us:") {
				t.Error(at, err)
			}
		})
	}
	if _, err := of("plain"); !errors.Is(err, fs.ErrNotExist) ||
		err.Error() != "there is no plain/series_x.csv: the run did not record it" {
		t.Error(err)
	}
	if _, err := runfolder.RunIn(files, "a").Series("series_x.csv", "bytes", "nod=s0"); err == nil {
		t.Error("a column that is not there was taken")
	}
}
