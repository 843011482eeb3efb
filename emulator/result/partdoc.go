package result

import "github.com/rocelab/rocelab/emulator/attribution"

// PartDoc is the sentence that explains a part of a flow's time, as columns.md has it.
func PartDoc(part attribution.Part) string { return partDocs[part] }
