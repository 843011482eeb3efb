package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/internal/exit"
	"github.com/rocelab/rocelab/internal/textfile"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/hosting"
	"github.com/rocelab/rocelab/plugins/eventlog"
	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/comparison"
)

// replayFlags are the flags of algorithm replay.
type replayFlags struct {
	plugins   pluginFlags
	algorithm string
	sets      []string
	format    page.Format
}

func replayAlgorithmCommand(code *int) *cobra.Command {
	options := &replayFlags{}
	c := &cobra.Command{
		Use:   "replay LOG...",
		Short: "Replay the event log of a run to an algorithm",
		Long: `Replay event logs, which rocelab run --event-log wrote, to an algorithm, and compare
its answers with those in the log. By default this is the algorithm of the log in its
present version; --algorithm names another one, or a program by its path, which
contains a slash. A folder stands for all logs in it. Parameters come from the log,
unless another algorithm is named; --algorithm and --set override them.

The report names the first answer that differs. The events are the ones that followed
from the old answers. After the first difference the report therefore shows how the
algorithm answers these events, and not how a run would have gone on. The exit code
is 0 if all answers are equal and 1 if not.`,
		Example: `  rocelab run incast.yaml --event-log 0 --out before
  rocelab algorithm replay before
  rocelab algorithm replay before/dcqcn/events/incast_h0-h16.sender.jsonl --algorithm dcqcn:rpg_gd=5
  rocelab algorithm replay before --algorithm ./build/cc-mine`,
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(c *cobra.Command, args []string) (err error) {
			defer func() { err = errors.Join(err, options.plugins.close()) }()
			*code, err = options.run(c.Context(), args, c.OutOrStdout())
			return err
		},
	}
	flags := c.Flags()
	flags.StringVar(&options.algorithm, "algorithm", "",
		"algorithm to replay to, in place of the log's: NAME, or a program's PATH with a slash in it, then "+
			":param=value,...")
	flags.StringArrayVar(&options.sets, "set", nil, "change a parameter: name=value (repeatable)")
	options.plugins.addSearch(c)
	formatFlag(c, &options.format)
	return c
}

// replayed is a log and the result of its replay, as printed.
type replayed struct {
	Log string `json:"log"`
	// Flow is the flow's name, or its number where the log has none.
	Flow      string `json:"flow"`
	End       string `json:"end"`
	Algorithm string `json:"algorithm"`
	Calls     int    `json:"calls"`
	Different int    `json:"different"`
	// First is the first difference, "" for none; Rate the largest difference
	// of the rate, as a part.
	First   string   `json:"first_difference,omitempty"`
	Rate    float64  `json:"largest_rate_difference"`
	Lacking []string `json:"signals_not_in_the_log,omitempty"`
	// Skipped is the reason why the log was not replayed.
	Skipped string `json:"skipped,omitempty"`
}

// run carries the command out and returns its exit code.
func (f *replayFlags) run(ctx context.Context, paths []string, stdout io.Writer) (int, error) {
	given, err := params(f.sets)
	if err != nil {
		return 0, usage(err)
	}
	var named comparison.Entry
	if f.algorithm != "" {
		if named, err = oneEntry(f.algorithm); err == nil {
			err = addParams(given, named)
		}
		if err != nil {
			return 0, usage(err)
		}
	}
	if paths, err = logFiles(paths); err != nil {
		return 0, usage(err)
	}
	find, err := f.finder(named)
	if err != nil {
		return 0, err
	}
	list := []replayed{}
	code := exit.CodePass
	for _, path := range paths {
		if ctx.Err() != nil {
			err = errInterrupted
			break
		}
		var r replayed
		if r, err = f.replayLog(ctx, path, given, find); err != nil {
			break
		}
		if r.Different > 0 {
			code = exit.CodeFailed
		}
		list = append(list, r)
	}
	if err != nil {
		return 0, err
	}
	if !slices.ContainsFunc(list, func(replay replayed) bool { return replay.Skipped == "" }) {
		return 0, usage(fmt.Errorf("no log was replayed: %s: %s", list[0].Log, list[0].Skipped))
	}
	return code, printAs(stdout, f.format, list, replaysDocument(list))
}

// logFiles puts the logs of a folder in its place.
func logFiles(paths []string) (files []string, err error) {
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, path)
			continue
		}
		before := len(files)
		err = filepath.WalkDir(path, func(file string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.HasSuffix(file, logSuffix) {
				files = append(files, file)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(files) == before {
			return nil, fmt.Errorf("%s has no event logs, files that end in %s: run --event-log FLOW writes them", path,
				logSuffix)
		}
	}
	return files, nil
}

// finder returns what finds the algorithm for a log: the one that is named, or
// the log's own.
func (f *replayFlags) finder(named comparison.Entry) (find func(name string) (cc.Algorithm, error), err error) {
	algorithms, err := f.plugins.registry()
	if err != nil {
		return nil, usage(err)
	}
	if named.Name == "" {
		return algorithms.Lookup, nil
	}
	a, err := named.Find(algorithms)
	if err != nil {
		return nil, usage(err)
	}
	return func(string) (cc.Algorithm, error) { return a, nil }, nil
}

// mostLog is the maximum size of an event log, in bytes: all of it is read into memory.
const mostLog = 1 << 30

// replayLog replays a log.
func (f *replayFlags) replayLog(ctx context.Context, path string, given map[string]string,
	find func(string) (cc.Algorithm, error)) (replay replayed, err error) {
	file, err := textfile.Open(ctx, path, mostLog)
	if err = interrupted(ctx, err); errors.Is(err, errInterrupted) {
		return replay, err
	}
	if err != nil {
		return replay, host(err)
	}
	defer file.Close()
	log, err := eventlog.Read(file)
	if err = interrupted(ctx, err); errors.Is(err, errInterrupted) {
		return replay, err
	}
	if err != nil {
		return replay, usage(fmt.Errorf("event log %s: %w", path, err))
	}
	algorithm, err := find(log.Algorithm)
	if err != nil {
		return replay, usage(err)
	}
	about := algorithm.Describe()
	all := map[string]string{}
	if about.Name == log.Algorithm {
		maps.Copy(all, log.Params)
	}
	maps.Copy(all, given)
	p, err := hosting.Parse(about, all)
	if err != nil {
		return replay, usage(fmt.Errorf("algorithm %s: %w", about.Name, err))
	}
	c, err := algorithm.New(p)
	if err != nil {
		return replay, usage(fmt.Errorf("algorithm %s: %w", about.Name, err))
	}
	replay = replayed{Log: path, Flow: log.Name, End: log.End.String(), Algorithm: about.Name + " " + about.Version}
	if replay.Flow == "" {
		replay.Flow = fmt.Sprint(log.Flow)
	}
	match, err := eventlog.Replay(log, c)
	if errors.Is(err, eventlog.ErrNoEnd) {
		replay.Skipped = err.Error()
		return replay, nil
	}
	if err != nil {
		return replay, err
	}
	replay.Calls, replay.Different, replay.Rate, replay.Lacking = match.Calls, match.Different, match.Rate, match.Lacking
	if match.First != nil {
		replay.First = match.First.String()
	}
	return replay, nil
}

func replaysDocument(list []replayed) *page.Document {
	rows := page.New("flow", "end", "algorithm", "calls", "different", "rate, up to", "first difference")
	rows.Columns[6].Prose = true
	calls, different := 0, 0
	for _, replay := range list {
		note, rate := replay.First, ""
		if len(replay.Lacking) > 0 {
			note = strings.TrimPrefix(note+"; not in the log: "+strings.Join(replay.Lacking, ", "), "; ")
		}
		if replay.Skipped != "" {
			note = "not replayed: " + replay.Skipped
		}
		if replay.Rate > 0 {
			rate = page.Percent(replay.Rate)
		}
		rows.Add(replay.Flow, replay.End, replay.Algorithm, replay.Calls, replay.Different, rate, note)
		calls, different = calls+replay.Calls, different+replay.Different
	}
	d := &page.Document{Title: "Answers to event logs", Kind: "algorithm replay"}
	if different > 0 {
		d.Say("DIFFERENT: %d of %d answers differ from the logs", different, calls)
	} else {
		d.Say("EQUAL: all %d answers match the logs", calls)
	}
	d.Add(rows)
	return d
}
