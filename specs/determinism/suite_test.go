package determinism

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestDeterminism(t *testing.T) { RegisterFailHandler(Fail); RunSpecs(t, "Determinism") }
