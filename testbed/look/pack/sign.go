package pack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"

	"github.com/rocelab/rocelab/internal/exit"
)

// SignatureEnding is the ending of the name of a pack's signature, after the name of the pack.
const SignatureEnding = ".sig"

// namespace is the purpose of signatures: a signature of a mail or a commit is not valid for a pack.
const namespace = "rocelab-pack"

// signer is the program that signs and verifies, as ssh-keygen(1) of OpenSSH 8.2 and later does.
const signer = "ssh-keygen"

// errUnsigned means that a pack lacks the required signature.
var errUnsigned = errors.New("it is not signed")

// Sign returns the signature of a pack with a key of SSH: a private key, or the public one of an agent's.
func Sign(ctx context.Context, file, key string) ([]byte, error) {
	from, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	return run(ctx, from, "-q", "-Y", "sign", "-f", key, "-n", namespace)
}

// Signer returns the signer of the pack in the file, by the name in the list of allowed signers, which is a file in the
// form of ssh-keygen(1). The error is errUnsigned, or reports that no one in the list has signed these bytes.
func (o *Opened) Signer(ctx context.Context, file, allowed string) (string, error) {
	signature := file + SignatureEnding
	if _, err := os.Stat(signature); errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: there is no %s", errUnsigned, signature)
	}
	found, err := run(ctx, nil, "-Y", "find-principals", "-s", signature, "-f", allowed)
	if err != nil {
		return "", fmt.Errorf("no one in %s has signed it: %w", allowed, err)
	}
	name, _, _ := strings.Cut(strings.TrimSpace(string(found)), "\n")
	from, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer from.Close()
	sum := sha256.New()
	_, err = run(ctx, io.TeeReader(from, sum), "-q", "-Y", "verify", "-f", allowed, "-I", name, "-n", namespace, "-s",
		signature)
	if err != nil {
		return "", fmt.Errorf("the signature of %s is not of this pack: %w", name, err)
	}
	if hex.EncodeToString(sum.Sum(nil)) != o.Digest { // another file took its place meanwhile
		return "", errChanged
	}
	return name, nil
}

// run makes the signer do something, and returns its output.
func run(ctx context.Context, from io.Reader, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, signer, args...)
	var out, complaint bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = from, &out, &complaint
	if err := c.Run(); err != nil {
		words := strings.TrimSpace(complaint.String() + " " + out.String())
		if words == "" || errors.Is(err, exec.ErrNotFound) {
			return nil, exit.Host(fmt.Errorf("%s %s: %w", signer, args[1], err))
		}
		return nil, fmt.Errorf("%s: %s", signer, words)
	}
	return out.Bytes(), nil
}
