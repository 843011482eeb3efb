package reproduce

import (
	"fmt"
	"strings"
	"testing"
)

// figuresOf are figures as an expression sees them in a column, with the list of missing ones.
func figuresOf(column string) (Figures, *[]string) {
	missing := &[]string{}
	return Figures{[]Figure{
		{Column: "a", Name: "RTT, n=2", Unit: "us", Values: []float64{4, 5, 6}},
		{Column: "a", Name: "RTT, n=4", Unit: "us", Values: []float64{7}},
		{Column: "a", Name: "RTT, n=4, 1pkt", Unit: "us", Values: []float64{70}},
		{Column: "b", Name: "RTT, n=2", Unit: "us", Values: []float64{40}},
		{Name: "flows", Values: []float64{3}},
	}, column, missing}, missing
}

// An expression judges medians, extremes and patterns of the judged column or another, and shows the compared values; a
// missing figure has its line and column. Tier: -short. Red: with PATTERN matching commas.
func TestExpressions(t *testing.T) {
	for _, c := range []struct {
		text     string
		holds    bool
		measured string
	}{
		{`median("RTT, n=2") <= 5`, true, "5.000 [4.000..6.000] us"},
		{`median("RTT, n=2", "b") <= 5`, false, "40.00 us"},
		{`least("RTT, n=2") == 4 and largest("RTT, n=2") == 6`, true, "4.000; 6.000"},
		{`max(medians("RTT, n=*")) < 8`, true, "7.000"},
		{`values("RTT, n=2") == values("RTT, n=2", "a")`, true, "4.000 5.000 6.000"},
		{`not has("RTT, n=8") and has("flows")`, true, ""},
		{`all([2, 8], not has("RTT, n=" + string(#)) or median("RTT, n=" + string(#)) < 8)`, true, ""},
		{`let d = medians("RTT, n=*"); all(1..(len(d) - 1), d[#] > d[# - 1])`, true, "7.000; 5.000"},
		{`near(median("flows"), 3.1, 0.1) and column == "a"`, true, "3.000; a"},
		{`1 > 2`, false, ""},
	} {
		t.Run(c.text, func(t *testing.T) {
			figures, missing := figuresOf("a")
			expression, wrong := newExpression(c.text)
			if wrong != nil {
				t.Errorf("%s: %v", c.text, wrong)
				return
			}
			holds, measured, wrong := expression.Judge(figures)
			if holds != c.holds || measured != c.measured || wrong != nil || len(*missing) > 0 {
				t.Errorf("%s: %v, %q, %v, %q missing, want %v, %q", c.text, holds, measured, wrong, *missing, c.holds, c.measured)
			}
		})
	}
	for text, want := range map[string]string{
		`median("RTT") > 1`:                   `1:1: there is no figure "RTT in column a"`,
		"1 > 2 or\n  least(\"RTT, n=8\") > 1": `2:3: there is no figure "RTT, n=8 in column a"`,
		`len(medians("x*")) > 0`:              `1:5: there is no figure "x* in column a"`,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			figures, missing := figuresOf("a")
			expression, _ := newExpression(text)
			if must := expression.holds((*expressionError).Error); func() bool { holds, _ := must(figures); return holds }() ||
				strings.Join(*missing, "; ") != want {
				t.Errorf("%s: %q, want %q", text, *missing, want)
			}
		})
	}
}

// A malformed criterion is refused with line and column: an unknown name, a value that is not a truth, too long a text.
// Tier: -short. Red: without expr.AsBool.
func TestExpressionsAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		`medium("RTT") > 1`:                        "1:1: unknown name medium",
		`median("RTT") > 1 and rate < 2`:           "1:23: unknown name rate",
		`median("RTT")`:                            "1:1: expected bool, but got float64",
		`median("RTT" > 1`:                         "1:16:",
		`median(2) > 1`:                            "1:8: cannot use int",
		strings.Repeat(`median("x") > 1 or `, 200): "1:",
	} {
		t.Run(fmt.Sprintf("%.50q", text), func(t *testing.T) {
			if _, wrong := newExpression(text); wrong == nil || !strings.HasPrefix(wrong.Error(), want) {
				t.Errorf("%s: %v, want %s", text, wrong, want)
			}
		})
	}
	figures, _ := figuresOf("a")
	expression, wrong := newExpression(`len(1..100000000) > 0`)
	if wrong != nil {
		t.Fatal(wrong)
	}
	if _, _, wrong := expression.Judge(figures); wrong == nil || !strings.Contains(wrong.Message, "memory budget") {
		t.Errorf("an expression takes what memory it likes: %v", wrong)
	}
}
