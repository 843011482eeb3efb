package campaign

import (
	"errors"
	"time"

	"github.com/rocelab/rocelab/internal/exit"
)

// Making makes results of a store's runs, and logs the tries. Its methods may be called by several goroutines.
type Making struct {
	store *Store
	log   *log
}

// Begin opens the store, and a log. Errors of a Making are those of the host, or of the function that makes a run.
func (s *Store) Begin() (*Making, error) {
	if err := s.Open(); err != nil {
		return nil, exit.Host(err)
	}
	tries, err := s.openLog()
	if err != nil {
		return nil, exit.Host(errors.Join(err, s.Close()))
	}
	return &Making{s, tries}, nil
}

// End closes the store and the log.
func (m *Making) End() error { return exit.Host(errors.Join(m.log.close(), m.store.Close())) }

// Missing returns the places of the runs that are not done, among IDs, each ID once. An invalid result under a run's
// name is set aside, which say is told.
func (s *Store) Missing(ids []ID, say func(text string)) (places []int, err error) {
	done, err := s.Done()
	if err != nil {
		return nil, exit.Host(err)
	}
	seen := map[ID]bool{}
	for i, id := range ids {
		if seen[id] {
			continue
		}
		seen[id] = true
		if done[id] {
			_, err := s.Row(id)
			if err == nil {
				continue
			}
			say(err.Error() + ": it is set aside, and the run is made again")
			if err := s.SetAside(id); err != nil {
				return nil, exit.Host(err)
			}
		}
		places = append(places, i)
	}
	return places, nil
}

// Do makes the result of a run, unless another process has made it. The function makes the run with its folder at a
// place of the store; it returns the run's row, nil if it has none, such as an interrupted one, and its exit code. Do
// returns that row, or the one that was there; made reports which.
func (m *Making) Do(id ID, run func(staged string) (*Row, int, error)) (row *Row, made bool, err error) {
	if there, err := m.store.Row(id); there != nil && err == nil {
		return there, false, nil
	}
	try := Try{ID: id, Began: time.Now().UTC().Truncate(time.Millisecond)}
	if err := m.log.write(try); err != nil {
		return nil, true, exit.Host(err)
	}
	began := time.Now()
	staged, err := m.store.Stage(id)
	if err != nil {
		return nil, true, exit.Host(err)
	}
	row, code, err := run(staged)
	if row != nil {
		try.Published, err = m.store.Publish(staged, row)
		err = exit.Host(err)
	}
	if removed := RemoveStaged(staged); err == nil {
		err = exit.Host(removed)
	}
	try.Exit, try.WallSeconds = &code, time.Since(began).Seconds()
	return row, true, errors.Join(err, exit.Host(m.log.write(try)))
}
