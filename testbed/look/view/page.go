package view

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/rocelab/rocelab/testbed/look/report"
	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

//go:embed style.css
var ownStyle string

//go:embed list.html
var listText string

// style is the text of the one style sheet of the pages other than reports.
var style = asset.Style + ownStyle

//go:embed list.js
var listOwn string

// listScript is the script of the list: it sorts, and renews what goes on.
var listScript = scriptOf(listOwn, "script/element.js", "script/sort.js")

var listTemplate = template.Must(template.New("list").Funcs(template.FuncMap{
	"date": func(t time.Time) string { return t.Format("2006-01-02 15:04:05") },
	"join": func(list []string) string { return strings.Join(list, ", ") },
}).Parse(asset.Head + listText))

// page fills the head of every page of the view.
type page struct {
	Title, Policy string
	Style, Script template.HTML
	Facts         []string
}

// pageOf is a page with a script, "" for none.
func pageOf(title, script string, facts ...string) page {
	p := page{
		Title:  title,
		Style:  template.HTML("<style>" + style + "</style>"),
		Facts:  facts,
		Policy: "default-src 'none'; style-src " + asset.Source(style) + "; base-uri 'none'; form-action 'self'",
	}
	if script != "" {
		p.Script = template.HTML("<script>" + script + "</script>")
		p.Policy += "; script-src " + asset.Source(script) + "; connect-src 'self'"
	}
	return p
}

// listPage is the list of runs.
type listPage struct {
	page
	// Find is a text in the names of the runs shown.
	Find string
	Runs []*run
	// Beyond is the number of older ones not shown.
	Beyond int
}

// mostListed is the maximum number of runs that a page lists, the newest.
const mostListed = 2000

// mostLaid is the maximum number of runs that a page lays over each other.
const mostLaid = 32

func (s *Server) showList(w http.ResponseWriter, r *http.Request) {
	runs, err := s.list.runs()
	if err != nil {
		fail(w, err)
		return
	}
	if s.list.only != "" && len(runs) == 1 {
		w.Header().Set("Location", "run?run="+runs[0].ID)
		w.WriteHeader(http.StatusFound)
		return
	}
	p := listPage{Find: r.URL.Query().Get("find")}
	all := len(runs)
	if p.Find != "" {
		runs = slices.DeleteFunc(runs, func(run *run) bool { return !run.has(p.Find) })
	}
	count := fmt.Sprintf("%d runs", all)
	if p.Find != "" {
		count = fmt.Sprintf("%d of %d runs", len(runs), all)
	}
	p.page = pageOf("Runs", listScript, s.list.dir, count)
	p.Beyond = max(0, len(runs)-mostListed)
	p.Runs = runs[:len(runs)-p.Beyond]
	send(w, p.Policy, func(to *bytes.Buffer) error { return listTemplate.Execute(to, p) })
}

// back is the address of the list, "" if there is only one run.
func (s *Server) back() string {
	if s.list.only != "" {
		return ""
	}
	return "./"
}

// has reports whether all of the words are in the list's entry of a run.
func (r *run) has(words string) bool {
	text := strings.ToLower(strings.Join(append([]string{r.Name, r.Scenario, string(r.State)}, r.Variants...), " "))
	for _, v := range r.Verdicts {
		text += " " + strings.ToLower(v.Word)
	}
	for word := range strings.FieldsSeq(strings.ToLower(words)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// showRun shows the report of the requested runs, or the progress of one that has not ended.
func (s *Server) showRun(w http.ResponseWriter, r *http.Request) {
	var chosen []*run
	ids := r.URL.Query()["run"]
	for i, id := range ids {
		if slices.Contains(ids[:i], id) {
			continue
		}
		run, err := s.list.find(id)
		if err != nil {
			fail(w, err)
			return
		}
		if run == nil {
			http.Error(w, "there is no such run: look into the list again", http.StatusNotFound)
			return
		}
		chosen = append(chosen, run)
	}
	switch {
	case len(chosen) == 0:
		http.Error(w, "tick runs in the list to see them", http.StatusBadRequest)
	case len(chosen) > mostLaid:
		http.Error(w, fmt.Sprintf("a page lays at most %d runs over each other, and %d are ticked", mostLaid, len(chosen)),
			http.StatusBadRequest)
	case len(chosen) == 1 && chosen[0].State != damaged && !chosen[0].Finished():
		s.showUnfinished(w, chosen[0])
	default:
		s.showReport(w, chosen)
	}
}

func (s *Server) showReport(w http.ResponseWriter, chosen []*run) {
	s.making <- struct{}{}
	defer func() { <-s.making }()
	at := report.Served{Series: "series", Back: s.back()}
	var folders []*report.Folder
	for _, run := range chosen {
		if run.State == damaged {
			fail(w, fmt.Errorf("%s: %s", run.Name, run.Trouble))
			return
		}
		if !run.Finished() {
			http.Error(w, run.Name+" has not ended: it cannot be compared with other runs yet", http.StatusConflict)
			return
		}
		folder, err := report.Open(run.Name, run.Name, s.list.files(run))
		if err != nil {
			fail(w, err)
			return
		}
		folders = append(folders, folder)
		at.Runs = append(at.Runs, run.ID)
	}
	send(w, at.Policy(), func(to *bytes.Buffer) error { return report.WriteServed(to, at, folders...) })
}

// send answers with a page, once all of it is there, under its policy.
func send(w http.ResponseWriter, policy string, write func(*bytes.Buffer) error) {
	var text bytes.Buffer
	if err := write(&text); err != nil {
		fail(w, err)
		return
	}
	header := w.Header()
	header.Set("Content-Security-Policy", policy+"; frame-ancestors 'none'")
	header.Set("Content-Type", "text/html; charset=utf-8")
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeToWrite))
	w.Write(text.Bytes())
}

// fail answers with the fault of a folder.
func fail(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusUnprocessableEntity)
}
