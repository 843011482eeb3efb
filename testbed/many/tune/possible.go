package tune

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rocelab/rocelab/emulator/scenario"
)

// Impossible are candidates that a scenario refuses, such as one with kmin above kmax.
type Impossible struct {
	// Names are theirs, in the order of the search, of Among candidates.
	Names []string
	Among int
	// Err is the reason why the first is refused, with the pattern.
	Err error
}

func (e *Impossible) Error() string {
	return fmt.Sprintf("%d of %d combinations are impossible, the first is %s: %v",
		len(e.Names), e.Among, e.Names[0], e.Err)
}

// Skipped is the note on a search that left them out.
func (e *Impossible) Skipped() string {
	const most = 5
	names, more := e.Names, ""
	if len(names) > most {
		names, more = names[:most], fmt.Sprintf("; and %d more", len(names)-most)
	}
	text := fmt.Sprintf("%d of %d combinations are impossible and were left out: ", len(e.Names), e.Among)
	for i, name := range names {
		if i > 0 {
			text += "; "
		}
		text += name
	}
	return text + more
}

// Possible takes the candidates that a pattern refuses out of the search, and returns them, nil if there are none. The
// error is *Impossible for a search that keeps none, or an error that is not a candidate's fault.
func (s *Search) Possible() (*Impossible, error) {
	out := &Impossible{Among: len(s.Candidates)}
	var kept []Candidate
	for i := range s.Candidates {
		c := &s.Candidates[i]
		err := s.refusal(c)
		var problems scenario.Errors
		switch {
		case err == nil:
			kept = append(kept, *c)
			continue
		case !errors.As(err, &problems):
			return nil, err
		case out.Err == nil:
			out.Err = err
		}
		out.Names = append(out.Names, c.Name)
	}
	switch {
	case out.Err == nil:
		return nil, nil
	case len(kept) == 0:
		return nil, out
	}
	s.Candidates = kept
	return out, nil
}

// refusal returns the reason why a pattern refuses a candidate, nil if none does.
func (s *Search) refusal(c *Candidate) error {
	for _, p := range slices.Concat(s.Patterns, s.Unseen) {
		if _, err := p.id(c, s.Seeds[0]); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
	}
	return nil
}
