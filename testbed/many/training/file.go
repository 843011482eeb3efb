package training

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/rocelab/rocelab/plugins/pidnn/weights"
)

// WriteWeights writes the trained LSTM to a file that the algorithm reads, in
// place of one that is there.
func (r *Report) WriteWeights(path string) error {
	lstm := r.predictor("lstm")
	if lstm == nil {
		return errors.New("no LSTM was trained")
	}
	m := weights.Meta{Command: r.Command, Seed: r.Seed, TrainMAPE: lstm.Train.MAPE, TestMAPE: lstm.Test.MAPE}
	if t := r.Tuned; t != nil {
		m.Kp, m.Ki, m.Kd = t.Final.Kp, t.Final.Ki, t.Final.Kd
	}
	b, err := weights.Encode(r.Network, m)
	if err != nil {
		return err
	}
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
}

func (r *Report) predictor(name string) *Predictor {
	for i := range r.Predictors {
		if r.Predictors[i].Name == name {
			return &r.Predictors[i]
		}
	}
	return nil
}

// WriteFile writes a file whole or not at all: under another name in the same
// folder first.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write %s: %w", path, errors.Join(err, os.Remove(f.Name())))
		}
	}()
	_, err = f.Write(b.Bytes())
	if err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// CanWrite returns what prevents a file of that name, before work is done
// for it.
func CanWrite(path string) error {
	if at, err := os.Stat(path); err == nil && at.IsDir() {
		return fmt.Errorf("%s is a folder", path)
	}
	if at, err := os.Stat(filepath.Dir(path)); err != nil || !at.IsDir() {
		return fmt.Errorf("there is no folder %s", filepath.Dir(path))
	}
	return nil
}
