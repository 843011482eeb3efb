package cluster

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

//go:embed slurm.sh
var slurmText string

var slurmTemplate = template.Must(template.New("slurm.sh").Parse(slurmText))

// slurmScript is the name of the script in a submission's folder.
const slurmScript = "slurm.sh"

// Slurm returns the array script for sbatch. Only are the requested shards of the job; all if it is empty.
func Slurm(j Job, only []int) (string, error) {
	if err := j.problems(); err != nil {
		return "", err
	}
	if strings.ContainsAny(j.Submission, `"%\`) {
		return "", fmt.Errorf("folder %q: sbatch takes no path with %s in it", j.Submission, `", % or \`)
	}
	flags, err := directives(j.Flags)
	if err != nil {
		return "", err
	}
	if len(only) == 0 {
		only = make([]int, j.Tasks)
		for i := range only {
			only[i] = i
		}
	}
	var text strings.Builder
	err = slurmTemplate.Execute(&text, map[string]any{
		"Name":       j.label(),
		"Runs":       j.Runs,
		"Tasks":      j.Tasks,
		"Array":      Ranges(only),
		"AtOnce":     j.AtOnce,
		"Cores":      j.Cores,
		"Mebibytes":  j.mebibytes(),
		"Log":        `"` + filepath.Join(j.Submission, "logs", "%a.log") + `"`,
		"Flags":      flags,
		"Submission": quoted(j.Submission),
		"Script":     quoted(filepath.Join(j.Submission, slurmScript)),
		"Program":    quoted(j.Program),
		"Probe":      quoted(j.Probe),
	})
	return text.String(), err
}

// directives joins an engine's flags and their values to one line each.
func directives(flags []string) ([]string, error) {
	var lines []string
	for _, flag := range flags {
		if strings.ContainsAny(flag, "\n\r") {
			return nil, fmt.Errorf("flag %q of sbatch: it has a line break", flag)
		}
		if !strings.HasPrefix(flag, "-") {
			if len(lines) == 0 {
				return nil, fmt.Errorf("%q after --: a flag of sbatch begins with a dash", flag)
			}
			lines[len(lines)-1] += " " + directive(flag)
			continue
		}
		name, value, long := strings.Cut(flag, "=")
		if long {
			flag = name + "=" + directive(value)
		}
		lines = append(lines, flag)
	}
	return lines, nil
}

// directive is a value as a line of #SBATCH has it.
func directive(value string) string {
	if strings.ContainsAny(value, " \t\"'#") {
		return `"` + strings.ReplaceAll(value, `"`, `\"`) + `"`
	}
	return value
}

// quoted is a word as a shell has it.
func quoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }

// Ranges writes numbers as sbatch --array has them: 0-3,7.
func Ranges(numbers []int) string {
	numbers = slices.Compact(slices.Sorted(slices.Values(numbers)))
	var parts []string
	for i := 0; i < len(numbers); {
		end := i
		for end+1 < len(numbers) && numbers[end+1] == numbers[end]+1 {
			end++
		}
		part := strconv.Itoa(numbers[i])
		if end > i {
			part += "-" + strconv.Itoa(numbers[end])
		}
		parts = append(parts, part)
		i = end + 1
	}
	return strings.Join(parts, ",")
}

var maxArraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)\s*$`)

// MaxArraySize reads from `scontrol show config` how many tasks an array may have: its
// largest index is one less. It is 0 where the text does not say.
func MaxArraySize(config string) int {
	found := maxArraySize.FindStringSubmatch(config)
	if found == nil {
		return 0
	}
	n, _ := strconv.Atoi(found[1])
	return n
}

var submitted = regexp.MustCompile(`(?m)^(?:Submitted batch job )?(\d+)(?:;\S+)?\s*$`)

// SlurmJob reads the job's number from what sbatch prints.
func SlurmJob(printed string) (string, error) {
	found := submitted.FindStringSubmatch(printed)
	if found == nil {
		return "", fmt.Errorf("sbatch did not say which job it is: %q", printed)
	}
	return found[1], nil
}
