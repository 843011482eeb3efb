package lossless

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/rocelab/rocelab/specs/program"
)

// scratch has the program that was built, if any.
var scratch string

// build builds rocelab, for runs in memory only, once, and returns its path.
var build = sync.OnceValues(func() (path string, err error) {
	if scratch, err = os.MkdirTemp("", "rocelab-lossless-"); err != nil {
		return "", err
	}
	return filepath.Join(scratch, "rocelab"), program.Build(scratch, []string{"cmd/rocelab"}, "-tags=mem")
})

var _ = AfterSuite(func() {
	if scratch != "" {
		Expect(os.RemoveAll(scratch)).To(Succeed())
	}
})

// told is a run in the output of --format json.
type told struct {
	Verdict  string
	Findings []struct{ About, Status, Text string }
	Metrics  map[string]float64
}

// texts returns the findings about losslessness with a status.
func (r *told) texts(status string) (list []string) {
	for _, f := range r.Findings {
		if f.About == "losslessness" && f.Status == status {
			list = append(list, f.Text)
		}
	}
	return list
}

// run runs a scenario without a folder, insists on its exit code, and returns its only run.
func run(code int, args ...string) *told {
	GinkgoHelper()
	var document struct{ Runs []told }
	stdout := rocelab(code, append([]string{"run", "--no-folder", "--format", "json"}, args...)...)
	Expect(json.Unmarshal([]byte(stdout), &document)).To(Succeed())
	Expect(document.Runs).To(HaveLen(1))
	return &document.Runs[0]
}

// rocelab carries out a command line, insists on its exit code, and returns what it printed.
func rocelab(code int, args ...string) (stdout string) {
	GinkgoHelper()
	path, err := build()
	Expect(err).NotTo(HaveOccurred())
	var out, errs bytes.Buffer
	c := exec.Command(path, args...)
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		var exit *exec.ExitError
		Expect(errors.As(err, &exit)).To(BeTrue(), "%v: %s", err, errs.String())
	}
	Expect(c.ProcessState.ExitCode()).To(Equal(code), "rocelab %q: %s%s", args, out.String(), errs.String())
	return out.String()
}
