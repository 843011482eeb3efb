package diff

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/rocelab/rocelab/internal/build"
	"github.com/rocelab/rocelab/plugins/cc/unit"
)

// Half is a run that is made again, and asked. Its answers are another program's: they are believed as far as they
// are printed.
type Half struct {
	questions *json.Encoder
	answers   *json.Decoder
	// Build and Models describe the program that runs it.
	Build  build.Info
	Models int

	last answer // about the chunk
	// done is set if the run was over before this chunk.
	done bool
	// Instants are the hashes of the run at its instants, after End.
	Instants map[unit.Time]uint64
}

// Ask begins a conversation with a half, which Serve serves.
func Ask(to io.Writer, from io.Reader) (*Half, error) {
	h := &Half{questions: json.NewEncoder(to), answers: json.NewDecoder(from)}
	first, err := h.listen()
	if err != nil {
		return nil, err
	}
	if first.Build != nil {
		h.Build = *first.Build
	}
	h.Models = first.Models
	return h, nil
}

func (h *Half) ask(q question) error { return h.questions.Encode(q) }

func (h *Half) listen() (a answer, err error) {
	if err := h.answers.Decode(&a); err != nil {
		if errors.Is(err, io.EOF) {
			return a, errors.New("it ended without an answer")
		}
		return a, fmt.Errorf("its answer: %w", err)
	}
	if a.Error != "" {
		return a, errors.New(a.Error)
	}
	return a, nil
}

// frames asks for frames.
func (h *Half) frames(q question) ([]Frame, error) {
	if err := h.ask(q); err != nil {
		return nil, err
	}
	a, err := h.listen()
	return a.Frames, err
}

// end ends the run, and reads its instants.
func (h *Half) end() error {
	if !h.last.Over {
		if err := h.ask(question{Want: wantEnd}); err != nil {
			return err
		}
	} else if err := h.ask(question{Want: wantNext}); err != nil {
		return err
	}
	a, err := h.listen()
	h.Instants = map[unit.Time]uint64{}
	for _, at := range a.Instants {
		h.Instants[at.At] = at.Trace
	}
	return err
}

// Search makes two halves run until they part, and returns the first frame that differs; nil if no frame does before
// the span's end. Order ranks the nodes, for simultaneous events. An error names the side.
func Search(a, b *Half, span Span, order map[string]int) (*First, error) {
	s := &search{sides: [2]*Half{a, b}, order: order}
	for {
		if err := s.next(); err != nil {
			return nil, err
		}
		if s.found == nil {
			if err := s.compare(); err != nil {
				return nil, err
			}
		} else if err := s.follow(); err != nil {
			return nil, err
		}
		over := a.last.Over && b.last.Over
		if reached := a.last.To >= span.To && b.last.To >= span.To; over || reached {
			break
		}
	}
	for i, h := range s.sides {
		if err := h.end(); err != nil {
			return nil, ofSide(i, err)
		}
	}
	return s.found, nil
}

// ofSide adds the side to an error.
func ofSide(side int, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", [2]string{"A", "B"}[side], err)
}

// search is two halves and the result.
type search struct {
	sides [2]*Half
	order map[string]int
	found *First
}

// next makes both run to the end of the next chunk, at the same time. One that is over stays where it is.
func (s *search) next() error {
	var asked [2]bool
	for i, h := range s.sides {
		if h.last.Over {
			h.done, h.last.Sums = true, nil
			continue
		}
		asked[i] = true
		if err := h.ask(question{Want: wantNext}); err != nil {
			return ofSide(i, err)
		}
	}
	for i, h := range s.sides {
		if !asked[i] {
			continue
		}
		was := h.last.To
		a, err := h.listen()
		if err == nil && !a.Over && a.To <= was {
			err = errors.New("its chunks do not go on")
		}
		if err != nil {
			return ofSide(i, err)
		}
		h.last = a
	}
	return nil
}

// compare looks for the first frame that differs in the chunk.
func (s *search) compare() error {
	a, b := s.sides[0].last.Sums, s.sides[1].last.Sums
	nodes := maps.Clone(a)
	if nodes == nil {
		nodes = maps.Clone(b)
	}
	maps.Copy(nodes, b)
	for _, node := range slices.Sorted(maps.Keys(nodes)) {
		if a[node] == b[node] {
			continue
		}
		lists, err := s.tell(node)
		if err != nil {
			return err
		}
		if first := firstOfNode(lists[0], lists[1]); first != nil && (s.found == nil || s.sooner(first, s.found)) {
			s.found = first
		}
	}
	if s.found == nil {
		return nil
	}
	from := 0 // before it both did the same
	if s.sides[0].done {
		from = 1
	}
	before, err := s.sides[from].frames(question{Want: wantBefore, Node: s.found.Node, Port: s.found.Port})
	if err != nil {
		return ofSide(from, err)
	}
	lists, err := s.tell(s.found.Node)
	if err != nil {
		return err
	}
	s.found.Before = before
	s.around(lists, from)
	return nil
}

// tell asks both sides for a node's frames in the chunk.
func (s *search) tell(node string) (lists [2][]Frame, err error) {
	for i, h := range s.sides {
		if h.done {
			continue
		}
		if lists[i], err = h.frames(question{Want: wantTell, Node: node}); err != nil {
			return lists, ofSide(i, err)
		}
	}
	return lists, nil
}

// sooner orders by time, node and port.
func (s *search) sooner(a, b *First) bool {
	return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(s.order[a.Node], s.order[b.Node]), cmp.Compare(a.Port, b.Port)) < 0
}

// around adds what of a chunk is around the first frame: what a side did at its port after it, and what the side from
// did before.
func (s *search) around(lists [2][]Frame, from int) {
	f := s.found
	for i := range lists {
		own := [2]*Frame{f.A, f.B}[i]
		after := [2]*[]Frame{&f.AfterA, &f.AfterB}[i]
		met := false // the frame itself
		for _, frame := range lists[i] {
			switch {
			case frame.Port != f.Port:
			case frame.At < f.At || frame.At == f.At && own != nil && !met && !frame.same(own):
				if i == from {
					f.Before = append(f.Before, frame)
				}
			case own != nil && !met && frame.same(own):
				met = true
			case len(*after) < contextFrames:
				*after = append(*after, frame)
			}
		}
	}
	f.Before = f.Before[max(0, len(f.Before)-contextFrames):]
}

// follow adds what came at the port of the first frame in later chunks.
func (s *search) follow() error {
	f := s.found
	for i, h := range s.sides {
		after := [2]*[]Frame{&f.AfterA, &f.AfterB}[i]
		if _, did := h.last.Sums[f.Node]; !did || len(*after) >= contextFrames {
			continue
		}
		list, err := h.frames(question{Want: wantTell, Node: f.Node})
		if err != nil {
			return ofSide(i, err)
		}
		for _, frame := range list {
			if frame.Port == f.Port && len(*after) < contextFrames {
				*after = append(*after, frame)
			}
		}
	}
	return nil
}
