package exposition

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"strconv"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/testbed/look/progressfile"
)

// Unfinished reads the runs of a run folder that is being written, name without .part. A run without telemetry has
// none; for one that has ended meanwhile its files have more.
func Unfinished(name string, folder fs.FS) ([]Run, error) {
	folder = runfolder.Bounded(folder)
	file, err := folder.Open(progressfile.File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines, err := progressfile.ReadFrom(file) // with an error, those before it
	var order []string
	last := map[string]*progressfile.Line{}
	for i := range lines {
		line := &lines[i]
		if last[line.Run] == nil {
			order = append(order, line.Run)
		}
		last[line.Run] = line
	}
	var runs []Run
	for _, sub := range order {
		run := ofLine(name, last[sub])
		if last[sub].Ended != "" {
			// Its files are written after its last line, summary.json at the end.
			whole := run
			whole.Readings = maps.Clone(run.Readings)
			if fs.ValidPath(sub) && whole.read(runfolder.RunIn(folder, path.Clean(sub))) == nil {
				run = whole
			}
		}
		runs = append(runs, run)
	}
	return runs, err
}

// ofLine is the run of a line.
func ofLine(name string, line *progressfile.Line) Run {
	run := Run{
		Folder:    name,
		Variant:   line.Variant,
		Seed:      strconv.FormatUint(line.Seed, 10),
		Runner:    line.Runner,
		Scenario:  line.Scenario,
		Algorithm: line.Algorithm,
		Verdict:   line.Verdict,
		Readings: map[string]float64{
			ended:       0,
			modelTime:   float64(line.Model) / 1e6,
			wall:        float64(line.Wall),
			"flows":     float64(line.Flows),
			"completed": float64(line.Completed),
			sentBytes:   float64(line.SentBytes),
			delivered:   float64(line.DeliveredBytes),
			"marks":     float64(line.Marks),
			"cnps":      float64(line.CNPs),
			"pauses":    float64(line.XOFFs),
			"drops":     float64(line.Drops),
			queueNow:    float64(line.QueueBytes),
		},
		Queues: line.Queues,
	}
	if line.Until > 0 {
		run.Readings[modelLimit] = float64(line.Until) / 1e6
	}
	if line.Ended != "" {
		run.Readings[ended], run.Verdict, run.Queues = 1, line.Ended, nil
		delete(run.Readings, queueNow)
	}
	return run
}
