package lab

import (
	"os"
	"path/filepath"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/emulator/result"
)

// Files returns the texts of the run's folder, by the names of its files:
// summary, flows, ports, queues, PFC, drops, series. The manifest is not among
// them.
func (r *Run) Files() map[string]string {
	dir := filepath.Join(GinkgoT().TempDir(), "run")
	folder, err := result.Create(dir)
	Expect(err).NotTo(HaveOccurred())
	Expect(folder.WriteRun("", r.Outcome, r.Summary, r.Verdict)).To(Succeed())
	files := map[string]string{}
	names, err := filepath.Glob(dir + ".part/*.[cj]s*") // CSV and JSON
	Expect(err).NotTo(HaveOccurred())
	for _, name := range names {
		text, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		files[filepath.Base(name)] = string(text)
	}
	Expect(folder.Discard()).To(Succeed())
	return files
}
