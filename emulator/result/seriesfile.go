package result

import (
	"io"
	"iter"
	"math/bits"
	"slices"

	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// mostSeriesBytes is the maximum size of all series files of one run together, except for a run with record.interval.
const mostSeriesBytes = 2_000_000

// seriesFile is a file of time series. Its bins may be wider than the recorded ones.
type seriesFile struct {
	name string
	// recorded is the width of the bins that were recorded.
	recorded unit.Duration
	// size is an upper bound of the file's size with bins of a width, if each row has label bytes beside its own.
	size func(width unit.Duration, label int) int
	// write prints it and returns the names of its columns.
	write func(w io.Writer, run runLabel, width unit.Duration) (columns []string, err error)
}

// seriesOf is the file of a sheet with the rows that of yields for a width.
func seriesOf[R any](o *Outcome, s sheet[R], recorded unit.Duration,
	of func(o *Outcome, width unit.Duration) iter.Seq[*R], size func(*R) int) seriesFile {
	return seriesFile{
		name:     s.file,
		recorded: recorded,
		size: func(width unit.Duration, label int) (sum int) {
			for r := range of(o, width) {
				sum += label + size(r)
			}
			return sum
		},
		write: func(w io.Writer, run runLabel, width unit.Duration) ([]string, error) {
			return s.writeNamed(w, run, of(o, width))
		},
	}
}

// seriesFiles returns the files of the run's time series, none if nothing is recorded.
func seriesFiles(o *Outcome) (files []seriesFile) {
	if o.Recorded == nil {
		return nil
	}
	recording, width := o.Plan.Recording(), o.Recorded.Width
	if recording.Flows {
		files = append(files, seriesOf(o, flowSeriesSheet, width, flowBins, (*progressBin).size))
		if hasValues(o.Flows) {
			files = append(files, seriesOf(o, valueSeriesSheet, valueWidth(o.Flows), valueBins, (*valueBin).size))
		}
	} else {
		files = append(files, seriesOf(o, groupSeriesSheet, width, groupBins, (*progressBin).size))
	}
	if recording.Ports {
		files = append(files, seriesOf(o, portSeriesSheet, width, portBins, (*activityBin).portSize))
	} else {
		files = append(files, seriesOf(o, tierSeriesSheet, width, tierBins, (*activityBin).tierSize))
	}
	return append(files, seriesOf(o, queueSeriesSheet, width, queueBins, (*queueBin).size))
}

// fitSeries chooses the widths of the bins in the files of the run's series, so that these have at most 2 MB together:
// the least width that all can have, and then repeatedly half the width of the smallest file with enough room. It
// depends only on the plan and the series.
func fitSeries(o *Outcome, files []seriesFile, run runLabel) {
	fit := make([]fitting, len(files))
	label := len(appendText(nil, run.variant)) + digits(int64(min(run.seed, 1<<62))) + len(",,\n")
	for i := range files {
		fit[i] = fitting{seriesFile: files[i], label: label, width: files[i].recorded, sizes: map[unit.Duration]int{}}
	}
	if o.Plan.Recording().Grid.Most > 0 {
		for width := o.Recorded.Width; total(fit) > mostSeriesBytes && width < unit.Duration(o.End); {
			width *= 2
			for i := range fit {
				fit[i].width = max(fit[i].recorded, width)
			}
		}
		for narrowOne(fit) {
		}
	}
	o.Recorded.Files = nil
	for _, f := range fit {
		o.Recorded.Files = append(o.Recorded.Files, SeriesFile{f.name, f.width, f.recorded})
	}
}

// fitting is a file whose width is being chosen.
type fitting struct {
	seriesFile
	label int
	width unit.Duration
	// sizes are the sizes known so far, by width.
	sizes map[unit.Duration]int
}

func (f *fitting) sizeAt(width unit.Duration) int {
	size, known := f.sizes[width]
	if !known {
		size = f.size(width, f.label)
		f.sizes[width] = size
	}
	return size
}

func total(files []fitting) (sum int) {
	for i := range files {
		sum += files[i].sizeAt(files[i].width)
	}
	return sum
}

// narrowOne halves the width of the smallest file for which there is room. It reports whether it found one.
func narrowOne(files []fitting) bool {
	left := mostSeriesBytes - total(files)
	order := make([]*fitting, len(files))
	for i := range files {
		order[i] = &files[i]
	}
	slices.SortStableFunc(order, func(a, b *fitting) int { return a.sizeAt(a.width) - b.sizeAt(b.width) })
	for _, f := range order {
		if f.width > f.recorded && f.sizeAt(f.width/2)-f.sizeAt(f.width) <= left {
			f.width /= 2
			return true
		}
	}
	return false
}

// doublings returns the number of doublings between two widths.
func doublings(from, to unit.Duration) int { return bits.Len64(uint64(to/from)) - 1 }

// timeDigits returns the maximum number of characters of a time in microseconds, from its ps.
func timeDigits(ps int64) int {
	if ps%1e6 == 0 {
		return digits(ps / 1e6)
	}
	return digits(ps/1e6) + len(".000001")
}

// digits returns the number of digits of a number that is not negative.
func digits(value int64) int {
	n := 1
	for value >= 10 {
		value /= 10
		n++
	}
	return n
}
