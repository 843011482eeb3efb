package result

import (
	"iter"
	"slices"
	"strings"
)

// Job is a collective of a run that has several.
type Job struct {
	// Name is that of the traffic entry.
	Name string
	Collectives
}

// noCollectives are the figures of a job that a run does not have.
var noCollectives = reduceIterations(nil)

// job returns what a job came to.
func (s *Summary) job(name string) *Collectives {
	if i := slices.IndexFunc(s.Jobs, func(j Job) bool { return j.Name == name }); i >= 0 {
		return &s.Jobs[i].Collectives
	}
	return &noCollectives
}

// averaged are the metrics of collectives, which are averages over its jobs in a run with several.
var averaged = func() (names []string) {
	for _, m := range perJobMetrics(ofAll) {
		names = append(names, m.Name)
	}
	return names
}()

// JobMetricNames returns the names of metrics that each job has, too, in a run with several: JOB.NAME is that of a job.
func JobMetricNames() []string { return averaged }

// perJobMetrics are the metrics of collectives that each job has, too.
func perJobMetrics(of func(*Summary) *Collectives) []Metric {
	return append(iterationMetrics(of), operationMetrics(of)...)
}

// jobMetrics are the metrics of a job.
func jobMetrics(job string) []Metric {
	list := perJobMetrics(func(s *Summary) *Collectives { return s.job(job) })
	for i := range list {
		list[i].Name = job + "." + list[i].Name
		list[i].Doc = "Of job " + job + ": " + list[i].Doc
	}
	return list
}

// cutJob cuts the name of a job's metric.
func cutJob(name string) (job, metric string, is bool) {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i], name[i+1:], true
	}
	return "", name, false
}

// JobsOf names the jobs of runs that have several, in the order of the traffic.
func JobsOf(runs ...*Summary) (jobs []string) {
	for _, run := range runs {
		for _, job := range run.Jobs {
			if !slices.Contains(jobs, job.Name) {
				jobs = append(jobs, job.Name)
			}
		}
	}
	return jobs
}

// JobsNamed are the jobs that names of metrics name, sorted.
func JobsNamed(metrics iter.Seq[string]) (jobs []string) {
	for name := range metrics {
		if job, metric, is := cutJob(name); is && metric == averaged[0] {
			jobs = append(jobs, job)
		}
	}
	slices.Sort(jobs)
	return jobs
}

// MetricsOf returns the metrics of runs: first the ones of Metrics, then the metrics of each job of runs with several.
func MetricsOf(runs ...*Summary) []Metric {
	list := slices.Clone(metrics)
	for _, job := range JobsOf(runs...) {
		list = append(list, jobMetrics(job)...)
	}
	return list
}

// PerJob returns metrics for a table of runs with these jobs: in the place of an average over jobs it has the metric of
// each of them. Without jobs it returns the list.
func PerJob(list []Metric, jobs []string) (table []Metric) {
	for _, m := range list {
		at := slices.Index(averaged, m.Name)
		if at < 0 || len(jobs) == 0 {
			table = append(table, m)
			continue
		}
		for _, job := range jobs {
			table = append(table, jobMetrics(job)[at])
		}
	}
	return table
}
