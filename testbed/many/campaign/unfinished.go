package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/testbed/model"
)

// UnfinishedName is the folder, in the working directory, of what commands have done that were not finished.
const UnfinishedName = "rocelab-unfinished"

// Unfinished keeps a command's finished work until all of it is done, so that the same command resumes after an
// interruption, or after it was killed. It is a convenience: if it cannot be written, the command goes on without.
// Commands share a folder, as its entries are named by their content. Its methods may be called by several goroutines;
// a nil Unfinished keeps nothing.
type Unfinished struct {
	store *Store

	mu sync.Mutex
	// opened is set if the store has a place to write in, refused if it cannot have one.
	opened, refused bool
	// used are the IDs that were kept or found, found is the number of finds.
	used  []ID
	found int
}

// keptName is the file of something done, in its folder; filesName the folder of its files.
const (
	keptName  = "kept"
	filesName = "files"
)

// OpenUnfinished returns the unfinished work in a folder, which need not exist.
func OpenUnfinished(dir string) *Unfinished { return &Unfinished{store: NewStore(dir)} }

// Find looks for finished work, and fills value with it. Files is the folder of the files that were kept with it.
// Damaged work is not found.
func (u *Unfinished) Find(id ID, value any) (files string, found bool) {
	if u == nil {
		return "", false
	}
	dir := u.store.RunDir(id)
	text, err := os.ReadFile(filepath.Join(dir, keptName))
	if err != nil {
		return "", false
	}
	sum, rest, _ := bytes.Cut(text, []byte("\n"))
	if string(sum) != digest(rest) || gob.NewDecoder(bytes.NewReader(rest)).Decode(value) != nil {
		return "", false
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.found++
	u.used = append(u.used, id)
	return filepath.Join(dir, filesName), true
}

// Keep keeps something done, with the files that fill puts into a folder; nil for none.
func (u *Unfinished) Keep(id ID, value any, fill func(dir string) error) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.opened && !u.refused {
		u.opened = u.store.Open() == nil
		u.refused = !u.opened
	}
	if u.refused {
		return
	}
	if err := u.keep(id, value, fill); err != nil {
		u.refused = true // a full disk, say: what was kept counts
		return
	}
	u.used = append(u.used, id)
}

func (u *Unfinished) keep(id ID, value any, fill func(dir string) error) error {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(value); err != nil {
		return err
	}
	staged, err := u.store.Stage(id)
	if err != nil {
		return err
	}
	defer RemoveStaged(staged)
	if err := os.MkdirAll(staged, 0o777); err != nil {
		return err
	}
	if fill != nil {
		if err := fill(filepath.Join(staged, filesName)); err != nil {
			return err
		}
	}
	content := append([]byte(digest(text.Bytes())+"\n"), text.Bytes()...)
	if err := os.WriteFile(filepath.Join(staged, keptName), content, 0o666); err != nil {
		return err
	}
	name := u.store.RunDir(id)
	if err := os.RemoveAll(name); err != nil { // damaged, or another process did the same
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.Rename(staged, name)
}

// Close ends the writing, and takes away this command's work if all of it is done. Found is the number of earlier
// results found, kept the number kept for the same command.
func (u *Unfinished) Close(all bool) (found, kept int) {
	if u == nil {
		return 0, 0
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if all {
		for _, id := range u.used {
			os.RemoveAll(u.store.RunDir(id))
			os.Remove(filepath.Dir(u.store.RunDir(id))) // fails if others are in it
		}
	}
	u.store.Close()
	u.opened = false
	if all {
		for _, empty := range []string{"runs", "part", "."} {
			os.Remove(filepath.Join(u.store.Dir(), empty)) // fails if something is in it
		}
	}
	if all {
		return u.found, 0
	}
	return u.found, len(u.used)
}

// IDOf names something that is done by this build of the program by all that decides its result: what kind of thing it
// is, and the values that decide it, which must be plain data.
func IDOf(kind string, values ...any) (ID, error) {
	text, err := json.Marshal([]any{kind, build.Read().ID, model.Version, values})
	if err != nil {
		return "", fmt.Errorf("no name for a %s: %w", kind, err)
	}
	return ID(digest(text)), nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
