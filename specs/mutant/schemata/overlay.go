package schemata

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// WriteOverlay writes the file for -overlay of the go command into the folder and returns its path: of each file by
// its path, the path of the one in its place.
func WriteOverlay(replaced map[string]string, folder string) (string, error) {
	list, err := json.Marshal(map[string]map[string]string{"Replace": replaced})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(folder, "overlay.json")
	return overlay, os.WriteFile(overlay, list, 0o644)
}

// overlay writes the texts of files, by their paths from the top of the module at root, and the package chosen beside
// them into the folder, and returns the file for -overlay.
func overlay(root, folder string, texts map[string]string) (string, error) {
	replaced := map[string]string{}
	texts[chosenFolder+"/chosen.go"] = chosenSource
	for file, text := range texts {
		changed := changedFile(folder, file)
		if err := os.WriteFile(changed, []byte(text), 0o644); err != nil {
			return "", err
		}
		replaced[filepath.Join(root, file)] = changed
	}
	return WriteOverlay(replaced, folder)
}

// changedFile is where the text in place of a file stands in the folder.
func changedFile(folder, file string) string {
	return filepath.Join(folder, strings.ReplaceAll(file, "/", "_"))
}

// Programs builds the test programs of packages, such as ./specs/rules, of the module at root with an overlay, "" for
// none, into the folder. Program has their paths. An error has what the compiler printed.
func Programs(root, folder, overlay string, packages ...string) error {
	args := []string{"test", "-c", "-vet=off", "-ldflags=-w", "-overlay=" + overlay, "-o", folder + "/"}
	build := exec.Command("go", append(args, packages...)...)
	build.Dir = root
	out, err := build.CombinedOutput()
	if _, refused := errors.AsType[*exec.ExitError](err); refused {
		return refusal(out)
	}
	return err
}

// Program is the path of a package's test program in the folder into which Programs built it.
func Program(folder, pkg string) string { return filepath.Join(folder, filepath.Base(pkg)+".test") }

// refusal is what the go command prints if it cannot build a program.
type refusal string

func (r refusal) Error() string { return fmt.Sprintf("no program: %s", string(r)) }
