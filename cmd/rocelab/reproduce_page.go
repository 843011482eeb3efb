//go:build !mem

package main

import (
	"io"

	"github.com/rocelab/rocelab/testbed/look/page"
	"github.com/rocelab/rocelab/testbed/model"
	"github.com/rocelab/rocelab/testbed/reproduction"
)

// writePage writes the page of rows that were carried out.
func (f *reproduceFlags) writePage(judged []*reproduction.Judged) error {
	return host(writeFile(f.page, func(to io.Writer) error {
		return reproduction.Page(model.Version, judged).Print(to, page.FormatHTML, page.Page{})
	}))
}
