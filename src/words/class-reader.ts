/**
 * The program that finds the classes in manifests, for the Ruby that comes with the configuration engine. It reads paths of
 * files, each as a line of JSON, and prints for each a line with what servers of the engine report about a file
 * (smart-parameters §9.3.3). It ends when its input ends.
 */
export const CLASS_READER = `
Encoding.default_external = Encoding::UTF_8
require 'json'
require 'puppet'
require 'puppet/info_service'

$stdout.sync = true
Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent', '--log_level', 'crit'])
$stdin.each_line do |line|
  path = JSON.parse(line)
  answer =
    begin
      service = Puppet::InfoService::ClassInformationService.new
      JSON.generate({ path: path }.merge(service.classes_per_environment({ 'any' => [path] })['any'][path]))
    rescue StandardError => error
      JSON.generate({ path: path, error: error.message.scrub })
    end
  puts answer
end
`

/** Paths of the Ruby that comes with the tools of the configuration engine, best first. */
export const ENGINE_RUBIES = ['/opt/puppetlabs/puppet/bin/ruby', '/usr/bin/ruby']

/** The folder of the modules in an environment, unless its settings name another one. */
export const MODULES_FOLDER = 'modules'

/** The file of an environment that may name another folder of modules. */
export const ENVIRONMENT_SETTINGS = 'environment.conf'

/** How files with classes end. */
export const MANIFEST_SUFFIX = '.pp'
