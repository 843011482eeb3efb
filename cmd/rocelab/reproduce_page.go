//go:build !mem

package main

import (
	"io"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/many/reproduce"
	"github.com/rocelab/rocelab/testbed/model"
)

// writePage writes the page of rows that were carried out.
func (f *reproduceFlags) writePage(judged []*reproduce.Judged) error {
	return host(writeFile(f.page, func(to io.Writer) error {
		return reproduce.Page(model.Version, judged).Print(to, page.FormatHTML, page.Page{})
	}))
}
