package guest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// console is the port that the machine's first program runs commands for: see
// init.sh of the image.
type console struct {
	commands io.WriteCloser
	answers  io.ReadCloser
	lines    *bufio.Reader
}

func newConsole(commands io.WriteCloser, answers io.ReadCloser) *console {
	return &console{
		commands: commands,
		answers:  answers,
		lines:    bufio.NewReader(answers),
	}
}

// grace is the time after a command's limit within which its answer may come.
const grace = 30 * time.Second

// maxOutput bounds what a command may say: bytes.
const maxOutput = 16 << 20

func (c *console) close() {
	c.commands.Close()
	c.answers.Close()
}

// ready waits for the first word.
func (c *console) ready(ctx context.Context) error {
	defer c.closeAfter(ctx)()
	line, err := c.lines.ReadString('\n')
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return ended(err)
	case line != "ready\n":
		return fmt.Errorf("it says %q", line)
	}
	return nil
}

// run runs a line and waits for its answer. A console whose answer did not come in time does not answer later commands.
func (c *console) run(limit time.Duration, line string) (Output, error) {
	if strings.Contains(line, "\n") {
		return Output{}, errors.New("a command is one line")
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit+grace)
	defer cancel()
	defer c.closeAfter(ctx)()
	if _, err := fmt.Fprintf(c.commands, "%d %s\n", int(math.Ceil(limit.Seconds())), line); err != nil {
		return Output{}, ended(err)
	}
	answer, err := c.lines.ReadString('\n')
	if err != nil {
		if ctx.Err() != nil {
			return Output{}, fmt.Errorf("no answer within %v", limit+grace)
		}
		return Output{}, ended(err)
	}
	var out Output
	var length int
	if _, err := fmt.Sscanf(answer, "%d %d\n", &out.Status, &length); err != nil || length < 0 || length > maxOutput {
		return Output{}, fmt.Errorf("it answers %q", answer)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(c.lines, text); err != nil {
		return Output{}, ended(err)
	}
	out.Text = string(text)
	return out, nil
}

// closeAfter closes the console when ctx ends, unless it is stopped before.
func (c *console) closeAfter(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, c.close)
}

// ended explains an error of the port.
func ended(err error) error { return fmt.Errorf("it has ended (%w)", err) }
