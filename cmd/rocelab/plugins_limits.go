package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/process"
)

// addLimits adds the flags that bound what plugins take.
func (f *pluginFlags) addLimits(c *cobra.Command) {
	f.limits = process.DefaultLimits
	c.Flags().Var(&sizeValue{&f.limits.Memory}, "plugin-memory", "most memory of a plugin and all processes that it "+
		"starts, on veth of all plugins of a container")
	c.Flags().Var(&tasksValue{&f.limits.Tasks}, "plugin-tasks", "most processes and threads of the same")
	c.Flags().Var(&sizeValue{&f.limits.Log}, "plugin-log", "largest size of a plugin's log, on veth of a "+
		"container's; the rest is dropped")
}

// sizeValue is a flag's positive size.
type sizeValue struct{ to *unit.Bytes }

func (v *sizeValue) String() string {
	if v.to == nil {
		return ""
	}
	return v.to.String()
}

func (v *sizeValue) Type() string { return "size" }

func (v *sizeValue) Set(text string) error {
	size, err := unit.ParseBytes(text)
	if err == nil && size <= 0 {
		err = errors.New("it must be above 0")
	}
	if err == nil {
		*v.to = size
	}
	return err
}

// tasksValue is a flag's positive number.
type tasksValue struct{ to *int }

func (v *tasksValue) String() string {
	if v.to == nil {
		return ""
	}
	return strconv.Itoa(*v.to)
}

func (v *tasksValue) Type() string { return "int" }

func (v *tasksValue) Set(text string) error {
	number, err := strconv.Atoi(text)
	if err != nil || number < 1 || number > 1<<22 { // what Linux has at most, PID_MAX_LIMIT
		return fmt.Errorf("%q is not a whole number from 1 to %d", text, 1<<22)
	}
	*v.to = number
	return nil
}
