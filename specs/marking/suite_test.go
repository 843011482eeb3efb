package marking

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestMarking(t *testing.T) { RegisterFailHandler(Fail); RunSpecs(t, "Marking") }
