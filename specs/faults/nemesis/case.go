//go:build linux

package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"
)

// Case is a command that is disturbed once. The seed and the index choose all of
// it.
type Case struct {
	Seed  uint64
	Index int
	// Fault is the name of a Fault.
	Fault string
	// Form is the command that is disturbed: a run of its own on containers
	// ("alone"), a run on a deployed testbed ("deployed"), "deploy", "destroy",
	// a run in memory ("mem"), or one of verbs.
	Form string
	// Hosts of the star; all but one send Size to the last.
	Hosts int
	Size  string
	// Algorithm is "builtin", "go" (a process) or "python" (a process, only in memory).
	Algorithm string
	Daemons   string
	Runtime   string
	// On is the clock of a run on containers: "veth" for none, "live" for the wall clock.
	On string
	// Under is the file system of all folders of the case.
	Under string
	// Phase is the state that is waited for, and Delay how long from there.
	Phase string
	Delay time.Duration
	// Pick chooses the target among the available ones, and other details.
	Pick uint64
}

// choose returns the case of that number. Each fault has its turn before any has
// a second one.
func choose(seed uint64, index int, faults []Fault) *Case {
	round := rand.New(rand.NewPCG(seed, uint64(index/len(faults))))
	fault := &faults[round.Perm(len(faults))[index%len(faults)]]
	chance := rand.New(rand.NewPCG(seed, 1<<32+uint64(index)))
	for {
		c := &Case{Seed: seed, Index: index, Fault: fault.Name}
		c.draw(chance)
		if fault.fits(c) {
			return c
		}
	}
}

// forms lists the forms, as often as they are to come.
var forms = append(strings.Fields("alone alone alone alone alone alone deployed deployed deployed deploy deploy "+
	"destroy destroy mem mem"), verbs...)

// draw draws all but the fault.
func (c *Case) draw(chance *rand.Rand) {
	one := func(list ...string) string { return list[chance.IntN(len(list))] }
	c.Form = one(forms...)
	c.Hosts = 3 + chance.IntN(2)
	c.Size = one("300KB", "5MB", "20MB")
	c.Daemons = one("server", "server", "node", "pool")
	c.Runtime = one("builtin", "builtin", "runc")
	c.Algorithm = one("builtin", "go")
	if c.Form == "mem" {
		c.Algorithm = one("go", "go", "python")
	}
	if c.isVerb() {
		c.Algorithm = "builtin"
	}
	if c.Algorithm == "python" { // which is slow
		c.Size = one("300KB", "1MB")
	}
	c.Phase = one(phasesOf(c.Form)...)
	c.Delay = time.Duration(chance.Int64N(1+int64([]time.Duration{0, 2, 20, 200, 800}[chance.IntN(5)]))) *
		time.Millisecond
	c.Pick = chance.Uint64()
	c.On = one("veth", "veth", "veth", "live")
	c.Under = one(underDisk, underTmpfs, underOverlay)
	switch {
	case c.Phase == phaseStage:
		c.Delay = 0 // it takes a moment
	case c.Phase == phaseRun && c.Delay > 20*time.Millisecond:
		c.Size = "20MB" // it is to last
	}
}

// onContainers reports whether the case takes place on containers.
func (c *Case) onContainers() bool { return c.Form == "capture" || c.Form != "mem" && !c.isVerb() }

// runs reports whether the disturbed command is a run.
func (c *Case) runs() bool { return c.Form == "alone" || c.Form == "deployed" || c.Form == "mem" }

// plugged reports whether algorithms are programs of their own.
func (c *Case) plugged() bool { return c.Algorithm != "builtin" }

// settings are the parameters that --set changes.
func (c *Case) settings() map[string]*string {
	return map[string]*string{
		"form":      &c.Form,
		"size":      &c.Size,
		"algorithm": &c.Algorithm,
		"daemons":   &c.Daemons,
		"runtime":   &c.Runtime,
		"on":        &c.On,
		"under":     &c.Under,
		"phase":     &c.Phase,
		"fault":     &c.Fault,
	}
}

// set changes parameters, given as key=value,key=value.
func (c *Case) set(text string) error {
	for _, part := range strings.Split(text, ",") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		var err error
		switch target := c.settings()[key]; {
		case target != nil:
			*target = value
		case key == "hosts":
			c.Hosts, err = strconv.Atoi(value)
		case key == "delay":
			c.Delay, err = time.ParseDuration(value)
		default:
			err = errors.New("there are form, hosts, size, algorithm, daemons, runtime, on, under, phase, delay, fault")
		}
		if err != nil {
			return fmt.Errorf("--set %s: %w", part, err)
		}
	}
	return nil
}

// differences are the arguments of set that turn the chosen case into c.
func (c *Case) differences(chosen *Case) string {
	var list []string
	for _, key := range strings.Fields("fault form size algorithm daemons runtime on under phase") {
		if now := *c.settings()[key]; now != *chosen.settings()[key] {
			list = append(list, key+"="+now)
		}
	}
	if c.Hosts != chosen.Hosts {
		list = append(list, fmt.Sprintf("hosts=%d", c.Hosts))
	}
	if c.Delay != chosen.Delay {
		list = append(list, fmt.Sprintf("delay=%v", c.Delay))
	}
	return strings.Join(list, ",")
}

// command is the command line that repeats the case.
func (c *Case) command(faults []Fault) string {
	line := fmt.Sprintf("go run ./specs/faults/nemesis --only %d/%d", c.Seed, c.Index)
	if set := c.differences(choose(c.Seed, c.Index, faults)); set != "" {
		line += " --set " + set
	}
	return line
}

// String describes the case.
func (c *Case) String() string {
	return fmt.Sprintf("%s; %s, star of %d, %s, %s, %s, %s, %s, on %s; %v after %s", c.Fault, c.Form, c.Hosts,
		c.Size, c.Algorithm, c.Daemons, c.Runtime, c.On, c.Under, c.Delay, c.Phase)
}

// scenario is the file that is run.
func (c *Case) scenario() string {
	name := "dcqcn"
	if c.Algorithm == "python" {
		name = pythonPlugin
	}
	return fmt.Sprintf("name: nemesis\ntopology: {kind: star, hosts: %d}\ntraffic:\n  - {name: incast, kind: incast, "+
		"size: %s}\nalgorithm: %s\n", c.Hosts, c.Size, name)
}

// pythonPlugin is the algorithm in Python, as `rocelab algorithm new` writes it.
const pythonPlugin = "snake"

// flags returns the flags of the commands that read the scenario.
func (c *Case) flags(snake string) (list []string) {
	switch c.Algorithm {
	case "go":
		list = []string{"--run-as", "process"}
	case "python":
		list = []string{"--plugin-dir", snake + "/" + pythonPlugin}
	}
	return list
}
