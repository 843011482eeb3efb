package architecture

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// The text of the Apache License 2.0, byte for byte as apache.org has it.
const apache2 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"

// GitHub shows a licence, and tools recognise it, if the text is unchanged.
func TestLicenceIsApache2(t *testing.T) {
	sum := sha256.Sum256(read(t, "LICENSE"))
	if got := hex.EncodeToString(sum[:]); got != apache2 {
		t.Errorf("LICENSE has the SHA-256 %s, not %s of the Apache License 2.0", got, apache2)
	}
}

// GitHub reads CITATION.cff as YAML with these fields (Citation File Format 1.2.0, section "Required keys").
func TestCitationHasWhatIsRequired(t *testing.T) {
	var citation struct {
		Version string `yaml:"cff-version"`
		Message string
		Title   string
		License string
		Authors []struct{ Name string }
	}
	if err := yaml.Unmarshal(read(t, "CITATION.cff"), &citation); err != nil {
		t.Fatal(err)
	}
	if citation.Version != "1.2.0" || citation.Message == "" || citation.Title == "" {
		t.Errorf("CITATION.cff lacks its version, message or title: %+v", citation)
	}
	if len(citation.Authors) != 1 || citation.Authors[0].Name != "The rocelab authors" {
		t.Errorf("authors are %v", citation.Authors)
	}
	if citation.License != "Apache-2.0" {
		t.Errorf("the licence is %q", citation.License)
	}
}

var calledByCI = regexp.MustCompile(`\.ci/[a-z]+`)

// A workflow is YAML, and the scripts that it calls are there and can be run.
func TestWorkflowsCallWhatExists(t *testing.T) {
	called := map[string]bool{}
	for _, path := range files(t, ".github/workflows/*.yml") {
		text := read(t, path)
		var workflow struct {
			Jobs map[string]struct {
				Minutes int `yaml:"timeout-minutes"`
				Steps   []struct{ Run string }
			}
		}
		if err := yaml.Unmarshal(text, &workflow); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if len(workflow.Jobs) == 0 {
			t.Errorf("%s has no jobs", path)
		}
		for name, job := range workflow.Jobs {
			if job.Minutes == 0 {
				t.Errorf("%s: job %s has no timeout-minutes", path, name)
			}
			for _, step := range job.Steps {
				for _, script := range calledByCI.FindAllString(step.Run, -1) {
					called[script] = true
					if info, err := os.Stat(filepath.Join("../..", script)); err != nil || info.Mode()&0o111 == 0 {
						t.Errorf("%s: job %s calls %s, which is no program", path, name, script)
					}
				}
			}
		}
	}
	if !called[".ci/run"] || !called[".ci/fuzz"] {
		t.Errorf("the workflows call %v, not .ci/run and .ci/fuzz", called)
	}
}

func TestFormsOfIssuesCanBeRead(t *testing.T) {
	for _, path := range files(t, ".github/ISSUE_TEMPLATE/*.yml") {
		var form map[string]any
		if err := yaml.Unmarshal(read(t, path), &form); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if !strings.HasSuffix(path, "config.yml") && (form["name"] == nil || form["body"] == nil) {
			t.Errorf("%s has no name or no body", path)
		}
	}
}

func TestDevContainerCanBeRead(t *testing.T) {
	var container struct {
		Image             string
		PostCreateCommand string
		Privileged        bool
	}
	if err := json.Unmarshal(read(t, ".devcontainer/devcontainer.json"), &container); err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindSubmatch(read(t, "go.mod"))[1]
	if !strings.Contains(container.Image, string(version)) {
		t.Errorf("the image %s is not Go %s, which go.mod wants", container.Image, version)
	}
	if !container.Privileged {
		t.Error("the dev container has no right to make links and namespaces")
	}
	script := strings.TrimPrefix(container.PostCreateCommand, "bash ")
	if _, err := os.Stat(filepath.Join("../..", script)); err != nil {
		t.Errorf("postCreateCommand: %v", err)
	}
}

// read returns a file of the repository.
func read(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../..", path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// files returns the files that match a pattern, from the repository's root.
func files(t *testing.T, pattern string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join("../..", pattern))
	if err != nil || len(list) == 0 {
		t.Fatalf("%s matches nothing: %v", pattern, err)
	}
	for i, path := range list {
		list[i], _ = filepath.Rel("../..", path)
	}
	return list
}
