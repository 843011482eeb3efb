package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// View is an engine's present view of a submission. The folder has the finished runs; this has the ones on their way.
func (s *Submission) View(ctx context.Context) (string, error) {
	switch s.Engine {
	case "slurm":
		text, err := ask(ctx, "squeue", "--array", "--noheader", "--jobs="+s.Job, "--format=%T|%N|%r")
		if err == nil && strings.TrimSpace(text) != "" {
			return Queue(text), nil
		}
		if text, sacct := ask(ctx, "sacct", "--noheader", "--parsable2", "--allocations", "--jobs="+s.Job,
			"--format=State,NodeList,Reason"); sacct == nil && strings.TrimSpace(text) != "" {
			return Queue(text), nil
		}
		if err == nil || strings.Contains(err.Error(), "Invalid job id") {
			return "no task in the queue", nil
		}
		return "", err
	case "kubernetes":
		args := append([]string{"get", "job", s.Job, "-o", "json"}, s.Flags...)
		text, err := ask(ctx, "kubectl", args...)
		if err != nil {
			return "", err
		}
		return JobStatus(text)
	}
	return "", nil
}

// Queue sums up lines of STATE|NODE|REASON, as squeue and sacct have them: 3 running
// on n1, n2; 4 pending (Resources).
func Queue(text string) string {
	count, nodes, reasons := map[string]int{}, map[string]map[string]bool{}, map[string]map[string]bool{}
	for line := range strings.Lines(text) {
		fields := strings.Split(strings.TrimSpace(line), "|")
		if len(fields) < 3 {
			continue
		}
		state, _, _ := strings.Cut(strings.ToLower(fields[0]), " ") // "CANCELLED by 1000"
		count[state]++
		note(nodes, state, fields[1])
		note(reasons, state, fields[2])
	}
	var parts []string
	for _, state := range slices.Sorted(maps.Keys(count)) {
		part := fmt.Sprintf("%d %s", count[state], state)
		if on := slices.Sorted(maps.Keys(nodes[state])); len(on) > 0 {
			part += " on " + strings.Join(on, ", ")
		}
		if why := slices.Sorted(maps.Keys(reasons[state])); len(why) > 0 {
			part += " (" + strings.Join(why, ", ") + ")"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// note adds a line's text, if it has content.
func note(to map[string]map[string]bool, state, what string) {
	if what == "" || what == "None" || what == "None assigned" {
		return
	}
	if to[state] == nil {
		to[state] = map[string]bool{}
	}
	to[state][what] = true
}

// JobStatus sums up what kubectl get job -o json prints.
func JobStatus(text string) (string, error) {
	var job struct {
		Spec struct {
			Completions int `json:"completions"`
		} `json:"spec"`
		Status struct {
			Active        int    `json:"active"`
			Succeeded     int    `json:"succeeded"`
			FailedIndexes string `json:"failedIndexes"`
			Conditions    []struct {
				Type    string `json:"type"`
				Status  string `json:"status"`
				Message string `json:"message"`
			} `json:"conditions"`
		} `json:"status"`
	}
	if err := json.Unmarshal([]byte(text), &job); err != nil {
		return "", fmt.Errorf("kubectl get job: %w", err)
	}
	says := fmt.Sprintf("%d of %d tasks done, %d pods at work", job.Status.Succeeded, job.Spec.Completions,
		job.Status.Active)
	if job.Status.FailedIndexes != "" {
		says += "; failed: " + job.Status.FailedIndexes
	}
	for _, c := range job.Status.Conditions {
		if c.Status == "True" {
			says += "; " + c.Type
			if c.Message != "" {
				says += " (" + c.Message + ")"
			}
		}
	}
	return says, nil
}
