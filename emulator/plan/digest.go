package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
)

// Digest is the SHA-256 of everything that determines a run of p, except for its seed and the frames that come in at
// its edges: not of names of variants, expectations, additional recordings, or the outside of edges.
func (p *Plan) Digest() string {
	plain := *p
	plain.Name, plain.Fabric, plain.Seed, plain.Expect = "", "", 0, Expect{}
	plain.Record = Record{}
	plain.Links = slices.Clone(p.Links)
	for i := range plain.Links {
		plain.Links[i].Line = 0
	}
	plain.Devices = slices.Clone(p.Devices)
	for _, i := range p.Edges() {
		if edge := p.EdgeAt(i); edge != nil {
			plain.Devices[i].Config = Edge{
				MTU:      edge.MTU,
				Queue:    edge.Queue,
				PFCHere:  edge.PFCHere,
				DropCNPs: edge.DropCNPs,
				IP:       edge.IP,
			}
		}
	}
	text, err := json.Marshal(&plain)
	if err != nil { // plans are plain data
		panic(fmt.Sprintf("plan: no digest: %v", err))
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
