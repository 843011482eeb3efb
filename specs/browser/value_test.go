package browser

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var (
	times   = map[string]float64{"ns": 1e-3, "us": 1, "ms": 1e3, "s": 1e6}
	timesIn = map[string]float64{"us": 1}
	bytesOf = map[string]float64{"B": 1, "KB": 1e3, "MB": 1e6, "GB": 1e9}
	rates   = map[string]float64{"Gb/s": 1, "Mb/s": 1e-3, "Tb/s": 1e3}
)

// number reads a number with its unit.
func number(text string, units map[string]float64) float64 {
	GinkgoHelper()
	digits, unit, _ := strings.Cut(text, " ")
	value, err := strconv.ParseFloat(digits, 64)
	Expect(err).NotTo(HaveOccurred(), "%q", text)
	Expect(units).To(HaveKey(unit), "%q", text)
	return value * units[unit]
}

// expectShows insists that a text with a unit is a cell's value, to three digits at least.
func expectShows(text, cell string, units map[string]float64, about string) {
	GinkgoHelper()
	want, err := strconv.ParseFloat(cell, 64)
	Expect(err).NotTo(HaveOccurred(), about)
	Expect(number(text, units)).To(BeNumerically("~", want, math.Abs(want)*0.0051), about)
}

// cellAt is the cell of the bin that a time is in, "0" for one that is left out between
// others, and "" where the line has not begun or is over.
func cellAt(file, column string, where map[string]string, us float64) string {
	GinkgoHelper()
	all := cells("two/"+file, column, where)
	var starts []float64
	for at := range all {
		starts = append(starts, number(at+" us", timesIn))
	}
	slices.Sort(starts)
	width := starts[1] - starts[0]
	for i := range starts[1:] {
		width = min(width, starts[i+1]-starts[i])
	}
	if us < starts[0] || us > starts[len(starts)-1]+width {
		return ""
	}
	bin := min(math.Floor(us/width), math.Round(starts[len(starts)-1]/width)) * width
	if cell, ok := all[strconv.FormatFloat(bin, 'f', -1, 64)]; ok {
		return cell
	}
	return "0"
}

// textsOf are the texts of an SVG, which must be XML.
func textsOf(svg string) (texts []string) {
	GinkgoHelper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return texts
		}
		Expect(err).NotTo(HaveOccurred(), svg)
		if text, ok := token.(xml.CharData); ok {
			texts = append(texts, string(text))
		}
	}
}

// contents are the streams of a PDF that can be unpacked.
func contents(pdf string) string {
	GinkgoHelper()
	Expect(pdf).To(HavePrefix("%PDF-"))
	var all bytes.Buffer
	for _, part := range strings.Split(pdf, "stream\n")[1:] {
		if r, err := zlib.NewReader(strings.NewReader(part)); err == nil {
			io.Copy(&all, r)
		}
	}
	return all.String()
}

var fill = regexp.MustCompile(`(?m)([\d.]+) ([\d.]+) ([\d.]+) rg$`)

// fillsOf are the colours that fill something in a PDF.
func fillsOf(drawn string) (colours []string) {
	for _, parts := range fill.FindAllStringSubmatch(drawn, -1) {
		colour := "#"
		for _, part := range parts[1:] {
			value, _ := strconv.ParseFloat(part, 64)
			colour += fmt.Sprintf("%02x", int(math.Round(value*255)))
		}
		if !slices.Contains(colours, colour) {
			colours = append(colours, colour)
		}
	}
	return colours
}
