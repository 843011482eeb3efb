package browser

import (
	"bytes"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// folder is a run folder that a spec changes and seals again, to have what no small run
// gives.
type folder string

// copied is a copy of a run folder under another name.
func copied(from, to string) folder {
	GinkgoHelper()
	Expect(os.CopyFS(filepath.Join(work, to), os.DirFS(filepath.Join(work, from)))).To(Succeed())
	return folder(to)
}

// each calls change with the name and the text of each file.
func (f folder) each(change func(name, text string) string) {
	GinkgoHelper()
	for _, pattern := range []string{"*.json", "*/*.json", "*/*.csv"} {
		files, err := filepath.Glob(filepath.Join(work, string(f), pattern))
		Expect(err).NotTo(HaveOccurred())
		for _, file := range files {
			text, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			Expect(os.WriteFile(file, []byte(change(file, string(text))), 0o600)).To(Succeed())
		}
	}
}

// rename gives what has a name another, in cells that are the name and nothing else; names
// of folders stay.
func (f folder) rename(name, other string) {
	GinkgoHelper()
	inJSON, err := json.Marshal(other)
	Expect(err).NotTo(HaveOccurred())
	f.each(func(file, text string) string {
		if strings.HasSuffix(file, ".json") {
			return strings.ReplaceAll(text, `"variant": "`+name+`"`, `"variant": `+string(inJSON))
		}
		return changed(text, func(rows [][]string) [][]string {
			for _, row := range rows {
				for i, cell := range row {
					if cell == name {
						row[i] = other
					}
				}
			}
			return rows
		})
	})
}

// multiply makes a variant's flows appear under other names too, until there are as many as flows.
func (f folder) multiply(variant string, flows int) {
	GinkgoHelper()
	for _, name := range []string{"flows.csv", "series_flows.csv"} {
		text := read(string(f), variant, name)
		write(filepath.Join(string(f), variant, name), changed(text, func(rows [][]string) [][]string {
			column := indexOf(rows[0], "flow")
			all := rows[:1:1]
			for _, row := range rows[1:] {
				copies := flows / 4
				if name == "series_flows.csv" && row[column] != "incast/h0-h4" {
					copies = 1 // a file for a page, and none of gigabytes
				}
				for i := range copies {
					another := append([]string(nil), row...)
					if i > 0 {
						another[column] += fmt.Sprintf("/%d", i)
					}
					all = append(all, another)
				}
			}
			return all
		}))
	}
}

// empty leaves only the heads of all series.
func (f folder) empty() {
	GinkgoHelper()
	f.each(func(file, text string) string {
		if !strings.HasPrefix(filepath.Base(file), "series_") {
			return text
		}
		return changed(text, func(rows [][]string) [][]string { return rows[:1] })
	})
}

// seal writes the digests of the files as they are now.
func (f folder) seal() {
	GinkgoHelper()
	sealed := func(name string, change func(map[string]any)) {
		var all map[string]any
		d := json.NewDecoder(strings.NewReader(read(string(f), name)))
		d.UseNumber()
		Expect(d.Decode(&all)).To(Succeed())
		if files, ok := all["files"].([]any); ok {
			for _, file := range files {
				entry := file.(map[string]any)
				entry["sha256"] = digest(read(string(f), entry["name"].(string)))
			}
		}
		change(all)
		text, err := json.Marshal(all)
		Expect(err).NotTo(HaveOccurred())
		write(filepath.Join(string(f), name), string(text))
	}
	sealed("manifest.json", func(map[string]any) {})
	manifest := digest(read(string(f), "manifest.json"))
	sealed("host.json", func(host map[string]any) { host["manifest_sha256"] = manifest })
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// changed is a CSV text whose rows, the head among them, are others.
func changed(text string, change func([][]string) [][]string) string {
	GinkgoHelper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	var out bytes.Buffer
	Expect(csv.NewWriter(&out).WriteAll(change(rows))).To(Succeed())
	return out.String()
}

func indexOf(head []string, name string) int {
	GinkgoHelper()
	for i, other := range head {
		if other == name {
			return i
		}
	}
	Fail("there is no column " + name)
	return -1
}

// rowsOf are the rows of a CSV file, by column.
func rowsOf(file string) (list []map[string]string) {
	GinkgoHelper()
	rows, err := csv.NewReader(strings.NewReader(read(file))).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	for _, row := range rows[1:] {
		named := map[string]string{}
		for i, name := range rows[0] {
			named[name] = row[i]
		}
		list = append(list, named)
	}
	return list
}

// cells are the values of a column by their times, of the rows that have certain cells.
func cells(file, column string, where map[string]string) map[string]string {
	GinkgoHelper()
	rows, err := csv.NewReader(strings.NewReader(read(file))).ReadAll()
	Expect(err).NotTo(HaveOccurred())
	at, found := indexOf(rows[0], "time_us"), map[string]string{}
	value := indexOf(rows[0], column)
	for _, row := range rows[1:] {
		fits := true
		for name, want := range where {
			fits = fits && row[indexOf(rows[0], name)] == want
		}
		if fits {
			found[row[at]] = row[value]
		}
	}
	Expect(found).NotTo(BeEmpty(), "%s has no such rows", file)
	return found
}
