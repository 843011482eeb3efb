package report

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/many/experiment"
	"github.com/rocelab/rocelab/testbed/mem"
	"github.com/rocelab/rocelab/testbed/model"
)

const small = `
name: small
topology: {kind: star, hosts: 5}
traffic: [{name: in, kind: incast, senders: 4, receiver: h4, size: 400KB}]
switch: {ecn: {kmin: 20KB, kmax: 80KB}}
faults: [{link: h0-s0, loss: 0.01}]
record: {interval: 5us}
variants: [{name: pc4, algorithm: pc4}, {name: dcqcn, algorithm: dcqcn}]
`

// ran carries a scenario out with some seeds, and returns its run folder.
func ran(t testing.TB, text string, seeds ...uint64) fstest.MapFS {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	parse := func(seed *uint64) ([]*plan.Plan, error) {
		options := []scenario.Option{}
		if seed != nil {
			options = append(options, scenario.WithOverrides(map[string]string{"seed": fmt.Sprint(*seed)}))
		}
		s, err := scenario.Parse("test.yaml", []byte(text), model.Checker(shipped.Find), options...)
		if err != nil {
			return nil, err
		}
		return s.Plans()
	}
	e := experiment.Experiment{
		Name:   "small",
		Digest: "0",
		Source: []byte(text),
		Seeds:  seeds,
		Plans:  parse,
		Folder: func() (*result.Folder, error) { return result.Create(dir) },
		Run: func(ctx context.Context, task experiment.Task) (*result.Outcome, error) {
			return mem.Run(ctx, task.Plan, mem.Options{Algorithms: shipped.Find})
		},
	}
	if _, err := e.Do(context.Background()); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[name] = &fstest.MapFile{}
			files[name].Data, err = fs.ReadFile(os.DirFS(dir), name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// source reads the files of a folder by the keys of a page.
type source struct {
	files  fstest.MapFS
	sheets map[string]*sheetText
}

// sheetText is a CSV file whose rows are found by some of their cells.
type sheetText struct {
	column map[string]int
	rows   [][]string
	found  map[string]map[string][]string // by the columns, then the cells
}

// value returns the value of the files at a place; "" and an error if there is no such place.
func (s *source) value(place string) (string, error) {
	file, rest, _ := strings.Cut(place, "#")
	slash := strings.LastIndex(rest, "/")
	if slash < 0 || s.files[file] == nil {
		return "", fmt.Errorf("%s: no such place", place)
	}
	key, column := rest[:slash], rest[slash+1:]
	if strings.HasSuffix(file, ".json") {
		var document struct{ Metrics map[string]json.RawMessage }
		if err := json.Unmarshal(s.files[file].Data, &document); err != nil {
			return "", err
		}
		return string(document.Metrics[column]), nil
	}
	sheet := s.sheet(file)
	if sheet == nil {
		return "", fmt.Errorf("%s: no such file", place)
	}
	var columns, cells []string
	for _, part := range strings.Split(key, "&") {
		name, value, _ := strings.Cut(part, "=")
		text, err := url.QueryUnescape(value)
		if err != nil {
			return "", err
		}
		columns, cells = append(columns, name), append(cells, text)
	}
	row := sheet.find(columns, cells)
	at, known := sheet.column[column]
	if row == nil || !known {
		return "", fmt.Errorf("%s: no such cell", place)
	}
	return row[at], nil
}

func (s *source) sheet(file string) *sheetText {
	if s.sheets[file] != nil {
		return s.sheets[file]
	}
	rows, err := csv.NewReader(strings.NewReader(string(s.files[file].Data))).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil
	}
	sheet := &sheetText{column: map[string]int{}, rows: rows[1:], found: map[string]map[string][]string{}}
	for i, name := range rows[0] {
		sheet.column[name] = i
	}
	if s.sheets == nil {
		s.sheets = map[string]*sheetText{}
	}
	s.sheets[file] = sheet
	return sheet
}

func (s *sheetText) find(columns, cells []string) []string {
	by := strings.Join(columns, "\x00")
	if s.found[by] == nil {
		s.found[by] = map[string][]string{}
		for _, row := range s.rows {
			var key []string
			for _, c := range columns {
				key = append(key, row[s.column[c]])
			}
			s.found[by][strings.Join(key, "\x00")] = row
		}
	}
	return s.found[by][strings.Join(cells, "\x00")]
}

// wrongNumbers compares each number of a page with its place, and counts those with one.
func wrongNumbers(t testing.TB, page string, files fstest.MapFS) (wrong []string, compared int) {
	t.Helper()
	root := parsed(t, page)
	s := &source{files: files}
	each(root, func(n *html.Node) {
		from := attribute(n, "data-from")
		if from == "" {
			return
		}
		compared++
		shown := textOf(n)
		if exact := attribute(n, "title"); exact != "" {
			if bad := wrongFigure(shown, exact, from); bad != "" {
				wrong = append(wrong, bad)
			}
			shown = exact
		}
		sum, count := 0.0, 0
		for _, place := range strings.Fields(from) {
			text, err := s.value(place)
			if err != nil {
				wrong = append(wrong, err.Error())
				return
			}
			if text == shown {
				return
			}
			value, err := strconv.ParseFloat(text, 64)
			if err != nil {
				wrong = append(wrong, fmt.Sprintf("%s: %q, the page has %q", place, text, shown))
				return
			}
			sum += value
			count++
		}
		value, err := strconv.ParseFloat(shown, 64)
		_, decimals, _ := strings.Cut(shown, ".")
		if err != nil || count < 2 || math.Abs(value-sum/float64(count)) > math.Pow(10, -float64(len(decimals))) {
			wrong = append(wrong, fmt.Sprintf("%s: %v, the page has %q", from, sum/float64(count), shown))
		}
	})
	for _, p := range dataOf(t, root).Plots {
		for _, v := range p.Views {
			for _, l := range v.Levels {
				compared++
				if text, err := s.value(l.From); err != nil || text != strconv.FormatFloat(l.Value, 'f', -1, 64) {
					wrong = append(wrong, fmt.Sprintf("%s: %q, %v, the page has %v", l.From, text, err, l.Value))
				}
			}
			for _, l := range v.Lines {
				if l.Where == "" || l.Merged != 1 {
					continue
				}
				bad, n := wrongPoints(t, s, l)
				wrong, compared = append(wrong, bad...), compared+n
			}
		}
	}
	return wrong, compared
}

// wrongFigure holds a number that is rounded for people to the one with all digits: the unit is that of the name, four
// digits are right, and a sign is one that the name may have.
func wrongFigure(shown, exact, from string) string {
	name := from[strings.LastIndex(from, "/")+1:]
	sign, figure, signed := strings.Cut(shown, " ")
	switch {
	case signed && sign == "\u2264" &&
		regexp.MustCompile(`^(rtt|rtt_sample|queueing|wait|owd)_p(50|99)_us$`).MatchString(name):
	case signed && sign == "\u2265" && regexp.MustCompile(`^queue_p(50|99)_bytes$`).MatchString(name):
	case shown == "< 8.192 KB" && exact == "0" && strings.HasPrefix(name, "queue_p"):
		return ""
	default:
		figure = shown
	}
	digits, unit, _ := strings.Cut(figure, " ")
	value, err := strconv.ParseFloat(digits, 64)
	want, err2 := strconv.ParseFloat(exact, 64)
	if unit == "%" && regexp.MustCompile(`_share$|^wait_share_|^utilisation$`).MatchString(name) {
		name = unit
	} else if unit != "" {
		name = unit + " " + name[strings.LastIndex(name, "_")+1:]
	} else {
		name = ""
	}
	value *= map[string]float64{
		"":      1, // a ratio or a count
		"%":     1e-2,
		"ns us": 1e-3, "us us": 1, "ms us": 1e3, "s us": 1e6, "ps us": 1e-6,
		"B bytes": 1, "KB bytes": 1e3, "MB bytes": 1e6, "GB bytes": 1e9,
		"kb/s gbps": 1e-6, "Mb/s gbps": 1e-3, "Gb/s gbps": 1, "Tb/s gbps": 1e3,
		"MB/s s": 1e-3, "GB/s s": 1, "TB/s s": 1e3, // gigabytes_s
	}[name]
	if err != nil || err2 != nil || math.Abs(value-want) > 5e-4*math.Abs(want) {
		return fmt.Sprintf("%s: %s, the page has %q", from, exact, shown)
	}
	return ""
}

// wrongPoints compares a line with its file. A bin that the file has not is empty.
func wrongPoints(t testing.TB, s *source, l line) (wrong []string, compared int) {
	for i, value := range decodeValues(t.(*testing.T), l.Data) {
		at := (l.First + int64(i)) * l.Width
		time := strconv.FormatFloat(float64(at)/1e6, 'f', -1, 64)
		place := fmt.Sprintf("%s#time_us=%s&%s/%s", l.File, time, l.Where, l.Column)
		compared++
		text, err := s.value(place)
		if err != nil {
			if value != 0 && value != gap {
				wrong = append(wrong, err.Error())
			}
			continue
		}
		want := int64(gap)
		if text != "" {
			f, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			want = unit.Whole[int64](math.Round(f * math.Pow(10, float64(l.Decimals))))
		}
		if value != want {
			wrong = append(wrong, fmt.Sprintf("%s: %s, the page has %d", place, text, value))
		}
	}
	return wrong, compared
}

// Each number of a page is at the place of its key. Tier: -short, some 0.2 s.
func TestEveryNumberIsACell(t *testing.T) {
	files := ran(t, small)
	page := written(t, opened(t, "run", files))
	wrong, compared := wrongNumbers(t, page, files)
	if len(wrong) > 0 {
		t.Errorf("%d of %d: %s", len(wrong), compared, wrong[0])
	}
	if compared < 500 {
		t.Errorf("only %d numbers have a place", compared)
	}
}

// With several seeds a tile has medians and ranges, all of which are places.
func TestMediansAreOfCells(t *testing.T) {
	for _, seeds := range [][]uint64{{1, 2}, {1, 2, 3}} {
		t.Run(fmt.Sprint(seeds), func(t *testing.T) {
			files := ran(t, small, seeds...)
			if wrong, _ := wrongNumbers(t, written(t, opened(t, "run", files)), files); len(wrong) > 0 {
				t.Errorf("seeds %v: %s", seeds, wrong[0])
			}
		})
	}
}

// A cell that is not what the page has is found, in each kind of place.
func TestAChangedCellIsFound(t *testing.T) {
	files := ran(t, small)
	page := written(t, opened(t, "run", files))
	for name, change := range map[string]func(string) string{
		"dcqcn/summary.json": func(text string) string {
			return strings.Replace(text, `"goodput_gbps": `, `"goodput_gbps": 1`, 1)
		},
		"dcqcn/flows.csv":  func(text string) string { return changeCell(text, 1, "slowdown") },
		"dcqcn/queues.csv": func(text string) string { return changeLargest(text, "depth_max_bytes") },
		"dcqcn/series_flows.csv": func(text string) string {
			return changeCell(text, 7, "goodput_gbps")
		},
		"pc4/series_queues.csv": func(text string) string { return changeLargest(text, "depth_max_bytes") },
	} {
		t.Run(name, func(t *testing.T) {
			changed := fstest.MapFS{}
			for n, f := range files {
				changed[n] = f
			}
			changed[name] = &fstest.MapFile{Data: []byte(change(string(files[name].Data)))}
			if wrong, _ := wrongNumbers(t, page, changed); len(wrong) == 0 {
				t.Errorf("%s: a changed cell is not found", name)
			}
		})
	}
}

// changeCell puts a 9 before a cell, of the row with that number.
func changeCell(text string, number int, column string) string {
	rows, _ := csv.NewReader(strings.NewReader(text)).ReadAll()
	for i, name := range rows[0] {
		if name == column {
			rows[number][i] = "9" + rows[number][i]
		}
	}
	var out strings.Builder
	w := csv.NewWriter(&out)
	_ = w.WriteAll(rows)
	return out.String()
}

// changeLargest changes the largest cell of a column.
func changeLargest(text, column string) string {
	rows, _ := csv.NewReader(strings.NewReader(text)).ReadAll()
	at, most, number := -1, -1.0, 0
	for i, name := range rows[0] {
		if name == column {
			at = i
		}
	}
	for i, row := range rows[1:] {
		if value, _ := strconv.ParseFloat(row[at], 64); value > most {
			most, number = value, i+1
		}
	}
	return changeCell(text, number, column)
}
