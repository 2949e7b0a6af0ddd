# Renders the templates on standard input (a JSON list) with the language that they were written for; prints a list of
# {"text": …} or {"error": …}.
require 'erb'
require 'json'
require 'yaml'

class Host
  def name = 'n1.lab.test'
  def domain = 'lab.test'
  def params = { 'tier' => 'gold' }
  def to_s = name
end

class World
  def initialize
    @host = Host.new
  end

  def host_param(name, default = nil) = @host.params.fetch(name, default)

  def render(source) = ERB.new(source, trim_mode: '-').result(binding)
end

$VERBOSE = nil
results = JSON.parse($stdin.read).map do |source|
  { 'text' => World.new.render(source).to_s }
rescue Exception => e
  { 'error' => e.class.name }
end
puts JSON.generate(results)
