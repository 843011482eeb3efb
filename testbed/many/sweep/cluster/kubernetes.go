package cluster

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"
)

//go:embed job.yaml
var kubernetesText string

var kubernetesTemplate = template.Must(template.New("job.yaml").Parse(kubernetesText))

// kubernetesJob is the name of the manifest in a submission's folder.
const kubernetesJob = "job.yaml"

// Volume is where pods find the sweep's folder, which they all share.
type Volume struct {
	Claim string // name of a PersistentVolumeClaim, or
	Below string // folder in it that is the sweep's, "" for its top
	Path  string // a folder of every node, such as a mount of NFS
}

var claimName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// ParseVolume reads pvc:NAME[/FOLDER] or hostpath:/FOLDER.
func ParseVolume(text string) (Volume, error) {
	kind, rest, _ := strings.Cut(text, ":")
	switch {
	case kind == "pvc":
		name, below, _ := strings.Cut(rest, "/")
		if claimName.MatchString(name) && len(name) <= 253 && (below == "" || filepath.IsLocal(below)) {
			return Volume{Claim: name, Below: strings.Trim(path.Clean("/"+below), "/")}, nil
		}
	case kind == "hostpath":
		if path.IsAbs(rest) {
			return Volume{Path: path.Clean(rest)}, nil
		}
	}
	return Volume{}, fmt.Errorf("volume %q: allowed are pvc:NAME, pvc:NAME/FOLDER and hostpath:/FOLDER, "+
		"where pods find the output folder", text)
}

// Kubernetes is the Indexed Job that kubectl is given.
func Kubernetes(j Job, image string, v Volume) (string, error) {
	err := j.problems()
	if image == "" {
		err = errors.Join(err, errors.New("kubernetes needs the image with rocelab in it: --image REGISTRY/NAME:TAG"))
	}
	if (v == Volume{}) {
		err = errors.Join(err, errors.New("kubernetes needs the volume that has the output folder: "+
			"--volume pvc:NAME, pvc:NAME/FOLDER or hostpath:/FOLDER"))
	}
	if err != nil {
		return "", err
	}
	parallel := j.Tasks
	if j.AtOnce > 0 {
		parallel = min(parallel, j.AtOnce)
	}
	var text strings.Builder
	err = kubernetesTemplate.Execute(&text, map[string]any{
		"Runs":         j.Runs,
		"Tasks":        j.Tasks,
		"File":         quoted(filepath.Join(j.Submission, kubernetesJob)),
		"GenerateName": scalar("rocelab-" + j.label() + "-"),
		"Parallelism":  parallel,
		"Retries":      maxTries - 1,
		"Image":        scalar(image),
		"Program":      scalar(j.Program),
		"Submission":   scalar(dollars(j.Submission)),
		"Probe":        dollars(j.Probe),
		"Cores":        j.Cores,
		"Mebibytes":    j.mebibytes(),
		"Mount":        scalar(filepath.Dir(filepath.Dir(j.Submission))),
		"Below":        optional(v.Below),
		"Claim":        optional(v.Claim),
		"Path":         optional(v.Path),
	})
	return text.String(), err
}

// scalar is a word as YAML has it: what JSON writes is YAML.
func scalar(word string) string {
	text, _ := json.Marshal(word)
	return string(text)
}

func optional(word string) string {
	if word == "" {
		return ""
	}
	return scalar(word)
}

// dollars keeps Kubernetes from reading $(NAME) in a word.
func dollars(word string) string { return strings.ReplaceAll(word, "$(", "$$(") }

var created = regexp.MustCompile(`(?m)^job\.batch/(\S+) created`)

// KubernetesName reads the Job's name from what kubectl create prints.
func KubernetesName(printed string) (string, error) {
	found := created.FindStringSubmatch(printed)
	if found == nil {
		return "", fmt.Errorf("kubectl did not say which Job it is: %q", printed)
	}
	return found[1], nil
}
