package reproduce

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// band is the allowed distance of a figure of ours from the hardware's.
type band struct {
	// Text is the band as a record writes it: "2 %", "0.2 points", "factor 2", "2.3 to 6.9", "above 0", "exact".
	Text string
	// Low and High bound it, both of them in it; High is +Inf for one without.
	Low, High float64
	// Open is set if Low itself is outside.
	Open bool
}

var bandForms = []struct {
	form *regexp.Regexp
	of   func(hardware, a, b float64) band
}{
	{regexp.MustCompile(`^exact$`), func(h, _, _ float64) band { return band{Low: h, High: h} }},
	{regexp.MustCompile(`^([0-9.]+) %$`), func(h, a, _ float64) band {
		off := float64(a/100) * math.Abs(h)
		return band{Low: h - off, High: h + off}
	}},
	{regexp.MustCompile(`^([0-9.]+) points$`), func(h, a, _ float64) band { return band{Low: h - a, High: h + a} }},
	{regexp.MustCompile(`^factor ([0-9.]+)$`), func(h, a, _ float64) band { return band{Low: h / a, High: h * a} }},
	{regexp.MustCompile(`^(-?[0-9.]+) to (-?[0-9.]+)$`), func(_, a, b float64) band { return band{Low: a, High: b} }},
	{regexp.MustCompile(`^above (-?[0-9.]+)$`), func(_, a, _ float64) band {
		return band{Low: a, High: math.Inf(1), Open: true}
	}},
}

// bandWords are the forms of a band for a message.
const bandWords = `"2 %", "0.2 points", "factor 2", "2.3 to 6.9", "above 0", "exact"`

// newBand reads a band around what hardware had.
func newBand(text string, hardware float64) (band, error) {
	for _, one := range bandForms {
		parts := one.form.FindStringSubmatch(text)
		if parts == nil {
			continue
		}
		var numbers [2]float64
		for i, part := range parts[1:] {
			value, err := strconv.ParseFloat(part, 64)
			if err != nil {
				return band{}, fmt.Errorf("%q is not a number", part)
			}
			numbers[i] = value
		}
		b := one.of(hardware, numbers[0], numbers[1])
		if b.Text = text; b.High < b.Low {
			return b, fmt.Errorf("%q is empty", text)
		}
		return b, nil
	}
	return band{}, fmt.Errorf("%q is not a band: allowed are %s", text, bandWords)
}

// String is the band as it was written.
func (b band) String() string { return b.Text }

// expression is the criterion that a figure is in the band.
func (b band) expression(figure string) string {
	low := ">="
	if b.Open {
		low = ">"
	}
	text := fmt.Sprintf("median(%q) %s %v", figure, low, b.Low)
	if !math.IsInf(b.High, 1) {
		text += fmt.Sprintf(" and median(%q) <= %v", figure, b.High)
	}
	return text
}

// off describes the distance of a value from the hardware's: a share in per cent, or a difference if the unit is per
// cent already or the hardware's value is 0.
func (f *hardwareFigure) off(ours float64) (text string) {
	switch {
	case f.Unit == "%":
		return fmt.Sprintf("%+.2f points", ours-f.Hardware)
	case f.Hardware == 0:
		return fmt.Sprintf("%+.3g", ours-f.Hardware)
	}
	share := 100 * (ours - f.Hardware) / math.Abs(f.Hardware)
	if math.Abs(share) >= 1000 {
		return fmt.Sprintf("x %.3g", ours/f.Hardware)
	}
	return fmt.Sprintf("%+.2f %%", share)
}
