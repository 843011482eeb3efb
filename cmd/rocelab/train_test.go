package main

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rocelab/rocelab/plugins/pidnn/weights"
	"github.com/rocelab/rocelab/specs/tier"
)

func TestTrainPIDNN(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	s.run(0, "train", "pidnn", "--quick", "--network", "lstm,rnn", "--out", "a.txt", "--csv", "a.csv",
		"--progress", "plain")
	for _, words := range []string{"│ train │ timely ", "│ test  │ pidnn-tuning ", "lstm loss", "rnn loss",
		"│ out = K_t ", "predictor lstm\n"} {
		s.says(s.stdout, words)
	}
	s.says(s.stderr, "train: timely\n")
	s.says(s.stderr, "train lstm\n")
	_, m, err := weights.Load("a.txt")
	if err != nil || m.Command !=
		"rocelab train pidnn --seed 1 --scale 0.05 --network lstm,rnn --epochs 4 --train 200 --test 80" {
		t.Errorf("%q, %v", m.Command, err)
	}
	s.run(0, append(strings.Fields(m.Command)[1:], "--out", "b.txt", "--csv", "b.csv", "--format", "json")...)
	for _, name := range []string{"txt", "csv"} {
		t.Run(name, func(t *testing.T) {
			a, err := os.ReadFile("a." + name)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := os.ReadFile("b." + name); err != nil || string(a) != string(b) {
				t.Errorf("the command in the file makes another %s, %v", name, err)
			}
		})
	}
	var report struct {
		Command    string
		Predictors []struct {
			Name string
			Test struct{ MAPE float64 }
		}
		Tuned struct{ Final struct{ Kp float64 } }
	}
	if err := json.Unmarshal([]byte(s.stdout), &report); err != nil || report.Command != m.Command ||
		len(report.Predictors) != 4 || report.Predictors[0].Test.MAPE != m.TestMAPE || report.Tuned.Final.Kp != m.Kp {
		t.Errorf("%v, %s", err, s.stdout)
	}
	curve, _ := os.ReadFile("a.csv")
	if lines := strings.Split(strings.TrimSpace(string(curve)), "\n"); len(lines) != 9 ||
		lines[0] != "network,epoch,train_loss,train_mape,test_loss,test_mape" {
		t.Errorf("%s", curve)
	}
}

// The report of a seed is the same alone and among others.
func TestTrainSeeds(t *testing.T) {
	tier.Everyday(t)
	s := newShell(t)
	args := strings.Fields("train pidnn --quick --network rnn --epochs 1")
	s.run(0, append(args, "--seed", "2")...)
	second := s.stdout
	s.run(0, append(args, "--seeds", "2")...)
	if !strings.HasPrefix(s.stdout, "seed 1\n\n") || !strings.HasSuffix(s.stdout, "\n\nseed 2\n\n"+second) {
		t.Errorf("%s, and alone\n%s", s.stdout, second)
	}
}

func TestTrainRefuses(t *testing.T) {
	s := newShell(t)
	for _, c := range []struct {
		args, words string
	}{
		{"train bert", `there is no command "bert"`},
		{"train pidnn now", "see rocelab train pidnn --help"},
		{"train pidnn --epochs 0", "--epochs 0: allowed is 1 to 100000"},
		{"train pidnn --network lstm,cnn", "--network cnn: allowed is lstm, gru, rnn"},
		{"train pidnn --data cubic", "--data cubic: there is no such algorithm"},
		{"train pidnn --network gru --out x", "--out is for the LSTM"},
		{"train pidnn --out no/where", "--out: there is no folder no"},
		{"train pidnn --csv .", "--csv: . is a folder"},
		{"train pidnn --format xml", "allowed are table, json, csv"},
		{"train pidnn --seeds 2 --out x", "--out and --csv are for one training"},
		{"train pidnn --seeds 0", `--seeds "0": allowed are`},
		{"train pidnn --seeds 2 --seed 1", "--seed and --seeds exclude each other"},
		{"train pidnn --progress loud", "allowed are auto, plain, none"},
		{"train pidnn --quick --data fixed --out x", "train runs (fixed): pairs by |K|"},
	} {
		s.run(2, strings.Fields(c.args)...)
		s.says(s.stderr, c.words)
	}
	s.onlyScenarioIsLeft()
}

func TestTrainInterrupted(t *testing.T) {
	s := newShell(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.ctx = ctx
	s.run(130, "train", "pidnn", "--quick", "--out", "x", "--csv", "y")
	s.onlyScenarioIsLeft()
}

func (s *shell) onlyScenarioIsLeft() {
	s.t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil || len(entries) != 1 || entries[0].Name() != "incast.yaml" {
		s.t.Errorf("left %v, %v", entries, err)
	}
}
