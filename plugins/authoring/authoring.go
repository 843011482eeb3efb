package authoring

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
)

// Language is the language of an algorithm.
type Language string

// The languages.
const (
	Go     Language = "go"
	Python Language = "python"
)

// Languages are all languages.
var Languages = []Language{Go, Python}

// Template is a kind of algorithm to begin with.
type Template string

// The templates.
const (
	// Sender reacts at the sender, to delay.
	Sender Template = "sender"
	// Receiver lets the receiver send the rate in an own extension.
	Receiver Template = "receiver"
)

// Templates are all templates.
var Templates = []Template{Sender, Receiver}

// Request describes the algorithm to make.
type Request struct {
	// Name is the algorithm's, see CheckName.
	Name     string
	Language Language
	Template Template
	// Contract is the absolute path of the source of the contract's module, to be
	// built with; "" takes Version of the published one. For Go only.
	Contract, Version string
	// Module and Sums are the go.mod and go.sum there: with them a folder
	// builds as it is, and without a network.
	Module, Sums []byte
	// Library is the Python module's folder. For Python only.
	Library fs.FS
}

// File is one file of the folder.
type File struct {
	// Path is relative to the folder, with slashes.
	Path       string
	Text       []byte
	Executable bool
}

//go:embed templates
var templates embed.FS

// templateData are the inputs of templates.
type templateData struct {
	Request
	// Package is the name as a Go package can have it, Title as a heading.
	Package, Title string
}

var required = regexp.MustCompile(`(?m)^(?:require )?\s*([a-z0-9.-]+\.[a-z]+/\S+ v\S+)`)

// Required are the modules that the contract needs.
func (f templateData) Required() (list []string) {
	for _, m := range required.FindAllSubmatch(f.Module, -1) {
		list = append(list, string(m[1]))
	}
	return list
}

// Replacement is the contract's path as go.mod can have it.
func (f templateData) Replacement() string {
	if strings.ContainsAny(f.Contract, " \t\"'`()[]{},") {
		return strconv.Quote(f.Contract)
	}
	return f.Contract
}

// Make returns the files of a folder, in the order of their paths.
func Make(request Request) ([]File, error) {
	if err := request.check(); err != nil {
		return nil, err
	}
	f := templateData{request, packageName(request.Name), strings.ToUpper(request.Name[:1]) + request.Name[1:]}
	folders := []string{"go", string(request.Template)}
	if request.Language == Python {
		folders = []string{"python"}
	}
	var files []File
	for _, folder := range folders {
		more, err := f.render(path.Join("templates", folder))
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	switch {
	case request.Language == Python:
		library, err := libraryFiles(request.Library)
		if err != nil {
			return nil, err
		}
		files = append(files, library...)
	case request.Contract != "":
		files = append(files, File{Path: "go.sum", Text: request.Sums})
	}
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Path, b.Path) })
	return files, nil
}

func (r *Request) check() error {
	switch {
	case !slices.Contains(Languages, r.Language):
		return fmt.Errorf("%q is not a language for algorithms: allowed are %s", r.Language, joined(Languages))
	case !slices.Contains(Templates, r.Template):
		return fmt.Errorf("there is no template %q: there are %s", r.Template, joined(Templates))
	case r.Language == Python && r.Template != Sender:
		return fmt.Errorf("template %s is there in Go only: in Python there is %s", r.Template, Sender)
	}
	return CheckName(r.Name, nil)
}

func joined[T ~string](all []T) string {
	var words []string
	for _, w := range all {
		words = append(words, string(w))
	}
	return strings.Join(words, ", ")
}

// render fills in the templates of a folder. NAME in a path is the algorithm's
// name; the ending .tmpl keeps Go's tools from taking a template for Go.
func (f *templateData) render(folder string) (files []File, err error) {
	err = fs.WalkDir(templates, folder, func(from string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := templates.ReadFile(from)
		if err != nil {
			return err
		}
		t, err := template.New(from).Parse(string(text))
		if err != nil {
			return err
		}
		var out bytes.Buffer
		if err := t.Execute(&out, f); err != nil {
			return err
		}
		to := strings.TrimSuffix(strings.TrimPrefix(from, folder+"/"), ".tmpl")
		to = strings.ReplaceAll(to, "NAME", f.Name)
		files = append(files, File{Path: to, Text: out.Bytes(), Executable: bytes.HasPrefix(out.Bytes(), []byte("#!"))})
		return nil
	})
	return files, err
}

// libraryFiles returns the files of the Python module.
func libraryFiles(library fs.FS) (files []File, err error) {
	err = fs.WalkDir(library, ".", func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(library, at)
		files = append(files, File{Path: at, Text: text})
		return err
	})
	return files, err
}
