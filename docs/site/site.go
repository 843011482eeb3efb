package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"html/template"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

const source = "https://github.com/rocelab/rocelab/"

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Parse(pageText))

// site is the pages, by the paths of their Markdown files.
type site struct {
	root  string
	pages map[string]*page
	// copied are the files that pages show.
	copied map[string]bool
	index  []entry
}

// page is a Markdown file; address is its page's.
type page struct{ path, address, title string }

// entry is a section of a page in the index of the search.
type entry struct{ Address, Page, Heading, Text string }

// group is a part of the menu.
type group struct {
	Title string
	Links []link
}

type link struct {
	Title, Address string
	Here           bool
}

// menu has the pages that are not under "More".
var menu = []struct{ title, pages string }{
	{"Begin", "README.md docs/tutorial.md docs/recipes.md docs/gallery.md docs/compared.md docs/glossary.md"},
	{"Experiments", "docs/scenarios.md specs/scenarios/README.md docs/results.md docs/why.md docs/runs.md " +
		"docs/sweeps.md docs/tuning.md docs/faults.md docs/view.md docs/prometheus.md python/README.md"},
	{"Switches and algorithms", "docs/sonic.md docs/silicon.md docs/algorithms.md docs/limits.md"},
	{"Packets", "docs/testbed.md docs/live.md docs/captures.md packaging/README.md vagrant/README.md"},
	{"Evidence", "docs/promises.md docs/reproduction.md docs/findings/README.md docs/theory.md docs/performance.md"},
}

// read finds the pages of a checkout.
func read(root string) (*site, error) {
	s := &site{root: root, pages: map[string]*page{}, copied: map[string]bool{}}
	for pattern := range strings.FieldsSeq("*.md docs/*.md docs/*/*.md */README.md specs/*/README.md specs/adr/*.md") {
		files, err := fs.Glob(os.DirFS(root), pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			data, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				return nil, err
			}
			title, _, _ := strings.Cut(strings.TrimPrefix(string(data), "# "), "\n")
			address := strings.TrimSuffix(name, ".md") + ".html"
			if path.Base(name) == "README.md" {
				address = path.Join(path.Dir(name), "index.html")
			}
			s.pages[name] = &page{name, address, title}
		}
	}
	return s, nil
}

// write writes all pages, what they show, and the index.
func (s *site) write(out string) error {
	for _, name := range s.names() {
		text, err := s.render(s.pages[name])
		if err != nil {
			return err
		}
		if err := writeFile(filepath.Join(out, s.pages[name].address), text); err != nil {
			return err
		}
	}
	for name := range s.copied {
		if err := copyFile(filepath.Join(s.root, name), filepath.Join(out, name)); err != nil {
			return err
		}
	}
	data, err := json.Marshal(s.index)
	if err != nil {
		return err
	}
	// A script and not JSON: a page that is a file may not fetch.
	return writeFile(filepath.Join(out, "search.js"), append([]byte("const index = "), data...))
}

func (s *site) names() []string { return slices.Sorted(maps.Keys(s.pages)) }

var table = regexp.MustCompile(`(?s)<table>.*?</table>`)

// render makes the page of a Markdown file.
func (s *site) render(p *page) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(s.root, p.path))
	if err != nil {
		return nil, err
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithParserOptions(parser.WithAutoHeadingID()))
	tree := md.Parser().Parse(text.NewReader(data), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	if err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if l, is := n.(*ast.Link); is && entering {
			l.Destination = []byte(s.follow(p, string(l.Destination)))
		}
		if i, is := n.(*ast.Image); is {
			s.copied[path.Join(path.Dir(p.path), string(i.Destination))] = true
		}
		return ast.WalkContinue, nil
	}); err != nil {
		return nil, err
	}
	s.find(p, tree, data)
	var body, whole bytes.Buffer
	if err := md.Renderer().Render(&body, data, tree); err != nil {
		return nil, err
	}
	text := strings.ReplaceAll(body.String(), "<!-- raw HTML omitted -->\n", "")
	text = table.ReplaceAllString(text, `<div class="wide" tabindex="0">$0</div>`)
	err = pageTemplate.Execute(&whole, map[string]any{
		"Title":  p.title,
		"Root":   p.root(),
		"Menu":   s.menu(p),
		"Body":   template.HTML(text),
		"Source": source + "blob/main/" + p.path,
	})
	return whole.Bytes(), err
}

// follow is where a link of a page leads.
func (s *site) follow(p *page, to string) string {
	if strings.Contains(to, "://") || strings.HasPrefix(to, "#") {
		return to
	}
	name, anchor, _ := strings.Cut(to, "#")
	name = path.Join(path.Dir(p.path), name)
	target := cmp.Or(s.pages[name], s.pages[path.Join(name, "README.md")])
	if target == nil {
		return source + "blob/main/" + name
	}
	return strings.TrimSuffix(p.root()+target.address+"#"+anchor, "#")
}

// root leads from a page to the folder of all.
func (p *page) root() string { return strings.Repeat("../", strings.Count(p.address, "/")) }

// menu is the menu on a page.
func (s *site) menu(p *page) (groups []group) {
	left := s.names()
	add := func(title string, names []string) {
		g := group{Title: title}
		for _, name := range names {
			of := s.pages[name]
			g.Links = append(g.Links, link{of.title, p.root() + of.address, of == p})
			left = slices.DeleteFunc(left, func(other string) bool { return other == name })
		}
		groups = append(groups, g)
	}
	for _, m := range menu {
		add(m.title, strings.Fields(m.pages))
	}
	groups[0].Links = append(groups[0].Links, link{"A report", p.root() + "report.html", false})
	add("More", slices.Clone(left))
	return groups
}

// sectionText is the number of bytes of a section that are searched.
const sectionText = 600

// find adds the sections of a page to the index.
func (s *site) find(p *page, tree ast.Node, data []byte) {
	at := -1
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		words := textOf(n, data)
		if heading, is := n.(*ast.Heading); is {
			id, _ := heading.AttributeString("id")
			anchor, _ := id.([]byte)
			s.index = append(s.index, entry{p.address + "#" + string(anchor), p.title, words, ""})
			at = len(s.index) - 1
		} else if at >= 0 && len(s.index[at].Text) < sectionText {
			s.index[at].Text = strings.TrimSpace(s.index[at].Text + " " + words)
		}
	}
}

var markup = regexp.MustCompile("\\]\\([^)]*\\)|[][*`|]")

// textOf is the text of a node without its markup, with one blank between words.
func textOf(n ast.Node, data []byte) string {
	var b strings.Builder
	ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering && n.Type() == ast.TypeBlock && n.Kind() != ast.KindHTMLBlock {
			b.Write(append(n.Lines().Value(data), ' '))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(markup.ReplaceAllString(b.String(), "")), " ")
}

// anchors makes the anchors of headings as GitHub does.
type anchors map[string]int

var noLetter = regexp.MustCompile(`[^\p{L}\p{N} _-]`)

func (a anchors) Generate(value []byte, _ ast.NodeKind) []byte {
	id := noLetter.ReplaceAllString(strings.ToLower(strings.TrimSpace(string(value))), "")
	return []byte(strings.ReplaceAll(id, " ", "-"))
}

func (a anchors) Put([]byte) {}

func writeFile(name string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, data, 0o644)
}

func copyFile(from, to string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeFile(to, data)
}
