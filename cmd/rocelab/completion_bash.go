package main

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

// bashFallback is needed for completion in bash without the package bash-completion, as in small containers.
//
//go:embed completion.bash
var bashFallback string

// completeInBash adds the fallback to the script that completion bash prints.
// The output of root is set by then.
func completeInBash(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	bash, _, err := root.Find([]string{"completion", "bash"})
	if err != nil {
		panic(err) // cobra always adds it
	}
	bash.Long = `Generate the autocompletion script for bash. For the current shell:

    source <(rocelab completion bash)

For every new shell, put that line into ~/.bashrc. The package bash-completion is
used if it is installed; it is not required.`
	script := bash.RunE
	bash.RunE = func(c *cobra.Command, args []string) error {
		if err := script(c, args); err != nil {
			return err
		}
		_, err := io.WriteString(c.OutOrStdout(), bashFallback)
		return host(err)
	}
}
