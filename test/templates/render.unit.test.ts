import { describe, expect, test } from 'vitest'
import { render } from '../../src/templates/index.ts'
import { execFileSync } from '../support/processes.ts'
import { TABLE } from './table.ts'
import { WORLD } from './world.ts'

describe('templates', () => {
  test.each(TABLE)('%j renders', (template, text) => {
    expect(render(template, WORLD)).toBe(text)
  })

  test('render as in the language that they were written for', ({ skip }) => {
    const missing = rubyMissing()
    if (missing && process.env.CI === 'true') throw new Error('ruby is not installed (.ci/run installs it)')
    skip(missing, 'ruby is not installed (.ci/run installs it)')
    const input = JSON.stringify(TABLE.map(([template]) => template))
    const rendered: unknown = JSON.parse(
      execFileSync('ruby', ['-EUTF-8', `${import.meta.dirname}/peer.rb`], { input, encoding: 'utf8' }),
    )
    expect(rendered).toEqual(TABLE.map(([, text]) => ({ text })))
  })
})

describe('what the original has and the language alone has not', () => {
  test.each([
    ['<%= "".blank? %>,<%= "x".present? %>,<%= " ".presence.inspect %>,<%= [].blank? %>', 'true,true,nil,true'],
    ['<%= "a".in?(["a"]) %>,<%= nil.try(:x).inspect %>', 'true,nil'],
    ['<%= "a  b ".squish %>|<%= "a\\nb".indent(2) %>', 'a b|  a\n  b'],
    ['<%= ["a", "b", "c"].to_sentence %>', 'a, b, and c'],
    ['<%= indent(2) { "a\\nb" } %>', '  a\n  b'],
    ['<%= indent 2 do %>x\ny<% end %>', '  x\n  y'],
    ['<% x = 5 # five %><%= x %>', '5'],
    ['<%= {a: {b: 1}}.stringify_keys %>', '{"a"=>{:b=>1}}'],
  ])('%j', (template, text) => {
    expect(render(template, WORLD)).toBe(text)
  })
})

describe('functions that every template has', () => {
  test.each([
    ['<%= parse_json(%q({"a": [1, 2.0, null], "b": {"c": true}})) %>', '{"a"=>[1, 2.0, nil], "b"=>{"c"=>true}}'],
    ['<%= parse_yaml("a: 1\nb: [x, 2.5]\nc: yes") %>', '{"a"=>1, "b"=>["x", 2.5], "c"=>true}'],
    ['<%= to_json({a: [1, {}], "b" => nil}) %>', '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": null\n}'],
    ['<%= to_yaml({"a" => [1]}) %>', '---\na:\n- 1\n'],
    ['<%= shell_escape("a b\'c") %> <%= shell_escape("") %> <%= shell_escape("a\nb") %>', "a\\ b\\'c '' a'\n'b"],
    ['<%= truthy?("yes") %> <%= falsy?(0) %> <%= truthy?(nil) %> <%= falsy?(nil) %>', 'true true false false'],
    ['<%= save_to_file("/etc/motd", "hi\n") %>', 'cat << EOF-0e4f089a > /etc/motd\nhi\nEOF-0e4f089a'],
    [
      '<%= save_to_file("/etc/motd", "$x", verbatim: true) %>',
      'cat << EOF-0e4f089a | base64 -d > /etc/motd\nJHg=\nEOF-0e4f089a',
    ],
    ['<%= save_to_file("/etc/motd", "") %>', 'cp /dev/null /etc/motd'],
    ['<%= current_date =~ /\\A\\d{4}-\\d\\d-\\d\\d\\z/ %> <%= current_date(format: "%Y%%").length %>', '0 5'],
    ['<%= gem_version_compare("10.2.3", "2.0.1") %> <%= gem_version_compare("1.2.3", "1.2.4") %>', '1 -1'],
    ['<%= gem_version_compare("1.0", "1") %> <%= gem_version_compare("1.0.rc1", "1.0") %>', '0 -1'],
    ['<%= number_with_delimiter(1234567.5) %> <%= number_with_precision(1.5, precision: 2) %>', '1,234,567.5 1.50'],
    ['<%= number_to_human_size(1234567) %> <%= number_to_human(1234567) %>', '1.18 MB 1.23 Million'],
    ['<%= number_to_currency(-1234.5) %> <%= number_to_percentage(12, precision: 0) %>', '-$1,234.50 12%'],
    ['<%= join_with_line_break(["a", "b"]) %>', 'a\nb'],
    ['<%= rand(5) < 5 %> <%= rand < 1 %><% log_info "x" %>', 'true true'],
    ['<%= (parse_json("{") rescue "bad") %> <%= (parse_yaml("- !x {}") rescue "bad") %>', 'bad bad'],
    ['<% begin; raise StandardError, "m"; rescue StandardError => e %><%= e.is_a?(StandardError) %><% end %>', 'true'],
  ])('%s', (template, text) => {
    expect(render(template, WORLD)).toBe(text)
  })
})

function rubyMissing(): boolean {
  try {
    execFileSync('ruby', ['-v'], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
}
