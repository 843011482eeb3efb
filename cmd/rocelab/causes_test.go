package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/emulator/runfolder"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// slowestRow is the row of why.csv with the longest time.
func slowestRow(t *testing.T, file string) (row map[string]float64, columns []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), "\n")
	for _, column := range strings.Split(head, ",") {
		if strings.HasSuffix(column, "_us") && column != "time_us" {
			columns = append(columns, column)
		}
	}
	err = runfolder.ReadSheet(file, strings.NewReader(string(text)), nil, func(r runfolder.Row) error {
		if row != nil && r.OrZero("time_us") <= row["time_us"] {
			return nil
		}
		row = map[string]float64{}
		for _, column := range append(columns, "time_us", "held_rate_gbps", "free_low_gbps", "free_high_gbps", "held_cnps") {
			row[column] = r.OrZero(column)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return row, columns
}

// The last lines of run, of compare and the page have the differences of the parts of the two slowest flows in why.csv,
// which add up to that of their times, the largest first; and the line of the slowest flow has the rates and the CNPs
// of the file. Tier: -short. Red if a sentence names another part, another number or the other flow.
func TestSentencesHaveTheFiguresOfTheFile(t *testing.T) {
	s := newShell(t)
	s.run(0, "run", "incast.yaml", "--out", "out")
	said := strings.Join(strings.Fields(s.stdout), " ")
	page, err := os.ReadFile("out/report.html")
	if err != nil {
		t.Fatal(err)
	}
	fixed, columns := slowestRow(t, "out/fixed/why.csv")
	dcqcn, _ := slowestRow(t, "out/dcqcn/why.csv")
	longer := dcqcn["time_us"] - fixed["time_us"]
	sum := 0.0
	var differ []string
	for _, column := range columns {
		sum += dcqcn[column] - fixed[column]
		if math.Abs(dcqcn[column]-fixed[column]) >= dcqcn["time_us"]/100 {
			differ = append(differ, column)
		}
	}
	if math.Abs(sum-longer) > 1e-5 || longer <= 0 || len(differ) < 2 {
		t.Fatalf("%v in all parts, %v us longer; %v differ", sum, longer, differ)
	}
	by := func(column string) float64 { return dcqcn[column] - fixed[column] }
	slices.SortFunc(differ, func(a, b string) int { return cmp.Compare(math.Abs(by(b)), math.Abs(by(a))) })
	var words []string
	for _, column := range differ {
		word := "more"
		if by(column) < 0 {
			word = "less"
		}
		part := strings.ReplaceAll(strings.TrimSuffix(column, "_us"), "_", " ")
		words = append(words, fmt.Sprint(unit.InMicroseconds.Text(math.Abs(by(column))), " ", word, " ", part))
	}
	want := fmt.Sprintf("the slowest flow of dcqcn takes %s longer than that of fixed (one seed): %s",
		unit.InMicroseconds.Text(longer), strings.Join(words, ", "))
	gbps := func(column string) string { return unit.InGbps.Text(dcqcn[column]) }
	rates := fmt.Sprintf(" held back to %s by dcqcn while %s of ", gbps("held_rate_gbps"), gbps("free_high_gbps"))
	if low := gbps("free_low_gbps"); low != gbps("free_high_gbps") {
		t.Fatal("the free rates are two: ", low)
	}
	cnps := fmt.Sprintf(" were free (after %.0f CNPs), ", dcqcn["held_cnps"])
	for _, words := range []string{want, rates, cnps} {
		t.Run(fmt.Sprintf("%.50q", words), func(t *testing.T) {
			if !strings.Contains(said, words) || !strings.Contains(string(page), words) {
				t.Errorf("%q is not on the page or not in %s", words, said)
			}
		})
	}
	s.run(0, "compare", "incast.yaml", "--algorithm", "fixed,dcqcn", "--seed", "1")
	s.says(strings.Join(strings.Fields(s.stdout), " "), want)
}
