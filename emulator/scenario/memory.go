package scenario

import "github.com/rocelab/rocelab/emulator/profile"

// checkMemory refuses a switch whose buffer is larger than the memory of its chip: the buffer is the shared part and
// all reserves and headrooms of its ports together.
func (b *builder) checkMemory(settings *profile.Switch, written []*node) {
	chip := profile.ChipNamed(settings.Chip)
	if chip == nil || settings.Buffer <= chip.Buffer.Value {
		return
	}
	for i := len(written) - 1; i >= 0; i-- {
		if written[i].Child("buffer") == nil {
			continue
		}
		b.add(written[i].Where("buffer"), "buffer is %v, and the packet memory of %s is %v (%s: %s): the shared "+
			"buffer with all reserves and headrooms must fit into that, or use a switch without a "+
			"profile", settings.Buffer,
			chip.Title, chip.Buffer.Value, chip.Buffer.Evidence, chip.Buffer.Source)
		return
	}
}
