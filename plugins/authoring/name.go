package authoring

import (
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
)

var namePattern = regexp.MustCompile(`^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$`)

// devices are file names that Go refuses on any system.
var devices = []string{"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6",
	"com7", "com8", "com9",
	"lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}

// CheckName refuses what cannot be the name of an algorithm, or is one of those
// taken.
func CheckName(name string, taken []string) error {
	switch {
	case !namePattern.MatchString(name):
		return fmt.Errorf("%q cannot be the name of an algorithm: allowed are up to 40 lower-case letters, digits and "+
			"dashes, a letter first and no dash last", name)
	case slices.Contains(devices, name):
		return fmt.Errorf("%q cannot be the name of an algorithm: Go builds no package of that name, a device of Windows",
			name)
	case slices.Contains(taken, name):
		return fmt.Errorf("%s is an algorithm that comes with rocelab: choose another name", name)
	}
	return nil
}

// packageName is a name as a Go package can have it.
func packageName(name string) string {
	p := strings.ReplaceAll(name, "-", "")
	if token.IsKeyword(p) || p == "main" {
		p += "cc"
	}
	return p
}
