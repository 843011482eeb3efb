package clocks

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestClocks(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "Clocks")
}
