package shipped

import "github.com/rocelab/rocelab/plugins/cc"

// Find returns the algorithm of that name that is built into this program.
func Find(name string) (cc.Algorithm, bool) {
	for _, a := range All() {
		if a.Describe().Name == name {
			return a, true
		}
	}
	return nil, false
}
