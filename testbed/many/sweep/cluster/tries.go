package cluster

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rocelab/rocelab/testbed/many/campaign"
	"github.com/rocelab/rocelab/testbed/many/sweep"
)

// maxTries is the number of tries of a run in one submission.
const maxTries = 3

// Try is one attempt at a shard. It is recorded twice, when it begins and when it has ended; if the end is missing, its
// host died, or it goes on.
type Try struct {
	Shard string    `json:"shard"` // i/n, as in --shard
	Host  string    `json:"host"`
	Code  *int      `json:"code,omitempty"` // exit code; nil at the begin
	Time  time.Time `json:"time"`
	// Stopped reports whether the task was asked to end, which is not a fault of the shard.
	Stopped bool `json:"stopped,omitempty"`
}

// tries is the folder of a submission's tries. Every process has a file of its own, as
// a shared folder may lose lines that two machines append to one file.
func tries(submission string) string { return filepath.Join(submission, "tries") }

// journal is the file to which one task writes its tries.
type journal struct {
	file *os.File
	host string
}

// openJournal opens the journal of a task on this host.
func openJournal(submission, host string) (*journal, error) {
	if err := os.MkdirAll(tries(submission), 0o777); err != nil {
		return nil, err
	}
	pattern := strings.ReplaceAll(host, string(filepath.Separator), "-") + "-*.jsonl"
	file, err := os.CreateTemp(tries(submission), pattern)
	if err != nil {
		return nil, err
	}
	return &journal{file: file, host: host}, file.Chmod(0o644)
}

func (j *journal) write(t Try) error {
	t.Host, t.Time = j.host, time.Now().UTC().Truncate(time.Millisecond)
	line, err := json.Marshal(t)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(line, '\n'))
	return err
}

// ReadTries reads the tries in a submission, by shard and in the order of each process. A truncated line is left out,
// as its try has no end either.
func ReadTries(submission string) (map[string][]Try, error) {
	all := map[string][]Try{}
	err := campaign.ReadLines(tries(submission), func(t Try) { all[t.Shard] = append(all[t.Shard], t) })
	return all, err
}

// Begun counts the tries of a shard that count: all that began, except ones that were asked to stop.
func Begun(tries []Try) int {
	n := 0
	for _, t := range tries {
		switch {
		case t.Code == nil:
			n++
		case t.Stopped:
			n--
		}
	}
	return n
}

// killed reports whether a try of these was ended from outside, or has no end: its host
// or its task died.
func killed(tries []Try) bool {
	open := 0
	for _, t := range tries {
		if t.Code == nil {
			open++
			continue
		}
		open--
		if again(*t.Code) && !t.Stopped {
			return true
		}
	}
	return open > 0
}

// Why explains why a run is not done in a submission, "" if nothing is known: by its own tries, or else by the tries of
// the shard that it shared.
func (s *Submission) Why(all map[string][]Try, run, runs int) string {
	own := all[sweep.Shard{Index: run, Of: runs}.String()]
	shared := all[sweep.Shard{Index: run % s.Tasks, Of: s.Tasks}.String()]
	tried := own
	if len(own) == 0 {
		tried = shared
	}
	if len(tried) == 0 {
		return ""
	}
	last := tried[0]
	for _, t := range tried {
		if !t.Time.Before(last.Time) { // of one instant the begin comes before the end
			last = t
		}
	}
	times := "once"
	if n := Begun(tried); n > 1 {
		times = fmt.Sprintf("%d times", n)
	}
	switch {
	case last.Code == nil:
		return fmt.Sprintf("begun on %s at %s, without an end", last.Host, last.Time.Format(time.RFC3339))
	case last.Stopped:
		return fmt.Sprintf("stopped by a signal on %s", last.Host)
	case len(own) > 0:
		return fmt.Sprintf("tried %s, the last on %s ended with exit code %d", times, last.Host, *last.Code)
	}
	return fmt.Sprintf("its task was tried %s, the last on %s ended with exit code %d", times, last.Host, *last.Code)
}
