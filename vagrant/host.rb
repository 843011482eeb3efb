# What the Vagrantfile makes of this host and of the environment. Nothing here
# asks Vagrant, so that host_test.rb can ask for any host.

require "etc"
require "rbconfig"

module Rocelab
  # Box is a box of Vagrant's public catalogue, or one that the user names.
  # Without a version it is the newest.
  Box = Struct.new(:name, :version)

  # Debian's own box: amd64, for libvirt and VirtualBox. It has rsync, and not
  # what a shared folder of VirtualBox takes.
  DEBIAN = Box.new("debian/bookworm64", "12.20250126.1").freeze
  # The Bento project's: amd64 and arm64, also for other providers, with what
  # their shared folders take.
  BENTO = Box.new("bento/debian-12", "202510.26.0").freeze

  # Host is the computer on which Vagrant runs: its system (linux, mac or
  # windows), its processor (amd64 or arm64), and whether rsync is in PATH.
  Host = Struct.new(:system, :processor, :rsync, keyword_init: true) do
    # here is this computer. ROCELAB_HOST, such as mac/arm64, takes the place of
    # what is found out.
    def self.here(env)
      system, processor = (Rocelab.setting(env, "ROCELAB_HOST") || "#{find_system}/#{find_processor(env)}").split("/")
      unless %w[linux mac windows].include?(system) && %w[amd64 arm64].include?(processor)
        raise ArgumentError, "ROCELAB_HOST is #{env["ROCELAB_HOST"].inspect}: linux, mac or windows is allowed, " \
          "a slash, and amd64 or arm64"
      end
      new(system: system, processor: processor, rsync: find_rsync(env["PATH"].to_s, system))
    end

    def self.find_system
      case RbConfig::CONFIG["host_os"]
      when /darwin/ then "mac"
      when /mswin|mingw|cygwin/ then "windows"
      else "linux"
      end
    end

    # A Vagrant for Intel runs on Apple silicon, too, and is told amd64 there:
    # so macOS is asked what the processor is.
    def self.find_processor(env)
      asked = case find_system
              when "mac" then `sysctl -n hw.optional.arm64 2>/dev/null`.strip == "1" ? "arm64" : "amd64"
              when "windows" then env["PROCESSOR_ARCHITEW6432"] || env["PROCESSOR_ARCHITECTURE"]
              else Etc.uname[:machine]
              end
      asked.to_s.match?(/arm64|aarch64/i) ? "arm64" : "amd64"
    end

    def self.find_rsync(path, system)
      name = system == "windows" ? "rsync.exe" : "rsync"
      path.split(File::PATH_SEPARATOR).any? { |folder| File.executable?(File.join(folder, name)) }
    end
  end

  # Machine is the virtual machine that is asked for: by the host, and by
  # settings of the environment (vagrant/README.md lists them).
  class Machine
    EXCLUDED = [".git/", ".vagrant/", "/rocelab-runs/", "/bin/", "/rocelab"].freeze
    PROXIES = %w[http_proxy https_proxy no_proxy].freeze

    attr_reader :host

    def initialize(host, env)
      @host = host
      @env = env
    end

    # box is the one for a provider: what the user names, or the smaller one
    # where it serves.
    def box(provider)
      version = setting("ROCELAB_BOX_VERSION")
      return Box.new(setting("ROCELAB_BOX"), version) if setting("ROCELAB_BOX")
      fits = host.processor == "amd64" && !shares_folder? && %w[libvirt virtualbox].include?(provider)
      chosen = fits ? DEBIAN : BENTO
      Box.new(chosen.name, version || chosen.version)
    end

    def box_url = setting("ROCELAB_BOX_URL")

    # own_box? reports whether the user names the box.
    def own_box? = !setting("ROCELAB_BOX").nil?

    def cpus = count("ROCELAB_CPUS", 2)

    # memory is in MB.
    def memory = count("ROCELAB_MEMORY", 4096)

    # programs is the folder with programs that are built already, or nil.
    def programs = setting("ROCELAB_BIN")

    # shares_folder? reports whether the provider's shared folder takes the place
    # of a copy by rsync, which works with every provider but which Windows does
    # not have.
    def shares_folder? = host.system == "windows" && !host.rsync

    # folder are the options with which Vagrant brings a folder into the machine.
    def folder(exclude = [])
      return {} if shares_folder?
      { type: "rsync", rsync__exclude: exclude }
    end

    # provision is the environment of provision.sh.
    def provision
      given = PROXIES.to_h { |name| [name, setting(name) || setting(name.upcase)] }
      %w[GOPROXY GOSUMDB ROCELAB_GO_MIRROR].each { |name| given[name] = setting(name) }
      given["ROCELAB_BIN"] = "/opt/rocelab/bin" if programs
      given.compact
    end

    # notes are what the user should know before the machine is made.
    def notes
      notes = []
      if shares_folder?
        notes << "This host has no rsync, so /rocelab in the machine is a shared folder of the provider: changes and " \
          "run folders are seen on both sides at once, and vagrant/fetch is not needed. With rsync in PATH (Cygwin " \
          "and MSYS2 have it) the checkout is copied, and building is faster."
      end
      provision.slice(*PROXIES - ["no_proxy"]).each do |name, proxy|
        next unless proxy.match?(%r{\A(\w+://)?([^@/]*@)?(localhost|127\.|\[::1\])})
        shown = proxy.sub(%r{//[^@/]*@}, "//")
        notes << "#{name} is #{shown}, which in the machine is the machine itself: name an address of this host that " \
          "it reaches (10.0.2.2 with VirtualBox, 192.168.121.1 with libvirt)."
      end
      notes
    end

    private

    def setting(name) = Rocelab.setting(@env, name)

    # A word in place of a count is an error at once.
    def count(name, default)
      value = setting(name)
      return default unless value
      return value.to_i if value.match?(/\A[1-9]\d*\z/)
      raise ArgumentError, "#{name} is #{value.inspect}: a whole number above 0 is allowed"
    end
  end

  # setting is a variable of the environment; an empty one is none.
  def self.setting(env, name)
    value = env[name].to_s
    value.empty? ? nil : value
  end
end
