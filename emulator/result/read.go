package result

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/rocelab/rocelab/internal/textfile"
)

// MaxJSON is the largest file of JSON of a run folder that is read. Unit: bytes.
const MaxJSON = 64 << 20

// ErrNoManifest is the error for a folder that is not a run folder, or whose run was killed.
var ErrNoManifest = errors.New("has no " + manifestName + ": it is not a run folder, or its run was killed")

// ReadManifest reads the manifest of a run folder. It refuses a folder of another layout; its error is ErrNoManifest if
// the manifest is missing.
func ReadManifest(folder fs.FS) (*Manifest, error) {
	manifest := &Manifest{}
	err := readFormat(folder, manifestName, manifest, &manifest.Format)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoManifest
	}
	if err != nil {
		return nil, err
	}
	return manifest, nil
}

// ListNames are the names of the files that list the others of a run folder: the manifest's and the host's.
func ListNames() []string { return []string{manifestName, hostName} }

// ReadHost reads the host's part of a run folder. It refuses a folder of another layout.
func ReadHost(folder fs.FS) (*Host, error) {
	host := &Host{}
	err := readFormat(folder, hostName, host, &host.Format)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missing(hostName)
	}
	if err != nil {
		return nil, err
	}
	return host, nil
}

// missing is a file that a run folder had. It is fs.ErrNotExist.
type missing string

func (m missing) Error() string {
	return string(m) + " is missing: it was removed, or not all of the folder was copied"
}

func (m missing) Is(target error) bool { return target == fs.ErrNotExist }

// readFormat reads a file of JSON that names its format.
func readFormat(folder fs.FS, name string, into any, format *int) error {
	text, err := textfile.ReadRegular(folder, name, MaxJSON)
	if err != nil {
		return err
	}
	// The format comes first: of another one the rest may not fit.
	var its struct {
		Format int `json:"format"`
	}
	if err := json.Unmarshal(text, &its); err != nil {
		return damaged(name, text, err)
	}
	if its.Format != Format {
		return fmt.Errorf("%s is of format %d, and this rocelab reads format %d: run the resolved.yaml beside it "+
			"again, or use the rocelab that the manifest names", name, its.Format, Format)
	}
	if err := json.Unmarshal(text, into); err != nil {
		return damaged(name, text, err)
	}
	return nil
}

// damaged describes the damage of a file of JSON and its position.
func damaged(name string, text []byte, err error) error {
	if line, column := textfile.PlaceOfJSON(text, err); line > 0 {
		name = fmt.Sprintf("%s:%d:%d", name, line, column)
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s is damaged: %s is of type %s", name, cmp.Or(wrong.Field, "all of it"), wrong.Value)
	}
	return fmt.Errorf("%s is damaged: %w", name, err)
}

// Check reads all files of a run folder and compares their digests: the manifest and the host's files with host.json,
// and all others with the manifest. The error names each file that is missing or was changed. A file that neither lists
// does not belong to the run.
func Check(folder fs.FS) error {
	manifest, err := ReadManifest(folder)
	if err != nil {
		return err
	}
	host, err := ReadHost(folder)
	if err != nil {
		return err
	}
	wrong := []error{checkFile(folder, FileSum{manifestName, host.Manifest})}
	for _, file := range append(manifest.Files, host.Files...) {
		wrong = append(wrong, checkFile(folder, file))
	}
	return errors.Join(wrong...)
}

// CheckHandedOn is Check for a folder that was handed on, from which the host's part, host.json and the files that it
// lists, may have been left out.
func CheckHandedOn(folder fs.FS) error {
	if _, err := fs.Stat(folder, hostName); err == nil {
		return Check(folder)
	}
	manifest, err := ReadManifest(folder)
	if err != nil {
		return err
	}
	var wrong []error
	for _, file := range manifest.Files {
		wrong = append(wrong, checkFile(folder, file))
	}
	return errors.Join(wrong...)
}

// checkFile holds a file to its digest.
func checkFile(folder fs.FS, want FileSum) error {
	file, err := textfile.OpenRegular(folder, want.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return missing(want.Name)
	}
	if err != nil {
		return err
	}
	defer file.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return fmt.Errorf("%s: %w", want.Name, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want.SHA256 {
		return fmt.Errorf("%s was changed: its SHA-256 is %s, and was %s", want.Name, got, want.SHA256)
	}
	return nil
}
