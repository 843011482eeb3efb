# What vagrant/host.rb decides, for hosts that are not here. Run by `go test ./specs/vagrant`, or by itself:
#
#   ruby specs/vagrant/host_test.rb

require "minitest/autorun"
require "tmpdir"
require_relative "../../vagrant/host"

class HostTest < Minitest::Test
  PROVIDERS = %w[libvirt virtualbox hyperv parallels utm vmware_desktop].freeze

  # machine is the one that a host and an environment give.
  def machine(system, processor, rsync: true, **env)
    host = Rocelab::Host.new(system: system, processor: processor, rsync: rsync)
    Rocelab::Machine.new(host, env.transform_keys(&:to_s))
  end

  def test_amd64_has_debians_box_where_there_is_one
    %w[linux mac windows].each do |system|
      boxes = PROVIDERS.to_h { |name| [name, machine(system, "amd64").box(name).name] }
      assert_equal %w[libvirt virtualbox], boxes.select { |_, box| box == "debian/bookworm64" }.keys
      assert_equal %w[hyperv parallels utm vmware_desktop], boxes.select { |_, box| box == "bento/debian-12" }.keys
    end
  end

  def test_arm64_has_a_box_for_arm64
    %w[linux mac windows].each do |system|
      PROVIDERS.each { |name| assert_equal "bento/debian-12", machine(system, "arm64").box(name).name }
    end
  end

  def test_boxes_are_pinned_unless_they_are_named
    PROVIDERS.product(%w[amd64 arm64]).each do |name, processor|
      assert_match(/\A\d+\.\d+\.\d+\z/, machine("linux", processor).box(name).version)
    end
    assert_equal "1.2.3", machine("linux", "amd64", ROCELAB_BOX_VERSION: "1.2.3").box("libvirt").version
    PROVIDERS.each do |name|
      assert_equal ["mine", nil], machine("mac", "arm64", ROCELAB_BOX: "mine").box(name).to_a
      assert_equal ["mine", "4"], machine("mac", "arm64", ROCELAB_BOX: "mine", ROCELAB_BOX_VERSION: "4").box(name).to_a
    end
  end

  def test_windows_without_rsync_shares_the_folder_and_is_told
    bare = machine("windows", "amd64", rsync: false)
    assert_equal({}, bare.folder(["x/"]))
    assert_includes bare.notes.join, "This host has no rsync"
    # Debian's box cannot mount a shared folder of VirtualBox.
    assert_equal "bento/debian-12", bare.box("virtualbox").name
  end

  def test_who_has_rsync_copies_the_folder_and_is_told_nothing
    [machine("windows", "amd64"), machine("linux", "amd64"), machine("linux", "amd64", rsync: false)].each do |other|
      assert_equal({ type: "rsync", rsync__exclude: ["x/"] }, other.folder(["x/"]))
      assert_empty other.notes
    end
  end

  def test_what_the_machine_makes_is_not_copied_over
    assert_includes Rocelab::Machine::EXCLUDED, "/rocelab-runs/"
    assert_includes Rocelab::Machine::EXCLUDED, ".vagrant/"
  end

  def test_proxies_reach_the_provisioning
    given = { http_proxy: "http://proxy:3128", HTTPS_PROXY: "http://secure:3128", no_proxy: "", GOSUMDB: "off",
              GOPROXY: "https://go.example,direct", ROCELAB_GO_MIRROR: "https://mirror.example/" }
    assert_equal({ "http_proxy" => "http://proxy:3128", "https_proxy" => "http://secure:3128", "GOSUMDB" => "off",
                   "GOPROXY" => "https://go.example,direct", "ROCELAB_GO_MIRROR" => "https://mirror.example/" },
                 machine("linux", "amd64", **given).provision)
    assert_empty machine("linux", "amd64").provision
  end

  def test_a_proxy_of_localhost_is_told_without_its_password
    %w[http://localhost:3128 http://u:secret@127.0.0.1:8080 127.0.0.1:1 http://[::1]:3].each do |proxy|
      told = machine("linux", "amd64", http_proxy: proxy).notes.join
      assert_includes told, "which in the machine is the machine itself", proxy
      refute_includes told, "secret"
    end
    assert_empty machine("linux", "amd64", http_proxy: "http://10.0.2.2:3128", no_proxy: "localhost").notes
  end

  def test_counts_are_whole_numbers
    assert_equal [2, 4096], [machine("linux", "amd64").cpus, machine("linux", "amd64").memory]
    large = machine("linux", "amd64", ROCELAB_CPUS: "8", ROCELAB_MEMORY: "24576")
    assert_equal [8, 24576], [large.cpus, large.memory]
    ["two", "-1", "0", "4GB", "2.5"].each do |word|
      problem = assert_raises(ArgumentError) { machine("linux", "amd64", ROCELAB_MEMORY: word).memory }
      assert_includes problem.message, "ROCELAB_MEMORY is \"#{word}\": a whole number above 0 is allowed"
    end
  end

  def test_the_host_is_found_or_named
    here = Rocelab::Host.here("PATH" => "")
    assert_includes %w[linux mac windows], here.system
    assert_includes %w[amd64 arm64], here.processor
    refute here.rsync
    named = Rocelab::Host.here("PATH" => "", "ROCELAB_HOST" => "windows/arm64")
    assert_equal %w[windows arm64], [named.system, named.processor]
    %w[windows windows/x86 beos/amd64].each do |word|
      problem = assert_raises(ArgumentError) { Rocelab::Host.here("PATH" => "", "ROCELAB_HOST" => word) }
      assert_includes problem.message, "linux, mac or windows is allowed"
    end
  end

  def test_rsync_is_looked_for_by_the_systems_name
    Dir.mktmpdir do |folder|
      path = ["/nowhere", folder].join(File::PATH_SEPARATOR)
      File.write(File.join(folder, "rsync"), "")
      File.chmod(0o755, File.join(folder, "rsync"))
      assert Rocelab::Host.find_rsync(path, "mac")
      refute Rocelab::Host.find_rsync(path, "windows")
    end
  end
end
