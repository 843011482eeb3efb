package report

import (
	"fmt"
	"html/template"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// drawing is a picture that is there without a script.
type drawing struct {
	ID, Title string
	// Fold is its title while it is folded away; "" for one that is open.
	Fold string
	// SVG is its element, whose texts are escaped.
	SVG template.HTML
}

const (
	// variantsShown is the maximum number of variants with a picture of their own, seedsShown the maximum number of
	// seeds of each: seeds after the first are folded away.
	variantsShown = 6
	seedsShown    = 8
	// foldedBytes is the maximum size of the folded pictures of a section together.
	foldedBytes = 250_000
)

// draw adds a picture to a section.
func (s *section) draw(id string, p *picture.Picture) {
	s.Drawings = append(s.Drawings, drawing{ID: id, Title: p.Title, SVG: template.HTML(p.Element())})
}

// eachDrawn calls each with the runs that have a picture of their own in a section: the first variants, and the first
// seeds of each.
func eachDrawn(variants []*variant, each func(v *variant, r *run) error) error {
	for _, v := range variants[:min(len(variants), variantsShown)] {
		for _, r := range v.runs[:min(len(v.runs), seedsShown)] {
			if err := each(v, r); err != nil {
				return err
			}
		}
	}
	return nil
}

// drawRun adds the picture of a run: of a variant's first seed open, of the others folded away as long
// as there is room.
func (s *section) drawRun(name string, v *variant, r *run, p *picture.Picture) {
	id := fmt.Sprintf("%s-%d", name, v.hue)
	if r == v.runs[0] {
		s.draw(id, p)
		return
	}
	folded := 0
	for _, d := range s.Drawings {
		if d.Fold != "" {
			folded += len(d.SVG)
		}
	}
	if folded > foldedBytes {
		return
	}
	s.draw(fmt.Sprintf("%s-seed-%d", id, r.summary.Seed), p)
	s.Drawings[len(s.Drawings)-1].Fold = v.name(r)
}

// noteUndrawn names the runs without a picture of their own, among those that could have one.
func (s *section) noteUndrawn(variants []*variant) {
	if len(s.Drawings) == 0 {
		return
	}
	if more := variants[min(len(variants), variantsShown):]; len(more) > 0 {
		var names []string
		for _, v := range more {
			names = append(names, v.label)
		}
		s.Notes = append(s.Notes, "Drawn are the first "+fmt.Sprint(variantsShown)+" variants; not "+
			strings.Join(names, ", ")+".")
	}
	runs, folded := 0, 0
	for _, v := range variants[:min(len(variants), variantsShown)] {
		runs += len(v.runs) - 1
	}
	for _, d := range s.Drawings {
		if d.Fold != "" {
			folded++
		}
	}
	switch {
	case runs > 0 && folded == runs:
		s.Notes = append(s.Notes, "Open is the picture of each variant's first seed; the others are folded away.")
	case runs > 0:
		s.Notes = append(s.Notes, fmt.Sprintf("Drawn is each variant's first seed, and folded away %d of %d others.", folded,
			runs))
	}
}

// keyOf returns a variant's key in pictures.
func (v *variant) keyOf() picture.Key { return picture.Key{Name: v.label, Hue: v.hue} }
