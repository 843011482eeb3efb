package browser

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// oldestNode is the version that playwright-core needs.
const oldestNode = 18

// fetched is the folder of modules for Node: fetched by npm by the digests of package-lock.json, now or before. A
// missing requirement skips all specs, by its name.
func fetched() string {
	GinkgoHelper()
	for _, tool := range []string{"chromium", "node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			Skip(tool + " is not installed")
		}
	}
	version, err := exec.Command("node", "--version").Output()
	Expect(err).NotTo(HaveOccurred())
	major, _, _ := strings.Cut(strings.TrimPrefix(string(version), "v"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < oldestNode {
		Skip("node is " + strings.TrimSpace(string(version)) + ", older than 18")
	}
	lock, err := os.ReadFile("driver/package-lock.json")
	Expect(err).NotTo(HaveOccurred())
	sum := sha256.Sum256(lock)
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	folder := filepath.Join(cache, "rocelab", "browser-"+hex.EncodeToString(sum[:8]))
	modules := filepath.Join(folder, "node_modules")
	if _, err := os.Stat(modules); err == nil {
		return modules
	}
	Expect(os.MkdirAll(filepath.Dir(folder), 0o755)).To(Succeed())
	fresh, err := os.MkdirTemp(filepath.Dir(folder), "fetching-")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(os.RemoveAll, fresh)
	Expect(os.WriteFile(filepath.Join(fresh, "package-lock.json"), lock, 0o644)).To(Succeed())
	about, err := os.ReadFile("driver/package.json")
	Expect(err).NotTo(HaveOccurred())
	Expect(os.WriteFile(filepath.Join(fresh, "package.json"), about, 0o644)).To(Succeed())
	npm := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	npm.Dir = fresh
	out, err := npm.CombinedOutput()
	Expect(string(out)).NotTo(ContainSubstring("EINTEGRITY"), "what npm fetched is not what was locked")
	if err != nil {
		Skip("npm fetches no playwright-core: " + strings.TrimSpace(string(out)))
	}
	// Another process may have been quicker.
	if err := os.Rename(fresh, folder); err != nil {
		Expect(modules).To(BeADirectory())
	}
	return modules
}

// driver is the Node process that drives the browser.
type driver struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
}

func openDriver(modules string) *driver {
	GinkgoHelper()
	chromium, err := exec.LookPath("chromium")
	Expect(err).NotTo(HaveOccurred())
	d := &driver{command: exec.Command("node", "driver/drive.js", chromium)}
	d.command.Env = append(os.Environ(), "NODE_PATH="+modules)
	d.command.Stderr = GinkgoWriter
	d.in, err = d.command.StdinPipe()
	Expect(err).NotTo(HaveOccurred())
	out, err := d.command.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	d.out = bufio.NewReaderSize(out, 1<<20)
	Expect(d.command.Start()).To(Succeed())
	var about struct{ Version string }
	d.answer(&about)
	GinkgoWriter.Println("Chromium", about.Version)
	return d
}

// close ends the browser.
func (d *driver) close() {
	d.in.Close()
	kill := time.AfterFunc(20*time.Second, func() { d.command.Process.Kill() })
	defer kill.Stop()
	d.command.Wait()
}

// answer reads what a job answers.
func (d *driver) answer(found any) {
	GinkgoHelper()
	line, err := d.out.ReadBytes('\n')
	Expect(err).NotTo(HaveOccurred(), "the driver ended")
	var failed struct{ Failed string }
	Expect(json.Unmarshal(line, &failed)).To(Succeed(), string(line))
	Expect(failed.Failed).To(BeEmpty())
	Expect(json.Unmarshal(line, found)).To(Succeed())
}

// job is an order to the driver; driver/jobs.js documents each field.
type job struct {
	Do   string `json:"do"`
	File string `json:"file"`
	// Address is a server's, for a page that is not a file.
	Address string    `json:"address,omitempty"`
	Plot    string    `json:"plot,omitempty"`
	Other   string    `json:"other,omitempty"`
	Line    string    `json:"line,omitempty"`
	Table   string    `json:"table,omitempty"`
	Scheme  string    `json:"scheme,omitempty"`
	Media   string    `json:"media,omitempty"`
	Width   int       `json:"width,omitempty"`
	At      []float64 `json:"at,omitempty"`
	Keys    []string  `json:"keys,omitempty"`
	Out     string    `json:"out,omitempty"`
	// Pid is the process of a run that was stopped.
	Pid int `json:"pid,omitempty"`
}

// said is in every answer: what the page said, asked the network for, and put in the way.
type said struct {
	Console, Requests, Dialogs []string
}

// do has a job done on the page of a run folder, or on another file, and insists that the
// page was silent: no message, no request, no dialog.
func do(what job, found any) {
	GinkgoHelper()
	var s said
	ask(what, found, &s)
	Expect(s.Console).To(BeEmpty(), "the page says something on its console")
	Expect(s.Requests).To(BeEmpty(), "the page asks the network")
	Expect(s.Dialogs).To(BeEmpty(), "the page opens a dialog")
}

// ask is do without a word on what the page said.
func ask(what job, found any, s *said) {
	GinkgoHelper()
	if what.File == "" {
		what.File = "two/report.html"
	}
	what.File = filepath.Join(work, what.File)
	text, err := json.Marshal(what)
	Expect(err).NotTo(HaveOccurred())
	_, err = reader.in.Write(append(text, '\n'))
	Expect(err).NotTo(HaveOccurred())
	var raw json.RawMessage
	reader.answer(&raw)
	Expect(json.Unmarshal(raw, s)).To(Succeed())
	if found != nil {
		Expect(json.Unmarshal(raw, found)).To(Succeed())
	}
}
