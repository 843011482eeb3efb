package sweep

import (
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	batch "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"
)

// stored are the manifests that the tests of testbed/many/sweep/cluster hold it to.
const stored = "../../testbed/many/sweep/cluster/testdata"

var _ = Describe("the manifest for Kubernetes", Label("kubernetes", "short"), func() {
	decode := func(text []byte) (*batch.Job, error) {
		var job batch.Job
		return &job, yaml.UnmarshalStrict(text, &job, yaml.DisallowUnknownFields)
	}
	read := func(name string) []byte {
		GinkgoHelper()
		text, err := os.ReadFile(filepath.Join(stored, name))
		Expect(err).NotTo(HaveOccurred())
		return text
	}

	// Red when a key of the template is misspelled.
	It("is a Job of batch/v1 to the last key", func() {
		job, err := decode(read("job.yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(job.APIVersion + " " + job.Kind).To(Equal("batch/v1 Job"))
		Expect(*job.Spec.CompletionMode).To(Equal(batch.IndexedCompletion))
		Expect(*job.Spec.Completions).To(BeEquivalentTo(20))
		Expect(*job.Spec.Parallelism).To(BeEquivalentTo(4))
		Expect(*job.Spec.BackoffLimitPerIndex).To(BeEquivalentTo(2), "three tries")
		Expect(job.Spec.BackoffLimit).To(BeNil())

		rules := job.Spec.PodFailurePolicy.Rules
		Expect(rules).To(HaveLen(2))
		Expect(rules[0].Action).To(Equal(batch.PodFailurePolicyActionIgnore))
		Expect(rules[0].OnPodConditions[0].Type).To(BeEquivalentTo("DisruptionTarget"))
		Expect(rules[1].Action).To(Equal(batch.PodFailurePolicyActionFailIndex))
		Expect(rules[1].OnExitCodes.Operator).To(Equal(batch.PodFailurePolicyOnExitCodesOpIn))
		Expect(rules[1].OnExitCodes.Values).To(Equal([]int32{2, 5}))

		pod := job.Spec.Template.Spec
		Expect(*rules[1].OnExitCodes.ContainerName).To(Equal(pod.Containers[0].Name))
		Expect(pod.RestartPolicy).To(BeEquivalentTo("Never"), "a pod failure policy wants it")
		Expect(pod.Containers[0].Command).To(Equal([]string{"/opt/it's here/rocelab"}))
		Expect(pod.Containers[0].Args).To(ContainElement("--shard=$(JOB_COMPLETION_INDEX)/20"))
		Expect(pod.Containers[0].Resources.Limits.Memory().Value()).To(BeEquivalentTo(1025 << 20))
		Expect(pod.Containers[0].VolumeMounts[0].Name).To(Equal(pod.Volumes[0].Name))
		Expect(pod.Containers[0].VolumeMounts[0].MountPath).To(Equal("/shared/a 'quoted' $HOME: #1"))
		Expect(pod.Containers[0].VolumeMounts[0].SubPath).To(Equal("a b"))
		Expect(pod.Volumes[0].PersistentVolumeClaim.ClaimName).To(Equal("results"))
	})

	It("may have a folder of every node in place of a claim, and no bound on pods", func() {
		job, err := decode(read("job-plain.yaml"))
		Expect(err).NotTo(HaveOccurred())
		Expect(job.Spec.Template.Spec.Volumes[0].HostPath.Path).To(Equal("/mnt/sweeps"))
		Expect(*job.Spec.Parallelism).To(Equal(*job.Spec.Completions))
		Expect(job.Spec.Template.Spec.Containers[0].VolumeMounts[0].SubPath).To(BeEmpty())
	})

	It("is refused with a key that Kubernetes does not have", func() {
		wrong := strings.Replace(string(read("job.yaml")), "backoffLimitPerIndex", "backoffLimitPerIndx", 1)
		_, err := decode([]byte(wrong))
		Expect(err).To(MatchError(ContainSubstring("backoffLimitPerIndx")))
	})
})
