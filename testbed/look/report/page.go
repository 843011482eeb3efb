package report

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rocelab/rocelab/testbed/look/report/asset"
	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// page fills page.html.
type page struct {
	Title, Policy string
	Style, Script template.HTML
	// Facts describe the subject of the page: seeds, build, models.
	Facts []string
	// Notes are facts that a reader must know first.
	Notes []string
	Tiles []tile
	// Sentences say what differs most.
	Sentences []string
	Sections  []section
	// Live describes how live runs kept the clock, and OnTime is the verdict with that, "" if none was live.
	Live         []table
	LiveDrawings []drawing
	OnTime       string
	// Back is the address of the list of runs, "" on a page that is a file.
	Back string
	Data data
}

// data is the input of the script.
type data struct {
	// Caption goes below each picture that leaves the page.
	Caption string `json:"caption"`
	// Paper makes a drawing a file of its own.
	Paper string  `json:"paper"`
	Plots []*plot `json:"plots"`
}

//go:embed page.html
var pageText string

//go:embed why.html
var whyText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"hue":   func(n int) int { return n % hues },
	"upper": strings.ToUpper,
	"long":  long,
}).Parse(asset.Head + pageText + whyText))

// longText is the maximum number of letters of a cell on a line.
const longText = 36

// long reports whether a cell's text has several lines.
func long(c cell) bool { return utf8.RuneCountInString(c.Text) > longText }

// numeric reports whether a cell's text is a number, or a sign that there is none.
func numeric(c cell) bool {
	_, err := strconv.ParseFloat(c.Text, 64)
	return err == nil || c.Title != "" || c.Text == "-"
}

// hues is the number of colours.
const hues = 8

// Write makes the page of one or several run folders. It has no data of the host, except in a live run's section on
// time: with one build, the same runs give the same bytes on any host. An error names the missing or damaged file and
// its folder.
func Write(w io.Writer, folders ...*Folder) error { return write(w, nil, folders) }

// write makes the page; at is where it is served, nil for one that is a file.
func write(w io.Writer, at *Served, folders []*Folder) error {
	if len(folders) == 0 {
		return errors.New("a report needs a run folder")
	}
	times := map[string]int{}
	for _, f := range folders {
		if f.prefix = f.Name; len(folders) == 1 {
			f.prefix = ""
		}
		f.asks = at.asks(f)
		if _, known := times[f.manifest.Digest]; !known {
			times[f.manifest.Digest] = len(times)
		}
		f.time = times[f.manifest.Digest]
	}
	variants := variantsOf(folders)
	p := page{
		Title:  scenarios(folders),
		Policy: at.Policy(),
		Style:  template.HTML("<style>" + asset.Style + "</style>"),
		Script: template.HTML("<script>" + at.script() + "</script>"),
		Facts:  facts(folders),
		Notes:  notes(folders),
		Tiles:  tiles(variants),
		Live:   liveTables(variants),
		OnTime: onTime(variants),
		Data:   data{Plots: []*plot{}, Paper: picture.Paper},
	}
	if at != nil {
		p.Back = at.Back
	}
	p.LiveDrawings = liveDrawings(variants)
	apart := !sameScenario(folders)
	if !apart {
		p.Sentences = sentences(variants)
	}
	p.Data.Caption = strings.Join(append([]string{p.Title}, p.Facts...), " · ")
	for _, kind := range sections {
		if apart && kind.mix == nothing {
			continue
		}
		s, err := kind.make(variants)
		if err != nil {
			return err
		}
		if apart && kind.mix == tables {
			s = s.withoutPictures()
		}
		if s.hasNothing() {
			continue
		}
		p.Sections = append(p.Sections, s)
		p.Data.Plots = append(p.Data.Plots, s.Plots...)
	}
	why, err := whySection(variants, p.Sections, apart)
	if err != nil {
		return err
	}
	jobs, err := jobSection(variants, p.Sections)
	if err != nil {
		return err
	}
	if !jobs.hasNothing() {
		p.Sections = slices.Insert(p.Sections, 0, jobs)
	}
	if !why.hasNothing() {
		p.Sections = slices.Insert(p.Sections, 0, why)
		p.Data.Plots = slices.Insert(p.Data.Plots, 0, why.Plots...)
	}
	var text bytes.Buffer
	if err := pageTemplate.Execute(&text, &p); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if _, err := out.Write(text.Bytes()); err != nil {
		return err
	}
	return out.Flush()
}

// facts are the seeds, the versions and the overrides of folders.
func facts(folders []*Folder) (list []string) {
	seeds := map[uint64]bool{}
	builds, changed := map[string]bool{}, map[string]bool{}
	for _, f := range folders {
		for _, r := range f.runs {
			seeds[r.summary.Seed] = true
		}
		builds[fmt.Sprintf("rocelab %s, models %d", f.manifest.Build.Version, f.manifest.Models)] = true
		for path, value := range f.manifest.Overrides {
			changed[path+"="+value] = true
		}
	}
	var numbers []string
	for _, seed := range slices.Sorted(maps.Keys(seeds)) {
		numbers = append(numbers, fmt.Sprint(seed))
	}
	if len(numbers) > 8 {
		numbers = append(numbers[:7], "...")
	}
	word := "seed "
	if len(numbers) > 1 {
		word = "seeds "
	}
	list = append(list, word+strings.Join(numbers, ", "))
	list = append(list, slices.Sorted(maps.Keys(builds))...)
	for _, text := range slices.Sorted(maps.Keys(changed)) {
		list = append(list, asTyped(text))
	}
	return list
}

// asTyped is an override as a person gives it: what has a flag of its own by that.
func asTyped(override string) string {
	path, value, _ := strings.Cut(override, "=")
	switch {
	case path == "record.off" && value == "true":
		return "--no-record"
	case path == "record.interval":
		return "--record-interval " + value
	case path == "seed":
		return "--seed " + value
	}
	return "--set " + override
}

// notes lists deviations from a reader's expectations.
func notes(folders []*Folder) (list []string) {
	if !sameScenario(folders) {
		list = append(list, "These are runs of different scenarios, side by side: pictures that lay several runs over each "+
			"other are left out.")
	}
	for _, f := range folders {
		name := ""
		if f.prefix != "" {
			name = f.prefix + ": "
		}
		if f.manifest.Status != "complete" {
			list = append(list, name+"the run is "+f.manifest.Status)
		}
		if len(f.manifest.NotRun) > 0 {
			list = append(list, name+"not run: "+strings.Join(f.manifest.NotRun, ", "))
		}
	}
	return list
}
