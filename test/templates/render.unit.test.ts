import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { render } from '../../src/templates/index.ts'
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
      execFileSync('ruby', [`${import.meta.dirname}/peer.rb`], { input, encoding: 'utf8' }),
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

function rubyMissing(): boolean {
  try {
    execFileSync('ruby', ['-v'], { stdio: 'ignore' })
    return false
  } catch {
    return true
  }
}
