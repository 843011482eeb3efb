package browser

import (
	"bufio"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// view is a server of a folder of runs: its address, until the spec ends.
func view(folder string) string {
	GinkgoHelper()
	c := exec.Command(program, "view", folder)
	c.Dir, c.Stderr = work, GinkgoWriter
	out, err := c.StdoutPipe()
	Expect(err).NotTo(HaveOccurred())
	Expect(c.Start()).To(Succeed())
	DeferCleanup(func() {
		Expect(c.Process.Signal(os.Interrupt)).To(Succeed())
		Expect(c.Wait()).To(Succeed(), "Ctrl-C is its ordinary end")
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	Expect(err).NotTo(HaveOccurred())
	return strings.TrimSpace(address)
}

// zoomed is a page's data of a picture before and after a zoom.
type zoomed struct {
	Before, After []string
	From          []string
	More          string
}

// finest is the least that is between two times of a table.
func finest(times []string) float64 {
	GinkgoHelper()
	least, before := math.Inf(1), math.Inf(-1)
	for _, text := range times {
		at, err := strconv.ParseFloat(text, 64)
		Expect(err).NotTo(HaveOccurred())
		least, before = min(least, at-before), at
	}
	return least
}

// stolen is the data that a page of another origin obtained.
type stolen struct{ Got map[string]string }

var _ = Describe("rocelab view", Ordered, func() {
	BeforeAll(func() {
		write("fine.yaml", strings.ReplaceAll(incast, "1MB", "3MB"))
		run("fine.yaml", "--out", "fine/one", "--record-interval", "100ns", "--variant", "dcqcn")
	})

	It("lists runs, and shows those that are ticked side by side", func() {
		run("fine.yaml", "--out", "fine/two", "--variant", "dcqcn")
		var found struct{ Rows, Titles []string }
		var s said
		ask(job{Do: "tick", Address: view("fine")}, &found, &s)
		Expect(s.Console).To(BeEmpty())
		Expect(found.Rows).To(ConsistOf(ContainSubstring("one"), ContainSubstring("two")))
		Expect(found.Titles).To(ContainElements("one/dcqcn", "two/dcqcn"))
	})

	It("has every bin of the file in a picture that is zoomed, which the page alone has not", func() {
		address := view("fine/one")
		var found zoomed
		var s said
		ask(job{Do: "more", Address: address}, &found, &s)
		Expect(s.Console).To(BeEmpty())
		Expect(s.Requests).To(ContainElement(HavePrefix(address + "series")))
		Expect(s.Requests).To(HaveEach(HavePrefix(address)))
		Expect(found.More).NotTo(BeElementOf("", "none"))
		Expect(finest(found.Before)).To(BeNumerically(">", 0.15), "the page has merged bins")
		Expect(finest(found.After)).To(BeNumerically("~", 0.1, 0.001), "a bin of 100 ns")
		Expect(found.From).NotTo(BeEmpty())
		text := read("fine", "one", "dcqcn", "series_queues.csv")
		for _, from := range found.From {
			var at string
			_, err := fmt.Sscanf(from, "dcqcn/series_queues.csv#time_us=%s", &at)
			Expect(err).NotTo(HaveOccurred(), from)
			at, _, _ = strings.Cut(at, "&")
			Expect(text).To(ContainSubstring("dcqcn,1," + at + ",s0,4,3,"))
		}
		var alone zoomed
		do(job{Do: "more", File: "fine/one/report.html"}, &alone)
		Expect(alone.Before).To(Equal(found.Before))
		Expect(alone.More).To(BeEmpty())
		Expect(finest(alone.After)).To(BeNumerically(">", 0.15))
	})

	It("gives a page of another origin nothing, not even by a name that points to it", func() {
		address := view("fine")
		evil := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>evil</title>")
		}))
		DeferCleanup(evil.Close)
		var found stolen
		var s said
		ask(job{Do: "steal", Address: evil.URL, Other: address}, &found, &s)
		Expect(found.Got).To(HaveLen(6))
		for how, got := range found.Got {
			Expect(got).To(HavePrefix("nothing"), how)
		}
		_, port, err := net.SplitHostPort(strings.Split(address, "/")[2])
		Expect(err).NotTo(HaveOccurred())
		token := strings.Split(address, "/")[3]
		var page struct{ Text string }
		ask(job{Do: "text", Address: "http://evil.example:" + port + "/" + token + "/"}, &page, &s)
		Expect(page.Text).To(Equal("refused: another host"))
		ask(job{Do: "text", Address: "http://127.0.0.1:" + port + "/"}, &page, &s)
		Expect(page.Text).To(HavePrefix("refused: no token"))
		ask(job{Do: "text", Address: address}, &page, &s)
		Expect(page.Text).To(ContainSubstring("small-incast"), "its own page is there")
	})

	It("shows a run that goes on, and goes over to its report", func() {
		write("longer.yaml", strings.ReplaceAll(incast, "1MB", "20MB"))
		c := exec.Command(program, "run", "longer.yaml", "--out", "going/on")
		c.Dir, c.Stderr = work, GinkgoWriter
		Expect(os.MkdirAll(work+"/going", 0o755)).To(Succeed())
		Expect(c.Start()).To(Succeed())
		DeferCleanup(func() { c.Process.Kill() })
		Eventually(func() string {
			text, _ := os.ReadFile(work + "/going/on.part/live.ndjson")
			return string(text)
		}, "60s", "10ms").Should(ContainSubstring("\n"))
		// However slow the browser is, the run has not ended when it looks.
		Expect(c.Process.Signal(syscall.SIGSTOP)).To(Succeed())
		var found struct{ Seen, Titles []string }
		var s said
		ask(job{Do: "live", Address: view("going/on"), Pid: c.Process.Pid}, &found, &s)
		Expect(c.Wait()).To(Succeed())
		Expect(s.Console).To(BeEmpty())
		Expect(found.Seen).To(ContainElement(ContainSubstring("of 4 flows")))
		Expect(found.Titles).To(ContainElements("pc4", "dcqcn"))
	})
})
