package view

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"sync"
	"time"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/testbed/look/report"
)

// showSeries answers with a stretch of a series, as JSON: run, file, where and column identify it, from and to are
// times in microseconds, without them all of it.
func (s *Server) showSeries(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	from, err := timeOf(query.Get("from"), 0)
	if err != nil {
		http.Error(w, "from: "+err.Error(), http.StatusBadRequest)
		return
	}
	to, err := timeOf(query.Get("to"), math.MaxInt64)
	if err != nil {
		http.Error(w, "to: "+err.Error(), http.StatusBadRequest)
		return
	}
	run, err := s.list.find(query.Get("run"))
	if err != nil {
		fail(w, err)
		return
	}
	if run == nil || !run.Finished() {
		http.Error(w, "there is no such run, or it has not ended", http.StatusNotFound)
		return
	}
	key := seriesKey{run.ID, run.Date, query.Get("file"), query.Get("column")}
	series, err := s.series.get(key, func() (*report.Series, error) {
		folder, err := report.Open(run.Name, run.Name, s.list.files(run))
		if err != nil {
			return nil, err
		}
		return folder.ReadSeries(key.file, key.column)
	})
	if err != nil {
		fail(w, err)
		return
	}
	stretch, err := series.Stretch(query.Get("where"), from, to)
	if err != nil {
		http.Error(w, run.Name+": "+err.Error(), http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(stretch)
}

// timeOf reads a time in microseconds, or takes that which holds without one.
func timeOf(text string, without int64) (int64, error) {
	if text == "" {
		return without, nil
	}
	at, err := runfolder.ParseTime(text)
	if err != nil {
		return 0, fmt.Errorf("%w, such as 12.5", err)
	}
	return int64(at), nil
}

// seriesKey names a column of a file, of a folder as it was at a time.
type seriesKey struct {
	run          string
	date         time.Time
	file, column string
}

// mostValues is the maximum number of values kept: a zoomed picture requests many stretches of one column.
const mostValues = 8 << 20

// cache keeps the columns that were asked for last.
type cache struct {
	mu sync.Mutex
	// kept are in the order of their last use.
	kept []*column
}

type column struct {
	key    seriesKey
	once   sync.Once
	series *report.Series
	err    error
	// size is the number of its values, once they were read.
	size int
}

// get returns a column, which read reads if it is not there.
func (c *cache) get(key seriesKey, read func() (*report.Series, error)) (*report.Series, error) {
	col := c.take(key)
	col.once.Do(func() {
		if col.series, col.err = read(); col.err == nil {
			c.trim(col, col.series.Size())
		}
	})
	if col.err != nil {
		c.drop(col)
	}
	return col.series, col.err
}

// take finds a column, or makes a place for it, at the end.
func (c *cache) take(key seriesKey) *column {
	c.mu.Lock()
	defer c.mu.Unlock()
	col := &column{key: key}
	for i, old := range c.kept {
		if old.key == key {
			col = old
			c.kept = append(c.kept[:i], c.kept[i+1:]...)
			break
		}
	}
	c.kept = append(c.kept, col)
	return col
}

// trim records the size of a column, and drops the ones that were not requested for longest.
func (c *cache) trim(col *column, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	col.size = size
	total := 0
	for i := len(c.kept) - 1; i >= 0; i-- {
		if total += c.kept[i].size; total > mostValues && c.kept[i] != col {
			c.kept = append([]*column{}, c.kept[i+1:]...)
			return
		}
	}
}

func (c *cache) drop(col *column) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, old := range c.kept {
		if old == col {
			c.kept = append(c.kept[:i], c.kept[i+1:]...)
			return
		}
	}
}
