package reproduce

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
	"github.com/rocelab/rocelab/internal/spelling"
)

// recordLanguage bounds a record.
var recordLanguage = &document.Language{
	Name:     "record of hardware",
	Needs:    "record",
	MaxBytes: 1 << 18,
	MaxDepth: 8,
	MaxKeys:  200,
}

// ReadHardware reads the records of a folder: each file of YAML in it is one, and names its scenario by a path in the
// folder; name is the folder's name in messages. All faults are in the error, a document.Errors, each at its file, line
// and column.
func ReadHardware(name string, folder fs.FS) (*HardwareRecords, error) {
	files, err := fs.Glob(folder, "*.yaml")
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: there is no record: a record is a file of YAML there", name)
	}
	records := &HardwareRecords{Registry: &Registry{}}
	var wrong document.Errors
	taken := map[string]string{}
	for _, file := range files {
		text, err := fs.ReadFile(folder, file)
		if err != nil {
			return nil, err
		}
		r := &recordReader{folder: folder, file: path.Join(name, file)}
		r.registryReader = registryReader{lines: strings.Split(string(text), "\n"), names: map[string]bool{}}
		record := r.record(recordLanguage.ParseYAML(r.file, text, r.add))
		if record != nil && taken[record.ID] != "" {
			r.add(document.Position{File: r.file, Line: 1, Column: 1}, "%s is record %s, too", taken[record.ID], record.ID)
		}
		if wrong = append(wrong, r.errors...); record != nil {
			taken[record.ID] = r.file
			records.Records = append(records.Records, record)
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	slices.SortFunc(records.Records, func(a, b *Hardware) int { return cmp.Compare(a.ID, b.ID) })
	for _, record := range records.Records {
		for _, f := range record.Figures {
			records.Registry.Claims = append(records.Registry.Claims, f.entry(record))
		}
		if record.Row != nil {
			records.Rows = append(records.Rows, record.Row)
		}
	}
	for _, entry := range records.Registry.Claims {
		for i := range entry.Criteria {
			entry.Criteria[i].Entry = entry
		}
	}
	records.Rows = records.Registry.With(records.Rows)
	for _, row := range records.Rows {
		records.Of(row.ID).Row = row
	}
	return records, nil
}

type recordReader struct {
	registryReader
	folder fs.FS
	file   string
	// places are the positions of formulas, by the names of figures.
	places map[string]func(*expressionError) *document.Error
}

func (r *recordReader) record(root *document.Node) *Hardware {
	if root == nil {
		return nil
	}
	r.places = map[string]func(*expressionError) *document.Error{}
	r.keys(root, "record", "title", "source", "frozen", "reading", "scenario", "red", "seeds", "quick", "full", "owed",
		"figures", "fit")
	r.needs(root, "record", "title", "source", "frozen", "figures")
	h := &Hardware{
		ID:      r.text(root, "record"),
		Title:   r.text(root, "title"),
		Frozen:  r.text(root, "frozen"),
		Reading: r.text(root, "reading"),
	}
	if source := root.Child("source"); source != nil {
		r.keys(source, "thread", "date", "devices", "unstated")
		r.needs(source, "thread", "date", "devices")
		h.Thread, h.Date = r.text(source, "thread"), r.text(source, "date")
		h.Devices, h.Unstated = r.text(source, "devices"), r.text(source, "unstated")
	}
	if owed := root.Child("owed"); owed != nil {
		h.Owed = r.miss(owed)
	}
	if root.Child("scenario") != nil {
		h.Row = r.row(root, h)
	}
	if list := root.Child("figures"); list != nil {
		for _, item := range list.Items {
			if f := r.figure(item, h); f != nil {
				h.Figures = append(h.Figures, f)
			}
		}
	}
	if list := root.Child("fit"); list != nil {
		for _, item := range list.Items {
			h.Fits = append(h.Fits, r.fit(item, h))
		}
	}
	r.whole(root, h)
	if h.Row != nil {
		h.Row.Measure = h.measure(func(f *hardwareFigure, wrong *expressionError) string {
			return r.places[f.Name](wrong).Error()
		})
	}
	return h
}

// whole checks that figures that were fitted on are the ones that fits name.
func (r *recordReader) whole(root *document.Node, h *Hardware) {
	var on []string
	for _, fit := range h.Fits {
		on = append(on, fit.On...)
	}
	for _, name := range h.fitted() {
		if !slices.Contains(on, name) {
			r.add(root.Where("figures"), "figure %q is fitted, and no fit is on it", name)
		}
	}
}

func (r *recordReader) row(root *document.Node, h *Hardware) *Row {
	row := &Row{
		ID:      h.ID,
		Title:   h.Title,
		Source:  h.Thread,
		Paper:   hardwarePaper,
		Reading: h.Reading,
	}
	file := path.Clean(r.text(root, "scenario"))
	text, err := readFile(r.folder, file)
	if err != nil {
		r.add(root.Where("scenario"), "scenario %s: %v", file, err)
	}
	row.Scenario, row.Red = text, r.text(root, "red")
	row.Runs = strings.TrimSuffix(path.Base(file), path.Ext(file))
	row.Seeds = r.seeds(root)
	row.Quick, row.Full = r.form(root.Child("quick")), r.form(root.Child("full"))
	return row
}

// readFile reads a file of a folder. The error has no path: a message has it already.
func readFile(folder fs.FS, name string) ([]byte, error) {
	text, err := fs.ReadFile(folder, name)
	if reason, ok := errors.AsType[*fs.PathError](err); ok {
		err = reason.Err
	}
	return text, err
}

func (r *registryReader) seeds(n *document.Node) (seeds []uint64) {
	list := n.Child("seeds")
	if list == nil {
		return nil
	}
	for _, item := range list.Items {
		seed, err := strconv.ParseUint(item.Text, 10, 64)
		if err != nil {
			r.add(item.At, "seed %q is not a whole number", document.Shorten(item.Text))
		}
		seeds = append(seeds, seed)
	}
	return seeds
}

// settings are values of keys by path, as of --set.
func (r *registryReader) settings(n *document.Node) map[string]string {
	set := n.Child("set")
	if set == nil {
		return nil
	}
	values := map[string]string{}
	for _, entry := range set.Entries {
		values[entry.Key] = entry.Value.Text
	}
	return values
}

// texts are the scalars of a list.
func (r *registryReader) texts(n *document.Node, key string) (list []string) {
	child := n.Child(key)
	if child == nil {
		return nil
	}
	if child.Kind != document.Sequence {
		r.add(child.At, "%s is %s: it must be a list", key, document.KindNames[child.Kind])
	}
	for _, item := range child.Items {
		list = append(list, item.Text)
	}
	return list
}

func (r *registryReader) form(n *document.Node) (form form) {
	if n == nil {
		return form
	}
	r.keys(n, "about", "set", "grid", "variants", "seeds")
	form.About, form.Variants, form.Seeds = r.text(n, "about"), r.texts(n, "variants"), r.seeds(n)
	if grid := n.Child("grid"); grid != nil {
		form.Grid = map[string][]string{}
		for _, entry := range grid.Entries {
			form.Grid[entry.Key] = r.texts(grid, entry.Key)
		}
	}
	form.Set = r.settings(n)
	return form
}

func (r *recordReader) figure(n *document.Node, h *Hardware) *hardwareFigure {
	r.keys(n, "name", "unit", "hardware", "evidence", "use", "band", "ours", "miss")
	r.needs(n, "name", "hardware", "evidence", "use", "band")
	f := &hardwareFigure{Name: r.text(n, "name"), Unit: r.text(n, "unit"), Ours: r.text(n, "ours")}
	r.taken(n.Where("name"), "figure", f.Name)
	f.Evidence = Evidence(r.word(n, "evidence", evidenceWords()))
	f.Fitted = r.word(n, "use", []string{"fitted", "predicted"}) == "fitted"
	value, err := strconv.ParseFloat(r.text(n, "hardware"), 64)
	if f.Hardware = value; err != nil {
		r.add(n.Where("hardware"), "hardware is %q: it must be a number", r.text(n, "hardware"))
	}
	if f.Band, err = newBand(r.text(n, "band"), value); err != nil {
		r.add(n.Where("band"), "band %v", err)
	}
	if f.Ours == "" {
		if h.Owed == nil {
			r.add(n.At, "it lacks ours, and the record does not name it as owed")
		}
		return f
	}
	if h.Row == nil {
		r.add(n.Where("ours"), "the record has no scenario to read ours from")
	}
	r.places[f.Name] = r.inFile(n.Child("ours"))
	formula, wrong := newFormula(f.Ours)
	if wrong != nil {
		r.errors = append(r.errors, r.places[f.Name](wrong))
		return f
	}
	if f.formula = formula; h.Row != nil {
		h.Row.Published = append(h.Row.Published, published{Figure: f.Name, Value: f.Hardware, Source: h.Thread})
	}
	if !f.Fitted {
		f.criterion = r.inBand(n, f)
	} else if n.Child("miss") != nil {
		r.add(n.Where("miss"), "a figure that was used for a fit is not scored: leave miss out")
	}
	return f
}

// inBand is the criterion that ours is in the band.
func (r *recordReader) inBand(n *document.Node, f *hardwareFigure) *Criterion {
	expression, wrong := newExpression(f.Band.expression(f.Name))
	if wrong != nil {
		r.add(n.At, "%s", wrong.Message)
		return nil
	}
	c := &Criterion{
		Name:       f.Name,
		Text:       fmt.Sprintf("hardware has %v %s, band %v", f.Hardware, f.Unit, f.Band),
		Grade:      Pass,
		Expression: expression.Text,
		Holds:      expression.holds(func(wrong *expressionError) string { return wrong.Error() }),
	}
	if miss := n.Child("miss"); miss != nil {
		c.Miss = r.miss(miss)
	}
	return c
}

func (r *recordReader) fit(n *document.Node, h *Hardware) *Fit {
	r.keys(n, "name", "keys", "on")
	r.needs(n, "name", "keys", "on")
	fit := &Fit{Name: r.text(n, "name")}
	if keys := n.Child("keys"); keys != nil {
		for _, entry := range keys.Entries {
			fit.Keys = append(fit.Keys, entry.Key)
			var values []string
			for _, item := range entry.Value.Items {
				values = append(values, item.Text)
			}
			if len(values) < 2 {
				r.add(entry.At, "%s wants a list of the values that are tried, two at least", entry.Key)
			}
			fit.Values = append(fit.Values, values)
		}
	}
	if on := n.Child("on"); on != nil {
		for _, item := range on.Items {
			f := h.figure(item.Text)
			if f == nil || !f.Fitted {
				var names = h.fitted()
				r.add(item.At, "no figure with use: fitted is called %q (%s)", item.Text,
					spelling.Hint(item.Text, names, strings.Join(names, ", ")))
			}
			fit.On = append(fit.On, item.Text)
		}
	}
	return fit
}
