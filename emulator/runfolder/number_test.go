package runfolder_test

import (
	"fmt"
	"testing"

	"github.com/rocelab/rocelab/emulator/runfolder"
)

// Every number of a run folder is read by one parser, which takes what the writers write. Red if it takes what only
// strconv.ParseFloat does, such as 1_0 and 0x1p3.
func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"5.700": "5700 3 5.7 5.7", "-0.05": "-5 2 -0.05 -0.05", "12": "12 0 12 12", "-0": "0 0 -0 -0",
		"922337203685477.580":  "922337203685477580 3 9.223372036854776e+14 9.223372036854776e+14",
		"99999999999999999999": "error 1e+20 1e+20", // a number, with too many digits to be exact
		"1e-05":                "error error 1e-05",
		"1.5e+08":              "error error 1.5e+08",
		"2e3":                  "error error 2000",
		"":                     "error error error", "-": "error error error", "1-": "error error error",
		"1.2.3": "error error error", ".5": "error error error", "5.": "error error error", "+1": "error error error",
		"1_0": "error error error", "0x1p3": "error error error", "NaN": "error error error",
		"Inf": "error error error", "abc": "error error error", "1e": "error error error", "1e+": "error error error",
		"1e400": "error error error", "1E5": "error error error", " 1": "error error error", "e5": "error error error",
		"--1": "error error error", "1,5": "error error error", "\u0661": "error error error",
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			value, decimals, err := runfolder.ParseDecimal(text)
			got := fmt.Sprint(value, decimals)
			if err != nil {
				got = "error"
			}
			for _, parse := range []func(string) (float64, error){runfolder.ParseNumber, runfolder.ParseValue} {
				number, err := parse(text)
				if err != nil {
					got += " error"
				} else {
					got += fmt.Sprint(" ", number)
				}
			}
			if got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		})
	}
}
