package reproduce

import (
	"io/fs"
	"path"
	"strings"

	"github.com/rocelab/rocelab/emulator/document"
)

// paperLanguage describes the valid lists of papers.
var paperLanguage = &document.Language{
	Name:     "list of papers",
	Needs:    "papers",
	MaxBytes: 1 << 16,
	MaxDepth: 8,
	MaxKeys:  100,
}

// ReadPapers reads the list of papers of a folder, papers.yaml: for each its title, the IDs of its rows, and the
// columns that they may name. name is the name of the folder in messages.
func ReadPapers(name string, folder fs.FS) ([]*Paper, error) {
	text, err := fs.ReadFile(folder, "papers.yaml")
	if err != nil {
		return nil, err
	}
	r := newRowReader(name, folder, "papers.yaml", text, nil)
	var papers []*Paper
	root := paperLanguage.ParseYAML(r.file, text, r.add)
	if root != nil {
		r.keys(root, "papers")
		if list := root.Child("papers"); list != nil {
			for _, item := range list.Items {
				papers = append(papers, r.paper(item))
			}
		}
	}
	if len(r.errors) > 0 {
		return nil, r.errors
	}
	return papers, nil
}

// paper is one of the list.
func (r *rowReader) paper(n *document.Node) *Paper {
	r.keys(n, "name", "title", "citation", "columns", "rows")
	r.needs(n, "name", "title", "citation")
	p := &Paper{
		Name:     r.text(n, "name"),
		Title:    r.text(n, "title"),
		Citation: r.text(n, "citation"),
		rows:     r.texts(n, "rows"),
		sets:     map[string][]columnValue{},
	}
	r.taken(n.Where("name"), "paper", p.Name)
	if sets := n.Child("columns"); sets != nil {
		for _, entry := range sets.Entries {
			p.sets[entry.Key] = r.columnList(entry.Value)
		}
	}
	return p
}

func newRowReader(name string, folder fs.FS, file string, text []byte, measures Measures) *rowReader {
	r := &rowReader{folder: folder, file: path.Join(name, file), inFolder: file, measures: measures}
	r.registryReader = registryReader{
		lines:  strings.Split(string(text), "\n"),
		quotes: map[string]string{},
		names:  map[string]bool{},
	}
	return r
}

// ReadRows reads the rows of papers: that of an ID is a file of that name in small letters, in the folder of its
// paper's name. All that is wrong is in the error, a document.Errors, each at its file, line and column.
func ReadRows(name string, folder fs.FS, papers []*Paper, measures Measures) (rows []*Row, err error) {
	var wrong document.Errors
	for _, paper := range papers {
		for _, id := range paper.rows {
			file := path.Join(paper.Name, strings.ToLower(id)+".yaml")
			text, err := fs.ReadFile(folder, file)
			if err != nil {
				return nil, err
			}
			r := newRowReader(name, folder, file, text, measures)
			r.sets = paper.sets
			if root := rowLanguage.ParseYAML(r.file, text, r.add); root != nil {
				for _, key := range []string{"paper", "criteria"} {
					if root.Child(key) != nil {
						r.add(root.Where(key), "a row of a list of papers has no %s: leave it out", key)
					}
				}
				row := r.whole(root, paper)
				if rows = append(rows, row); row.ID != id {
					r.add(root.Where("row"), "row is %q: the list of papers has %s", row.ID, id)
				}
			}
			wrong = append(wrong, r.errors...)
		}
	}
	if len(wrong) > 0 {
		return nil, wrong
	}
	return rows, nil
}

// ReadRow reads a user's row from a file of a folder: besides the parts of a shipped one, its paper and its criteria.
// name is the name of the folder in messages. The registry has the criteria.
func ReadRow(name string, folder fs.FS, file string, measures Measures) (*Row, *Registry, error) {
	text, err := readFile(folder, file)
	if err != nil {
		return nil, nil, err
	}
	r := newRowReader(name, folder, file, text, measures)
	var row *Row
	registry := &Registry{}
	if root := rowLanguage.ParseYAML(r.file, text, r.add); root != nil {
		paper := r.ownPaper(root)
		row = r.whole(root, paper)
		registry.Claims = r.own(root, row)
	}
	if len(r.errors) > 0 {
		return nil, nil, r.errors
	}
	return registry.With([]*Row{row})[0], registry, nil
}

// ownPaper is the paper that a row names, or what stands for it.
func (r *rowReader) ownPaper(root *document.Node) *Paper {
	n := root.Child("paper")
	if n == nil {
		name := strings.TrimSuffix(path.Base(r.file), path.Ext(r.file))
		return &Paper{Name: name, Title: name, Citation: r.file}
	}
	r.keys(n, "name", "title", "citation")
	r.needs(n, "name", "title")
	return &Paper{Name: r.text(n, "name"), Title: r.text(n, "title"), Citation: r.text(n, "citation")}
}

// own are the criteria of a row, an entry each.
func (r *rowReader) own(root *document.Node, row *Row) (list []*Entry) {
	criteria := root.Child("criteria")
	if criteria == nil {
		r.add(root.At, "it lacks criteria")
		return nil
	}
	if criteria.Kind != document.Sequence {
		r.add(criteria.At, "criteria is %s: it must be a list", document.KindNames[criteria.Kind])
	}
	for _, item := range criteria.Items {
		e := &Entry{
			Source: row.Paper.Name,
			Place:  row.Source,
			Grade:  qualitative,
			Row:    row.ID,
			Size:   r.file,
			Seeds:  max(1, len(row.Seeds)),
		}
		c := r.criterion(item, e)
		c.Entry = e
		e.ID, e.Quote, e.Criteria = row.ID+" "+c.Name, c.Text, []Criterion{c}
		list = append(list, e)
	}
	return list
}
