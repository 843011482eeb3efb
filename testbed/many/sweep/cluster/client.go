package cluster

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// errClient is an engine's client that is not installed here.
var errClient = errors.New("is not installed here")

// patience is the time limit of an engine's client.
const patience = time.Minute

// remedies say what to do without a client.
var remedies = map[string]string{
	"sbatch": "submit on a login node of the cluster, or take the script that --print writes there",
	"kubectl": "install it (https://kubernetes.io/docs/tasks/tools), or apply the manifest that --print writes on " +
		"a machine that has it",
}

// CheckClient reports whether the engine's client is here.
func CheckClient(engine string) error {
	client := map[string]string{"slurm": "sbatch", "kubernetes": "kubectl"}[engine]
	if client == "" {
		return nil
	}
	if _, err := exec.LookPath(client); err != nil {
		return fmt.Errorf("%s %w: %s", client, errClient, remedies[client])
	}
	return nil
}

// ask runs a client and returns what it prints.
func ask(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	c.WaitDelay = time.Second
	var out, complaint bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil {
		said := strings.TrimSpace(complaint.String() + out.String())
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, said)
	}
	return out.String(), nil
}

// maxArray asks Slurm how many tasks an array may have; 0 if it does not answer.
func maxArray(ctx context.Context) int {
	config, err := ask(ctx, "scontrol", "show", "config")
	if err != nil {
		return 0
	}
	return MaxArraySize(config)
}

// HandOver gives the submission's artefact to the engine's client, and notes the job.
func (s *Submission) HandOver(ctx context.Context) error {
	var printed string
	var err error
	switch s.Engine {
	case "slurm":
		if printed, err = ask(ctx, "sbatch", filepath.Join(s.Folder, slurmScript)); err == nil {
			s.Job, err = SlurmJob(printed)
		}
	case "kubernetes":
		args := append([]string{"create", "-f", filepath.Join(s.Folder, kubernetesJob)}, s.Flags...)
		if printed, err = ask(ctx, "kubectl", args...); err == nil {
			s.Job, err = KubernetesName(printed)
		}
	}
	if err != nil {
		return err
	}
	return s.Save()
}
