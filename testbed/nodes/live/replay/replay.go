package replay

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rocelab/rocelab/edge/journal"
	"github.com/rocelab/rocelab/emulator/plan"
	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/testbed/model"
)

// Replay has the frames that came in at the edges of a run that is to be replayed.
type Replay struct {
	// run is the run as the manifest of its folder lists it, models the version of its models.
	run    result.RunID
	models int
	folder string

	end     unit.Time
	readers map[string]*journal.Reader
	files   []*os.File
}

// Open finds the journals of a run of p in a run folder, by its variant and seed, and checks each of them whole. It
// fails if one is missing, damaged or of another run. Close it.
func Open(folder string, p *plan.Plan) (*Replay, error) {
	manifest, err := result.ReadManifest(os.DirFS(folder))
	if errors.Is(err, result.ErrNoManifest) {
		return nil, fmt.Errorf("%s %w", folder, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	run, err := find(folder, manifest, p)
	if err != nil {
		return nil, err
	}
	r := &Replay{run: run, models: manifest.Models, folder: folder, readers: map[string]*journal.Reader{}}
	digest := p.Digest()
	for _, i := range p.Edges() {
		if err := r.open(p, p.Devices[i].Name, digest, manifest); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

// find returns the run of p's variant and seed.
func find(folder string, manifest *result.Manifest, p *plan.Plan) (result.RunID, error) {
	variant := result.VariantOf(p)
	var variants, seeds []string
	for _, run := range manifest.Runs {
		if run.Variant == variant && run.Seed == p.Seed {
			return run, nil
		}
		if run.Variant == variant {
			seeds = append(seeds, fmt.Sprint(run.Seed))
		}
		if !slices.Contains(variants, run.Variant) {
			variants = append(variants, run.Variant)
		}
	}
	if len(seeds) > 0 {
		return result.RunID{}, fmt.Errorf("%s has no run of %s with seed %d: it has seed %s, so give --seed %[5]s",
			folder, variant, p.Seed, strings.Join(seeds, ", "), seeds[0])
	}
	return result.RunID{}, fmt.Errorf("%s has no run of %s: it has %s", folder, variant, strings.Join(variants, ", "))
}

// open opens the journal of an edge.
func (r *Replay) open(p *plan.Plan, edge, digest string, manifest *result.Manifest) error {
	name := filepath.Join(r.folder, filepath.FromSlash(r.run.Folder), filepath.FromSlash(path(edge)))
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("edge %s: there is no journal %s: that run was not live, or kept none", edge, name)
	}
	if err != nil {
		return fmt.Errorf("edge %s: %w", edge, err)
	}
	r.files = append(r.files, file)
	reader, err := journal.Open(name, file)
	if err != nil {
		return fmt.Errorf("edge %s: %w", edge, err)
	}
	header, footer := reader.Header(), reader.Footer()
	switch {
	case header.Edge != edge:
		return fmt.Errorf("journal %s belongs to edge %s, not to %s", name, header.Edge, edge)
	case header.Seed != p.Seed:
		return fmt.Errorf("journal %s belongs to a run with seed %d, this one has %d: give --seed "+
			"%d", name, header.Seed, p.Seed,
			header.Seed)
	case header.Digest != digest:
		return fmt.Errorf("journal %s belongs to another scenario: the inputs that decide a run differ%s. The "+
			"scenario of that run is %s", name, overrides(manifest), filepath.Join(r.folder, "resolved.yaml"))
	case footer.Full:
		return fmt.Errorf("journal %s is not of the whole run: it was full at its limit. A run with a larger --journal "+
			"can be replayed", name)
	case len(r.readers) > 0 && footer.End != r.end:
		return fmt.Errorf("journal %s ends at %v, another of the folder at %v: they belong to two "+
			"runs", name, footer.End, r.end)
	}
	r.readers[edge], r.end = reader, footer.End
	return nil
}

// overrides lists the values of the scenario that flags changed in that run.
func overrides(manifest *result.Manifest) string {
	var list []string
	for path, value := range manifest.Overrides {
		list = append(list, path+"="+value)
	}
	if len(list) == 0 {
		return ""
	}
	slices.Sort(list)
	return " (that run had --set " + strings.Join(list, " --set ") + ")"
}

// Reader returns what came in at an edge, nil for one that the plan does not have. It is
// for mem.Options.
func (r *Replay) Reader(edge string) *journal.Reader { return r.readers[edge] }

// Remark reports whether a trace equals the replayed run's. Unlike is the same for a trace that should be equal and is
// not, "" for any other: models of another version may differ.
func (r *Replay) Remark(trace uint64) (remark, unlike string) {
	place := filepath.Join(r.folder, filepath.FromSlash(r.run.Folder))
	got := fmt.Sprintf("%016x", trace)
	switch {
	case got == r.run.Trace:
		return fmt.Sprintf("the replay of %s has the trace of the run", place), ""
	case r.models == model.Version:
		return "", fmt.Sprintf("the replay of %s has the trace %s, not that of the run, %s, though the models are the same",
			place, got, r.run.Trace)
	}
	return fmt.Sprintf("the replay of %s has the trace %s, not that of the run, %s, whose models are of version %d; "+
		"these are of version %d", place, got, r.run.Trace, r.models, model.Version), ""
}

// Close closes the journals.
func (r *Replay) Close() (err error) {
	for _, file := range r.files {
		err = errors.Join(err, file.Close())
	}
	return err
}
