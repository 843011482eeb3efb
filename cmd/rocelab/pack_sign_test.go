package main

import (
	"os"
	"os/exec"
	"testing"

	"github.com/rocelab/rocelab/specs/tier"
)

// A signed pack is recognised as its signer's; one of another signer, one that was changed and one without a signature
// are refused. Tier: everyday.
func TestSignedPacks(t *testing.T) {
	tier.Everyday(t)
	if _, err := exec.LookPath("ssh-keygen"); err != nil {
		t.Skip(err)
	}
	s := newShell(t)
	s.write("x.yaml", rerunnable)
	for _, name := range []string{"mine", "theirs"} {
		c := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", name)
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	key, err := os.ReadFile("mine.pub")
	if err != nil {
		t.Fatal(err)
	}
	s.write("signers", "me@example.org namespaces=\"rocelab-pack\" "+string(key))
	s.run(0, "run", "x.yaml", "--out", "one", "--variant", "b")
	s.run(0, "pack", "one", "--out", "one.zip", "--sign", "mine")
	s.says(s.stdout, "signed: one.zip.sig\n")
	s.run(0, "rerun", "one.zip", "--signers", "signers")
	s.says(s.stdout, "one.zip: signed by me@example.org\n")
	reseal(t, "one.zip", "forged.zip", func(files map[string]string) { files["run/report.html"] = "mine wins" })
	s.run(2, "rerun", "forged.zip", "--signers", "signers")
	s.says(s.stderr, "it is not signed: there is no forged.zip.sig")
	signature, err := os.ReadFile("one.zip.sig")
	if err != nil {
		t.Fatal(err)
	}
	s.write("forged.zip.sig", string(signature))
	s.run(2, "rerun", "forged.zip", "--signers", "signers")
	s.says(s.stderr, "the signature of me@example.org is not of this pack")
	s.run(0, "pack", "one", "--out", "one.zip", "--force", "--sign", "theirs")
	s.run(2, "rerun", "one.zip", "--signers", "signers")
	s.says(s.stderr, "no one in signers has signed it")
	s.run(2, "rerun", "one", "--signers", "signers")
	s.run(4, "pack", "one", "--out", "two.zip", "--sign", "none")
	s.says(s.stderr, "two.zip is written, but not signed: ")
}
