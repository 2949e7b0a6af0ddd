# Loads hammer once, with every command it has, and then runs commands from standard input, one after another as hammer's own
# shell does: a line is a JSON list of words, and is answered by a line with what the command printed and how it ended.
# With `--lazy`, each runs in a copy of this process, which has only what earlier commands stored in files.
require 'json'
require 'tempfile'

arguments = ARGV.dup
lazy = arguments.delete('--lazy')
questions = $stdin.dup
answers = $stdout.dup
errors = $stderr.dup
$stdin.reopen(File::NULL)
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

# The connection exists already, so global options that say who asks change it, for one command.
def with_credentials(words)
  return yield(words) unless words.first == '--username'

  _, login, _, password = words.shift(4)
  authenticator = HammerCLIForeman.foreman_api_connection.authenticator
  authenticator.set_credentials(login, password)
  begin
    yield(words)
  ensure
    settings = HammerCLI::Settings.get(:foreman)
    authenticator.set_credentials(settings[:username], settings[:password])
  end
end

def execute(words)
  with_credentials(words) { |rest| HammerCLI::MainCommand.run('hammer', rest, HammerCLI.context.dup) || 0 }
rescue SystemExit => e
  e.status
end

def execute_in_copy(words)
  child = fork do
    status = execute(words)
    $stdout.flush
    $stderr.flush
    exit!(status)
  end
  Process.wait(child)
  $?.exitstatus
end

out = Tempfile.new('out')
err = Tempfile.new('err')
answers.puts({ commands: commands, broken: broken }.to_json)
answers.flush
questions.each_line do |line|
  words = JSON.parse(line)
  [[$stdout, out], [$stderr, err]].each do |stream, file|
    file.truncate(0)
    stream.reopen(file.path, 'a')
  end
  status = lazy ? execute_in_copy(words) : execute(words)
  $stdout.flush
  $stderr.flush
  printed, said = [out, err].map { |file| File.read(file.path, encoding: 'UTF-8') }
  $stdout.reopen(errors)
  $stderr.reopen(errors)
  answers.puts({ status: status, out: printed, err: said }.to_json)
  answers.flush
end
