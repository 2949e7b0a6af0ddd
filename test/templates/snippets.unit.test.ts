import { describe, expect, test } from 'vitest'
import { renderLoading } from '../../src/templates/index.ts'
import { WORLD } from './world.ts'

describe('snippets', () => {
  test('are put in, with variables, indentation and each other', async () => {
    const text = await rendered(
      "a <%= snippet 'b', variables: { x: 1 } %> <%= indent(2) { snippet('c') } %><%= @x.inspect %>",
      {
        b: 'B<%= @x %><%= snippet("c") -%>\n',
        c: 'C\nD',
      },
    )
    expect(text).toBe('a B1C\nD   C\n  Dnil')
  })

  test('see the variables of the template with @, and not its others', async () => {
    expect(
      await rendered("<% @a = 1; b = 2 %><%= snippet 's' %><%= @c %>", { s: '<%= @a %><%= @host.name %><% @c = 3 %>' }),
    ).toBe('1n1.lab.test3')
    await expect(rendered("<% b = 2 %><%= snippet 's' %>", { s: '<%= b %>' })).rejects.toThrow(
      "snippet 's', line 1: undefined local variable or method 'b'",
    )
  })

  test('are loaded once each, those named in plain text before the template runs', async () => {
    const loaded: string[] = []
    const load = async (name: string) => {
      loaded.push(name)
      return name === 'a' ? '<%= snippet "b" %>' : `(${name})`
    }
    const source = '<%= snippet "a" %><% 3.times do |i| %><%= snippet "made-" + i.to_s %><% end %><%= snippet "a" %>'
    expect(await renderLoading(source, {}, load)).toBe('(b)(made-0)(made-1)(made-2)(b)')
    expect(loaded).toEqual(['a', 'b', 'made-0', 'made-1', 'made-2'])
  })

  test('know their name, and can be rescued from without a trace', async () => {
    const named = { s: '<%= template_name %> <%= @template_name %>', bad: '<% @a.foo %>' }
    const source = `<%= template_name %>,<%= snippet 's' %>,<%= snippet('bad', variables: { a: 1 }) rescue 'bad' %>`
    const known = async (name: string) => new Map(Object.entries(named)).get(name) ?? null
    expect(await renderLoading(`${source},<%= @a.inspect %>,<%= @template_name %>`, { name: 'whole' }, known)).toBe(
      'whole,s s,bad,nil,whole',
    )
    await expect(rendered('<% begin %><%= snippet "bad" %><% ensure; x = 1; end %>', named)).rejects.toThrow(
      "snippet 'bad', line 1: undefined method 'foo' for nil",
    )
  })

  test('that are not there are an error only where they are needed', async () => {
    expect(await rendered("<% if false %><%= snippet 'x' %><% end %><%= snippet_if_exists 'y' %>.", {})).toBe('.')
    await expect(rendered("\n<%= snippet 'x' %>", {})).rejects.toThrow("line 2: there is no snippet 'x'")
  })

  test('that cannot be read are an error only where they are needed, with their own line', async () => {
    expect(await rendered("<% if false %><%= snippet 'x' %><% end %>.", { x: '\n<% if %>' })).toBe('.')
    await expect(rendered("<%= snippet 'x' %>", { x: '\n<% if %>' })).rejects.toThrow(
      "snippet 'x', line 2: expected a value",
    )
  })

  test('that put in each other are an error that names them', async () => {
    await expect(
      rendered("<%= snippet 'a' %>", { a: '<%= snippet "b" %>', b: '\n<%= snippet "a" %>' }),
    ).rejects.toThrow("snippet 'a', snippet 'b', line 2: snippets put in each other: a > b > a")
  })

  test('have limits: how deep, how many, and one budget for all', async () => {
    const endless = async (name: string) => `<%= snippet "s${Number(name.slice(1)) + 1}" %>`
    await expect(renderLoading("<%= snippet 's0' %>", {}, endless)).rejects.toThrow('names more than 200 snippets')
    const made = async (name: string) => `<%= snippet "s" + "${Number(name.slice(1)) + 1}" %>`
    await expect(renderLoading("<%= snippet 's0' %>", {}, made)).rejects.toThrow(
      'snippets are nested more than 10 deep',
    )
    const slow = '<% 350.times { 350.times { } } %><% 100.times do |i| %><%= snippet "x#{i}" %><% end %>'
    await expect(renderLoading(slow, {}, async () => 'x')).rejects.toThrow('took more than 500000 steps')
  })

  test('that fail to load fail as they did', async () => {
    const load = () => Promise.reject(new Error('database gone'))
    await expect(renderLoading("<%= snippet 'x' %>", {}, load)).rejects.toThrow('database gone')
  })
})

function rendered(source: string, snippets: Record<string, string>): Promise<string> {
  const known = new Map(Object.entries(snippets))
  return renderLoading(source, WORLD, async (name) => known.get(name) ?? null)
}
