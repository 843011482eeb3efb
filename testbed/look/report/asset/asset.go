// Package asset has what a report's page is made of besides its numbers: uPlot,
// which draws series, and the script and style of the project.
//
// uPlot (https://github.com/leeoniya/uPlot, MIT) is in the folder uplot as the npm
// package uplot of UPlotVersion has it: dist/uPlot.iife.min.js, dist/uPlot.min.css
// and LICENSE. To renew it, copy these three, and change UPlotVersion and the
// digests of the test.
package asset

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"io/fs"
	"strings"

	"github.com/rocelab/rocelab/testbed/look/report/picture"
)

// UPlotVersion is the version of uPlot.
const UPlotVersion = "1.6.32"

//go:embed uplot/uPlot.iife.min.js
var uplotScript string

//go:embed uplot/uPlot.min.css
var uplotStyle string

//go:embed uplot/LICENSE
var uplotLicence string

//go:embed style.css
var ownStyle string

//go:embed why.css
var whyStyle string

//go:embed script/*.js
var ownScripts embed.FS

//go:embed served/*.js
var servedScripts embed.FS

//go:embed head.html
var head string

// Head defines the template "head", with which each page begins, down to the page's own part of the header. It is
// filled with Title, Policy, Style and Facts, and takes the page's kind from a template of that name.
var Head = `{{define "head"}}` + head + `{{end}}`

// Script is the text of the page's one script: uPlot under its licence, then the
// project's, file by file in the order of their names, in a scope of its own.
var Script = scriptOf(all(ownScripts, "script/*.js"))

// ServedScript is Script for a page that a server shows: it asks that for more of a series.
var ServedScript = scriptOf(all(ownScripts, "script/*.js"), all(servedScripts, "served/*.js"))

func scriptOf(parts ...string) string {
	var text strings.Builder
	text.WriteString("/* uPlot " + UPlotVersion + "\n\n" + uplotLicence + "\n*/\n" + uplotScript + "\n")
	text.WriteString("(() => {\n\"use strict\";\n")
	for _, part := range parts {
		text.WriteString(part)
	}
	text.WriteString("start();\n})();\n")
	return text.String()
}

// all are the files of a pattern in the order of their names.
func all(files embed.FS, pattern string) string {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic(err)
	}
	var text strings.Builder
	for _, name := range names {
		part, err := fs.ReadFile(files, name)
		if err != nil {
			panic(err)
		}
		text.Write(part)
	}
	return text.String()
}

// Style is the text of the page's one style sheet.
var Style = uplotStyle + "\n" + ownStyle + whyStyle + picture.Rules

// Source is the digest of a text as a content security policy names it.
func Source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// File returns a file of the project's own script, for other pages and for separate tests of it.
func File(name string) (string, error) {
	text, err := fs.ReadFile(ownScripts, name)
	return string(text), err
}
