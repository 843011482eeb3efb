package campaign

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

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
	// distrusted is the reason why the folder is not used at all.
	distrusted error
	// used are the IDs that were kept or found, found the ones that were found, useless the ones that were and could not
	// be used.
	used, found, useless map[ID]bool
}

// keptName is the file of something done, in its folder; filesName the folder of its files.
const (
	keptName  = "kept"
	filesName = "files"
)

// keptFor bounds the time that finished work is kept.
const keptFor = 14 * 24 * time.Hour

// OpenUnfinished returns the unfinished work in a folder, which need not exist. A folder that another user
// may have written is not used, as its content becomes results.
func OpenUnfinished(dir string) *Unfinished {
	u := &Unfinished{store: NewStore(dir), used: map[ID]bool{}, found: map[ID]bool{}, useless: map[ID]bool{}}
	u.distrusted = ownFolder(u.store.Dir())
	return u
}

// ownFolder returns the reason why a folder is not a directory of this user that only this user can write to, nil if
// there is none of that name.
func ownFolder(dir string) error {
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return unless(err, fs.ErrNotExist, syscall.ENOTDIR)
	case !info.IsDir():
		return fmt.Errorf("%s is not a directory", dir)
	case !isOwn(info):
		return fmt.Errorf("%s has another owner or others can write to it", dir)
	}
	return nil
}

// Distrusted returns the reason why the folder is not used, nil if it can be.
func (u *Unfinished) Distrusted() error {
	if u == nil {
		return nil
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.distrusted
}

// Find looks for finished work, and fills value with it. Files is the folder of the files that were kept with it.
// Damaged work is not found.
func (u *Unfinished) Find(id ID, value any) (files string, found bool) {
	if u.Distrusted() != nil || u == nil {
		return "", false
	}
	text, sound := u.read(id)
	if !sound {
		return "", false
	}
	decoded := gob.NewDecoder(bytes.NewReader(text)).Decode(value)
	u.mu.Lock()
	defer u.mu.Unlock()
	if decoded != nil {
		u.useless[id] = true
		return "", false
	}
	u.found[id], u.used[id] = true, true
	return filepath.Join(u.store.RunDir(id), filesName), true
}

// read reads the value of finished work, and reports whether it is there and as it was written.
func (u *Unfinished) read(id ID) (text []byte, sound bool) {
	all, err := os.ReadFile(filepath.Join(u.store.RunDir(id), keptName))
	sum, text, _ := bytes.Cut(all, []byte("\n"))
	return text, err == nil && string(sum) == digest(text)
}

// Refuse takes a find back that could not be used.
func (u *Unfinished) Refuse(id ID) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.found, id)
	u.useless[id] = true
}

// Keep keeps something done, with the files that fill puts into a folder; nil for none.
func (u *Unfinished) Keep(id ID, value any, fill func(dir string) error) {
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.opened && !u.refused && u.distrusted == nil {
		u.opened = u.open() == nil
		u.refused = !u.opened
	}
	if u.refused || u.distrusted != nil {
		return
	}
	own, err := u.keep(id, value, fill)
	if err != nil {
		u.refused = true // a full disk, say: what was kept counts
		return
	}
	if own {
		u.used[id] = true
	}
}

// open makes the folder if it is missing, takes old work out of it, and opens a place to write in.
func (u *Unfinished) open() error {
	if err := os.Mkdir(u.store.Dir(), 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if u.distrusted = ownFolder(u.store.Dir()); u.distrusted != nil {
		return u.distrusted
	}
	u.prune(time.Now().Add(-keptFor))
	return u.store.Open()
}

// prune removes work that was kept before a time, by this build of the program or another.
func (u *Unfinished) prune(before time.Time) {
	done, _ := u.store.Done()
	for id := range done {
		dir := u.store.RunDir(id)
		if info, err := os.Lstat(filepath.Join(dir, keptName)); err == nil && info.ModTime().Before(before) && !u.used[id] {
			os.RemoveAll(dir)
			os.Remove(filepath.Dir(dir)) // fails if others are in it
		}
	}
}

func (u *Unfinished) keep(id ID, value any, fill func(dir string) error) (own bool, err error) {
	var text bytes.Buffer
	if err := gob.NewEncoder(&text).Encode(value); err != nil {
		return false, err
	}
	staged, err := u.store.Stage(id)
	if err != nil {
		return false, err
	}
	defer RemoveStaged(staged)
	if err := os.MkdirAll(staged, 0o777); err != nil {
		return false, err
	}
	if fill != nil {
		if err := fill(filepath.Join(staged, filesName)); err != nil {
			return false, err
		}
	}
	content := append([]byte(digest(text.Bytes())+"\n"), text.Bytes()...)
	if err := os.WriteFile(filepath.Join(staged, keptName), content, 0o666); err != nil {
		return false, err
	}
	return u.publish(staged, id)
}

// publish gives a staged folder the name of its ID. What another process, with the same command, has kept there stays
// as it is, as it may be reading that: only damaged or useless work is replaced. That process may end at any time, and
// take its work away.
func (u *Unfinished) publish(staged string, id ID) (own bool, err error) {
	name := u.store.RunDir(id)
	for range 3 {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return false, err
		}
		if err = os.Rename(staged, name); err == nil {
			return true, nil
		}
		if _, sound := u.read(id); sound && !u.useless[id] {
			return false, nil
		}
		if err := os.RemoveAll(name); err != nil {
			return false, err
		}
		delete(u.useless, id)
	}
	return false, err
}

// Close ends the writing, and takes away this command's work if all of it is done. Found is the number of earlier
// results found, kept the number kept for the same command.
func (u *Unfinished) Close(all bool) (found, kept int) {
	if u == nil {
		return 0, 0
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.distrusted != nil {
		return 0, 0
	}
	if all {
		for id := range u.used {
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
		return len(u.found), 0
	}
	return len(u.found), len(u.used)
}

// IDOf names something that is done by this build of the program by all that decides its result: what kind of thing it
// is, and the values that decide it, which must be plain data. An unknown build is an error.
func IDOf(kind string, values ...any) (ID, error) {
	program := build.Read().ID
	if program == build.Unknown {
		return "", fmt.Errorf("no name for a %s: the build of the program is unknown", kind)
	}
	text, err := json.Marshal([]any{kind, program, model.Version, values})
	if err != nil {
		return "", fmt.Errorf("no name for a %s: %w", kind, err)
	}
	return ID(digest(text)), nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
