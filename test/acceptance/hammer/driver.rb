# Loads hammer once, with every command it has, and then runs commands from standard input, each in a copy of this process:
# a line is a JSON list of words, and is answered by a line with what the command printed and how it ended.
require 'json'

arguments = ARGV.dup
lazy = arguments.delete('--lazy')
answers = $stdout.dup
$stdout.reopen($stderr)

require 'clamp'
require 'highline'
require 'hammer_cli/i18n'
require 'hammer_cli/options/normalizers'
require 'hammer_cli/settings'
HammerCLI::Settings.load_from_defaults
require 'hammer_cli/logger'
require 'hammer_cli'
HammerCLI::Modules.load_all

# Commands are read when they are asked for first: those that cannot be read are told, as hammer itself would say it then.
def load_commands(command, name, commands, broken)
  subcommands = command.recognised_subcommands
  if subcommands.empty?
    commands[name.join(' ')] = command.recognised_options.flat_map(&:switches).grep(/^--/).uniq.sort
    return
  end
  subcommands.each do |one|
    path = [*name, one.names.first]
    begin
      found = one.subcommand_class
      load_commands(found, path, commands, broken) unless found == command
    rescue StandardError => e
      broken[path.join(' ')] = "#{e.message.lines.first} #{e.backtrace.grep(/lib\/hammer_cli_(katello|foreman)/).first(3).join(', ')}"
    end
  end
end
commands = {}
broken = {}
load_commands(HammerCLI::MainCommand, [], commands, broken) unless lazy

# The connection is there already, so the global options that say who asks are for it.
def prove_again(words)
  return unless words.first == '--username'

  _, login, _, password = words.shift(4)
  HammerCLIForeman.foreman_api_connection.authenticator.set_credentials(login, password)
end

def run(words)
  out, out_end = IO.pipe
  err, err_end = IO.pipe
  child = fork do
    $stdout.reopen(out_end)
    $stderr.reopen(err_end)
    [out, err].each(&:close)
    $stdin.reopen(File::NULL)
    prove_again(words)
    status = begin
      HammerCLI::MainCommand.run('hammer', words, HammerCLI.context) || 0
    rescue SystemExit => e
      e.status
    end
    $stdout.flush
    $stderr.flush
    exit!(status)
  end
  [out_end, err_end].each(&:close)
  reading = Thread.new { err.read }
  printed = out.read
  said = reading.value
  Process.wait(child)
  { status: $?.exitstatus, out: printed.force_encoding('UTF-8'), err: said.force_encoding('UTF-8') }
end

answers.puts({ commands: commands, broken: broken }.to_json)
answers.flush
$stdin.each_line do |line|
  answers.puts(run(JSON.parse(line)).to_json)
  answers.flush
end
