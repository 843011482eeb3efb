package picture

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// quarters is a bar of 80 us on an axis of 100 us.
var quarters = Parts{
	Title:       "f",
	Description: "80 us in all: alone 20 us, held back 50 us, host 10 us",
	Most:        100,
	Parts: []Part{
		{Name: "alone", US: 20, Text: "20 us", Hint: "a fourth"},
		{Name: "shared", US: 0, Text: "0 us"},
		{Name: "held back", US: 50, Text: "50 us", Hint: `<&"`},
		{Name: "host", US: 10, Text: "10 us"},
	},
}

// A part is as long as its share of the axis, and begins where the one before it ends; one without time is left out.
func TestPartsFollowEachOther(t *testing.T) {
	bar := quarters.Bar()
	if err := xml.Unmarshal([]byte(bar), &struct{}{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`<g class="part-alone"><title>a fourth</title><rect x="0%" y="2" width="20%" height="20"/>`,
		`<g class="part-held-back"><title>&lt;&amp;&#34;</title><rect x="20%" y="2" width="50%" height="20"/>`,
		`<g class="part-host"><title></title><rect x="70%" y="2" width="10%" height="20"/>`,
	} {
		t.Run(fmt.Sprintf("%q", want), func(t *testing.T) {
			if !strings.Contains(bar, want) {
				t.Errorf("%s is not in %s", want, bar)
			}
		})
	}
	if strings.Contains(bar, "part-shared") {
		t.Error("a part without time is drawn")
	}
}

// The widths that are written add up to the bar's, though each is rounded.
func TestWidthsOfPartsAddUp(t *testing.T) {
	d := Parts{Most: 7}
	for range 7 {
		d.Parts = append(d.Parts, Part{Name: "shared", US: 1, Text: "1 us"})
	}
	sum := 0.0
	for _, m := range regexp.MustCompile(`y="2" width="([\d.]+)%"`).FindAllStringSubmatch(d.Bar(), -1) {
		width, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		sum += width
	}
	if sum < 99.9999 || sum > 100.0001 {
		t.Errorf("the widths add up to %v %%", sum)
	}
}

// A label is there from the bar's width on at which it fits: "20 us" is 32.0 pixels wide and "alone 20 us" 65.4, so
// with ten pixels of room a fifth of a bar holds the first from 210 pixels on, the second from 377.
func TestLabelsOfPartsFit(t *testing.T) {
	bar := quarters.Bar()
	for _, want := range []string{
		`<text class="from-1" x="10%" y="16" text-anchor="middle">alone 20 us</text>`,
		`<text class="from-0 below-1" x="10%" y="16" text-anchor="middle">20 us</text>`,
		`<text class="from-0" x="45%" y="16" text-anchor="middle">held back 50 us</text>`,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(bar, want) {
				t.Errorf("%s is not in %s", want, bar)
			}
		})
	}
	narrow := Parts{Most: 1000, Parts: []Part{{Name: "alone", US: 20, Text: "20 us"}}}
	if strings.Contains(narrow.Bar(), "<text") {
		t.Error("a part of a fiftieth has a label")
	}
}

// The axis has round numbers in a unit for people.
func TestAxisOfParts(t *testing.T) {
	axis := Parts{Most: 20_000}.Axis()
	for _, want := range []string{
		`x="0%" y="13" text-anchor="start">0 ms<`, `x="50%" y="13" text-anchor="middle">10 ms<`,
		`x="100%" y="13" text-anchor="end">20 ms<`,
	} {
		t.Run(want, func(t *testing.T) {
			if !strings.Contains(axis, want) {
				t.Errorf("%s is not in %s", want, axis)
			}
		})
	}
}
