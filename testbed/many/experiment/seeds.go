package experiment

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// SeedLine is a line's text about the run with a seed.
type SeedLine struct {
	Seed uint64
	Text string
}

// SeedsLine is a line of one or several seeds.
type SeedsLine struct {
	Seeds []uint64
	Text  string
}

// MergeSeeds merges lines that differ only in numbers, which become ranges, in the order of the first of each.
func MergeSeeds(lines []SeedLine) (merged []SeedsLine) {
	var texts [][]string
	at := map[string]int{}
	for _, l := range lines {
		key := number.ReplaceAllString(l.Text, "${1}#")
		i, known := at[key]
		if !known {
			i = len(merged)
			at[key], merged, texts = i, append(merged, SeedsLine{}), append(texts, nil)
		}
		if !slices.Contains(merged[i].Seeds, l.Seed) { // a run may have several such lines
			merged[i].Seeds = append(merged[i].Seeds, l.Seed)
		}
		texts[i] = append(texts[i], l.Text)
	}
	for i := range merged {
		merged[i].Text = withRanges(texts[i])
	}
	return merged
}

// number is a number that begins a word: the digits in a name are none.
var number = regexp.MustCompile(`(^|[ (])(\d+(?:\.\d+)?)`)

// withRanges joins texts that differ in nothing but numbers.
func withRanges(texts []string) string {
	values := make([][]string, 0) // by place in the text
	for _, t := range texts {
		for k, found := range number.FindAllStringSubmatch(t, -1) {
			if k == len(values) {
				values = append(values, nil)
			}
			values[k] = append(values[k], found[2])
		}
	}
	var out strings.Builder
	from := 0
	for k, at := range number.FindAllStringSubmatchIndex(texts[0], -1) {
		out.WriteString(texts[0][from:at[4]])
		low, high := slices.MinFunc(values[k], byValue), slices.MaxFunc(values[k], byValue)
		if low == high {
			out.WriteString(low)
		} else {
			fmt.Fprintf(&out, "[%s..%s]", low, high)
		}
		from = at[5]
	}
	return out.String() + texts[0][from:]
}

// byValue compares numbers that number found.
func byValue(a, b string) int {
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	return cmp.Compare(x, y)
}

// mostSeeds bounds the seeds that a line names.
const mostSeeds = 10

// Of names the seeds out of all, as a suffix of a name.
func (l *SeedsLine) Of(all int) string {
	switch n := len(l.Seeds); {
	case n == 1:
		return fmt.Sprintf(" seed %d", l.Seeds[0])
	case n > mostSeeds:
		return fmt.Sprintf(", %d of %d seeds", n, all)
	}
	return " seeds " + strings.Trim(fmt.Sprint(l.Seeds), "[]")
}
