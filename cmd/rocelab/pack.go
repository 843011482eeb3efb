package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/rocelab/rocelab/emulator/result"
	"github.com/rocelab/rocelab/internal/terminal"
	"github.com/rocelab/rocelab/plugins/cc"
	"github.com/rocelab/rocelab/plugins/cc/unit"
	"github.com/rocelab/rocelab/plugins/registry"
	"github.com/rocelab/rocelab/plugins/shipped"
	"github.com/rocelab/rocelab/testbed/look/pack"
)

// packFlags are the flags of pack.
type packFlags struct {
	out, sign                   string
	force, withHost, withOthers bool
	folders                     []string
}

func packCommand() *cobra.Command {
	options := &packFlags{}
	c := &cobra.Command{
		Use:   "pack FOLDER",
		Short: "Put a run folder and everything needed to repeat it into one file",
		Long: `Put a run folder into one file, with everything needed to make its runs again: scenario,
flags and seeds, the results to compare with, the page, the files that the scenario
names, and a README with the command. The recipient runs

  rocelab rerun FILE

on any machine, which reports whether every file is the same to the byte. The file is
a zip, so it can be opened without rocelab.

Algorithms that come with rocelab are identified by their build. Other programs are
identified by their digest, and with --with-plugins they are in the pack, found by that
digest in the folders of --plugin-dir; packing starts no program. rerun only starts
them with --trust.

Files that depend on the host are left out: host.json, the output of programs, and
captures. So the same runs of the same build give the same pack on any machine, to the
byte. --with-host packs them; a live run with edges needs that, because they include
the frames that came in at the edges.

A folder that was changed since its run, or whose run did not reach its end, is
refused. The printed SHA-256 is that of the file: if you send it by another way, the
recipient can verify that the file is yours. --sign KEY signs it with an SSH key
instead, and rerun --signers verifies that.`,
		Example: `  rocelab pack rocelab-runs/incast-1
  rocelab pack rocelab-runs/incast-1 --out figure5.rocelab.zip
  rocelab pack rocelab-runs/incast-1 --sign ~/.ssh/id_ed25519
  rocelab pack rocelab-runs/mine-1 --with-plugins --plugin-dir build`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(c *cobra.Command, args []string) error {
			return options.run(c.Context(), args[0], c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.StringVarP(&options.out, "out", "o", "", "file to write (default FOLDER.rocelab.zip, here)")
	flags.BoolVar(&options.force, "force", false, "replace a file of that name")
	flags.BoolVar(&options.withHost, "with-host", false,
		"also pack the files that depend on the host: host.json, captures, output of programs and commands, "+
			"frames that came in at edges")
	flags.StringVar(&options.sign, "sign", "",
		"SSH key to sign the pack with, into FILE.sig: rerun --signers verifies it")
	flags.BoolVar(&options.withOthers, "with-plugins", false, "pack the programs of algorithms that are not rocelab's own")
	flags.StringArrayVar(&options.folders, "plugin-dir", nil, "look for these programs in this folder too (repeatable; "+
		"see also $ROCELAB_PLUGINS)")
	return c
}

// run carries the command out.
func (f *packFlags) run(ctx context.Context, dir string, stdout io.Writer) error {
	out, err := f.place(dir)
	if err != nil {
		return err
	}
	contents := &pack.Contents{
		Folder:       os.DirFS(dir),
		Shipped:      shippedAlgorithms(),
		WithHost:     f.withHost,
		WithPrograms: f.withOthers,
		Folders:      registry.Folders(f.folders),
	}
	if contents.Manifest, err = pack.Check(contents.Folder, f.withHost); errors.Is(err, result.ErrNoManifest) {
		return usage(fmt.Errorf("%s %w", dir, err))
	} else if err != nil {
		return usage(fmt.Errorf("%s: %w", dir, err))
	}
	made, err := f.write(ctx, out, contents)
	if err != nil {
		return err
	}
	if f.sign != "" {
		if err := signPack(ctx, out, f.sign); err != nil {
			return err
		}
	}
	return host(f.print(stdout, out, len(contents.Manifest.Runs), made))
}

// shippedAlgorithms are rocelab's own.
func shippedAlgorithms() (list []cc.Description) {
	for _, a := range shipped.All() {
		list = append(list, a.Describe())
	}
	return list
}

// signPack writes the signature of a pack beside it.
func signPack(ctx context.Context, out, key string) error {
	signature, err := pack.Sign(ctx, out, key)
	switch {
	case ctx.Err() != nil:
		return errInterrupted
	case err != nil:
		return host(fmt.Errorf("%s is written, but not signed: %w", out, err))
	}
	return host(writePage(out+pack.SignatureEnding, signature))
}

// place is where the pack goes, which must be free.
func (f *packFlags) place(dir string) (out string, err error) {
	if out = f.out; out == "" {
		whole, err := filepath.Abs(dir)
		if err != nil {
			return "", host(err)
		}
		out = filepath.Base(whole) + ".rocelab.zip"
	}
	if info, err := os.Lstat(out); err == nil && (!f.force || !info.Mode().IsRegular()) {
		return "", usage(fmt.Errorf("%s exists already: give another with --out, or --force to replace a file", out))
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", host(err)
	}
	return out, usage(inRunFolder(out))
}

// write writes the pack in one step: of one that fails or is interrupted nothing is left.
func (f *packFlags) write(ctx context.Context, out string, contents *pack.Contents) (_ *pack.Made, err error) {
	part := out + ".part"
	to, err := os.Create(part)
	if err != nil {
		return nil, host(err)
	}
	made, err := pack.Write(ctx, to, contents)
	if err = usage(err); ctx.Err() != nil {
		err = errInterrupted
	}
	if err == nil {
		err = host(to.Sync())
	}
	if err = errors.Join(err, host(to.Close())); err == nil {
		err = host(os.Rename(part, out))
	}
	if err != nil {
		return nil, errors.Join(err, os.Remove(part))
	}
	return made, nil
}

// print reports what was made, and the left-out parts that will be missed.
func (f *packFlags) print(w io.Writer, out string, runs int, made *pack.Made) error {
	text := fmt.Sprintf("%s: %s, %s\nSHA-256 %s\n", out, unit.Count(runs, "run"),
		unit.Count(made.Files, "file"), made.Digest)
	for _, input := range made.Inputs {
		text += fmt.Sprintf("with %s, the %s of %s\n", input.Path, input.Param, input.Algorithm)
	}
	for _, program := range made.Programs {
		text += fmt.Sprintf("with the program of %s, which rerun starts with --trust\n", program.Algorithm)
	}
	for _, a := range made.Missing {
		text += fmt.Sprintf("without the program of %s, which rerun needs: --with-plugins packs it\n", a)
	}
	if f.sign != "" {
		text += fmt.Sprintf("signed: %s%s\n", out, pack.SignatureEnding)
	}
	_, err := io.WriteString(w, terminal.Text(text))
	return err
}
