package pack

import (
	"fmt"
	"strings"
)

// spellings are the names of a pack and of its folders, by their form on a system that ignores case.
type spellings map[string]string

// add takes a name and refuses one that another has but for its capitals: unpacked on such a system,
// one of them would take the other's place.
func (s spellings) add(name string) error {
	for at := range len(name) + 1 {
		if at < len(name) && name[at] != '/' {
			continue
		}
		part := name[:at]
		folded := strings.ToLower(strings.ToUpper(part))
		if other, has := s[folded]; has && other != part {
			return fmt.Errorf("the names %q and %q differ by capitals only: on some systems one would overwrite the other",
				other, part)
		}
		s[folded] = part
	}
	return nil
}
