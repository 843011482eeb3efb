package lossless

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestLossless(t *testing.T) { RegisterFailHandler(Fail); RunSpecs(t, "Lossless") }
