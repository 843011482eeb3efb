package report

import (
	"fmt"
	"io"
	"net/url"

	"github.com/rocelab/rocelab/testbed/look/report/asset"
)

// Served describes how a server shows a page: there a zoomed picture requests bins that the page has merged. The rest
// of the page is the same as in a file.
type Served struct {
	// Series is the address of series, relative to the page's: it takes what Stretch is asked in
	// the query, as AskOf reads it. Back is the address of the list of runs.
	Series, Back string
	// Runs are the names of the page's folders at that address, in their order.
	Runs []string
}

// WriteServed makes the page of run folders for a server.
func WriteServed(w io.Writer, at Served, folders ...*Folder) error {
	if len(at.Runs) != len(folders) {
		return fmt.Errorf("a page of %d folders has %d names for them", len(folders), len(at.Runs))
	}
	for i, f := range folders {
		f.served = at.Runs[i]
	}
	return write(w, &at, folders)
}

// asks returns the address at which the page requests a folder's series; nil is a page without a server.
func (s *Served) asks(f *Folder) string {
	if s == nil {
		return ""
	}
	return s.Series + "?run=" + url.QueryEscape(f.served)
}

func (s *Served) script() string {
	if s == nil {
		return asset.Script
	}
	return asset.ServedScript
}

// Policy is the page's content security policy: its own script and style and, of a page that is
// served, its own server. A server sends it as a header too.
func (s *Served) Policy() string {
	policy := fmt.Sprintf("default-src 'none'; script-src %s; style-src %s; base-uri 'none'; form-action 'none'",
		asset.Source(s.script()), asset.Source(asset.Style))
	if s != nil {
		policy += "; connect-src 'self'"
	}
	return policy
}

// asks returns the address at which the page requests the bins of a series if count of them are one on it.
func (r *run) asks(file, where, column string, count int64) string {
	if r.folder.asks == "" || count <= 1 {
		return ""
	}
	return r.folder.asks + "&" + url.Values{
		"file":   {r.file(file)},
		"where":  {where},
		"column": {column},
	}.Encode()
}
