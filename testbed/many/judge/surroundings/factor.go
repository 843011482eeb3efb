package surroundings

import (
	"slices"
	"strings"
	"time"
)

// Factors are the differences from this process's own surroundings.
type Factors uint8

const (
	// Day: the time of day is that of another year, month, weekday and hour.
	Day Factors = 1 << iota
	// Processors: the program may use another number of processors: one, or all of the
	// host where this process has one.
	Processors
	// Environment: variables that no program needs to run are missing or others.
	Environment
	// Addresses: memory is mapped from the bottom up, at places that chance has no
	// part in (personality(2), ADDR_COMPAT_LAYOUT and ADDR_NO_RANDOMIZE).
	Addresses

	// All of them.
	All = Day | Processors | Environment | Addresses
)

// names of the factors, as a program's dependence on one is described.
var names = []struct {
	factor Factors
	name   string
}{
	{Day, "the day and the time of day"},
	{Processors, "the number of processors"},
	{Environment, "variables of the environment"},
	{Addresses, "addresses in memory"},
}

// Each returns the factors one by one.
func (f Factors) Each() (list []Factors) {
	for _, n := range names {
		if f&n.factor != 0 {
			list = append(list, n.factor)
		}
	}
	return list
}

// String names the factors.
func (f Factors) String() string {
	var list []string
	for _, n := range names {
		if f&n.factor != 0 {
			list = append(list, n.name)
		}
	}
	return strings.Join(list, " and ")
}

// away is the distance of the other day: in a year and a month, on the next weekday but one, in another half of the
// day.
const away = (365+31+5)*24*time.Hour + 13*time.Hour + 7*time.Minute

// kept are variables that a program may need to start at all: the places of its interpreter and libraries, and
// rocelab's own.
var kept = []string{"PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV",
	"ROCELAB_PLUGIN"}

// others take the place of the dropped variables.
var others = []string{"LANG=tr_TR.UTF-8", "LC_ALL=C", "TZ=Pacific/Kiritimati", "USER=somebody", "LOGNAME=somebody",
	"HOSTNAME=elsewhere", "PYTHONHASHSEED=7"}

// Environ returns the environment of the program: env, in other surroundings with
// other variables.
func (f Factors) Environ(env []string) []string {
	if f&Environment == 0 {
		return env
	}
	list := slices.Clone(others)
	for _, v := range env {
		if name, _, _ := strings.Cut(v, "="); slices.Contains(kept, name) {
			list = append(list, v)
		}
	}
	return list
}
