package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/scenario"
	"github.com/rocelab/rocelab/testbed/many/campaign"
)

// Algorithm identifies one that a run uses.
type Algorithm struct {
	Name string `json:"name"`
	// Version is a shipped algorithm's. For another Program is the SHA-256, and Files are the digests of the files that
	// it reports.
	Version string            `json:"version,omitempty"`
	Program string            `json:"program,omitempty"`
	Files   map[string]string `json:"files,omitempty"`
	// Params are the values of the given parameters, each in one form for all ways to write it; for a value that is a
	// file its digest.
	Params map[string]string `json:"params"`
}

// Identify identifies a plan's algorithm.
type Identify func(*plan.Algorithm) (Algorithm, error)

// content is the input of an ID's digest. A change of its layout gives every run another name.
type content struct {
	Models     int         `json:"models"`
	Seed       uint64      `json:"seed"`
	Scenario   string      `json:"scenario"`
	Algorithms []Algorithm `json:"algorithms"`
}

// identity makes the IDs of runs that differ only in their seeds.
func identity(form *scenario.Form, models int, identify Identify) (func(seed uint64) campaign.ID, error) {
	of := content{Models: models, Scenario: string(form.Text)}
	for _, a := range form.Algorithms {
		identified, err := identify(a)
		if err != nil {
			return nil, err
		}
		of.Algorithms = append(of.Algorithms, identified)
	}
	return func(seed uint64) campaign.ID {
		of.Seed = seed
		text, err := json.Marshal(&of)
		if err != nil {
			panic(err) // texts and numbers always encode
		}
		sum := sha256.Sum256(text)
		return campaign.ID(hex.EncodeToString(sum[:]))
	}, nil
}
