package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// ID names a run by its content: the SHA-256, in hex, of all that decides its result.
type ID string

// Check refuses a malformed ID: it becomes part of a path.
func (id ID) Check() error {
	sum, err := hex.DecodeString(string(id))
	if err != nil || len(sum) != sha256.Size || hex.EncodeToString(sum) != string(id) {
		return fmt.Errorf("%q is not a name of a run, which has 64 hexadecimal digits", string(id))
	}
	return nil
}

// Short returns the part of an ID to show if the rest is of no use.
func (id ID) Short() string { return string(id[:min(12, len(id))]) }
