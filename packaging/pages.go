package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// completions are the files that shells look for, below share.
var completions = map[string]string{
	"bash": "bash-completion/completions/rocelab",
	"zsh":  "zsh/site-functions/_rocelab",
	"fish": "fish/vendor_completions.d/rocelab.fish",
}

// writePages makes man/*.1 and the completions in a new folder. They are the same
// for all processors; a rocelab that runs on this one, built with the tag manual,
// writes them, and stays in the folder.
func (s *source) writePages(ctx context.Context, to string) error {
	say("manual and completions")
	rocelab := filepath.Join(to, "rocelab")
	man := filepath.Join(to, "man")
	if err := os.MkdirAll(man, 0o755); err != nil {
		return err
	}
	build := s.goTool(ctx, target{"linux", runtime.GOARCH}, "build", "-tags=manual", "-buildvcs=true", "-trimpath",
		"-ldflags=-s -w", "-o", rocelab, "./cmd/rocelab")
	if _, err := output(build); err != nil {
		return err
	}
	manual := exec.CommandContext(ctx, rocelab, "manual", man)
	manual.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+s.epoch())
	if _, err := output(manual); err != nil {
		return err
	}
	for shell, path := range completions {
		text, err := output(exec.CommandContext(ctx, rocelab, "completion", shell))
		if err != nil {
			return err
		}
		path = filepath.Join(to, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text+"\n"), 0o644); err != nil {
			return err
		}
	}
	return nil
}
