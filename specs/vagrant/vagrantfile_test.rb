# The Vagrantfile as Vagrant itself reads it, for hosts that are not here: with the provider libvirt, which is the
# one that Debian's Vagrant can have. Run by `go test ./specs/vagrant`.

require "minitest/autorun"
require "tmpdir"
require "vagrant"

class VagrantfileTest < Minitest::Test
  ROOT = File.expand_path("../..", __dir__)

  # read is the configuration of the machine under an environment.
  def read(**env)
    before = ENV.to_h
    ENV.delete_if { |name, _| name.start_with?("ROCELAB_") || name.match?(/proxy\z/i) }
    env.each { |name, value| ENV[name.to_s] = value }
    Dir.mktmpdir do |folder|
      vagrant = Vagrant::Environment.new(cwd: ROOT, home_path: "#{folder}/home", local_data_path: "#{folder}/data")
      return vagrant.vagrantfile.machine_config(:default, :libvirt, nil, nil)[:config]
    end
  ensure
    ENV.replace(before)
  end

  def test_this_host_has_a_pinned_box_and_a_copy
    config = read(ROCELAB_HOST: "linux/amd64", ROCELAB_CPUS: "3", ROCELAB_MEMORY: "1234")
    assert_equal ["debian/bookworm64", "12.20250126.1"], [config.vm.box, config.vm.box_version]
    assert_equal :rsync, config.vm.synced_folders["/rocelab"][:type]
    assert_includes config.vm.synced_folders["/rocelab"][:rsync__exclude], "/rocelab-runs/"
    assert_empty config.trigger.before_triggers
    provider = config.vm.get_provider_config(:libvirt)
    assert_equal [3, 1234], [provider.cpus, provider.memory]
  end

  def test_windows_without_rsync_is_told_before_up
    config = read(ROCELAB_HOST: "windows/amd64", PATH: "/nowhere")
    assert_equal "bento/debian-12", config.vm.box
    assert_nil config.vm.synced_folders["/rocelab"][:type]
    trigger, = config.trigger.before_triggers
    assert_equal :up, trigger.command
    assert_includes trigger.info, "This host has no rsync"
  end

  def test_proxies_and_programs_reach_the_provisioner
    config = read(ROCELAB_HOST: "linux/amd64", HTTP_PROXY: "http://proxy:1", ROCELAB_BIN: File.join(ROOT, "vagrant"))
    assert_equal({ "http_proxy" => "http://proxy:1", "ROCELAB_BIN" => "/opt/rocelab/bin" },
                 config.vm.provisioners.first.config.env)
    assert_equal File.join(ROOT, "vagrant"), config.vm.synced_folders["/opt/rocelab/bin"][:hostpath]
  end

  def test_a_box_of_ones_own_stays
    config = read(ROCELAB_HOST: "mac/arm64", ROCELAB_BOX: "mine", ROCELAB_BOX_URL: "/var/tmp/mine.box")
    assert_equal ["mine", nil, "/var/tmp/mine.box"], [config.vm.box, config.vm.box_version, config.vm.box_url.first]
  end

  # Older ones would take the box for another processor.
  def test_apple_silicon_wants_a_vagrant_that_knows_processors
    known = Gem::Version.new(Vagrant::VERSION) >= Gem::Version.new("2.4.0")
    config = read(ROCELAB_HOST: "mac/arm64")
    assert known
    assert_equal ["bento/debian-12", "arm64"], [config.vm.box, config.vm.box_architecture]
  rescue Vagrant::Errors::VagrantVersionBad => problem
    refute known, problem.message
  end
end
