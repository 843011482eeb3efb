package edge

import (
	"errors"
	"fmt"

	"github.com/rocelab/rocelab/emulator/fabric"
	"github.com/rocelab/rocelab/emulator/profile"
	"github.com/rocelab/rocelab/emulator/record"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Config is all that an Edge is made from.
type Config struct {
	// Name names the edge's stream of chance. Unique in a fabric.
	Name string
	// Seed is the run's seed.
	Seed uint64
	// Attachment is the link.
	Attachment fabric.Attachment
	// Queue is the largest volume that waits for the link, in bytes without FCS, preamble and gap; a frame without room
	// is dropped. Range: above 0.
	Queue unit.Bytes
	// PFCHere makes the NIC queue obey pauses. ClassOf gives the class of a frame by its DSCP; frames other than IP
	// have the class of DSCP 0. Range: below profile.Classes.
	PFCHere bool
	ClassOf [64]uint8
	// DropCNPs has CNPs from outside dropped before they take room in the NIC queue, as by an ACL.
	DropCNPs bool
	// Flows are the fabric's: what comes in that poses as a frame of one of them is counted for it.
	Flows []Flow
	// Carried are the flows that end at a stack behind the edge, on connections with a NIC.
	Carried []Carried `json:",omitempty"`
	// Grid has the bins in which the port is recorded; zero if it is not.
	Grid record.Grid
}

// check joins every problem of c.
func (c *Config) check() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for _, channel := range []fabric.Channel{c.Attachment.Tx, c.Attachment.Rx} {
		if channel.Rate <= 0 || channel.Latency <= 0 {
			bad("a link of %v and %v: both must be above 0", channel.Rate, channel.Latency)
		}
	}
	if c.Queue <= 0 {
		bad("a NIC queue of %v: must be above 0", c.Queue)
	}
	for dscp, class := range c.ClassOf {
		if int(class) >= profile.Classes {
			bad("DSCP %d has class %d: allowed are 0 to %d", dscp, class, profile.Classes-1)
		}
	}
	return errors.Join(errs...)
}
