import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTemplate, render, TemplateError } from '../../src/templates/index.ts'
import { WORLD } from './world.ts'

const MANY = 100_000
/** Matches no error, or one with its line. */
const LOCATED = /^$|^line \d+: ./

describe('a template that would use too much is stopped', () => {
  test.each([
    ['<% while true %>x<% end %>', 'took more than'],
    ['<% loop do end %>', 'took more than'],
    ['<% loop { next } %>', 'took more than'],
    ['<% begin; loop { }; rescue; ensure; x = 1; end %>', 'took more than'],
    ['<% loop { nil.x rescue 1 } %>', 'took more than'],
    ['<% begin; parse_json("[" * 100_000); rescue; loop { }; end %>', 'took more than'],
    ['<%= parse_json("[" * 100_000 + "]" * 100_000) %>', 'nested'],
    ['<% a = parse_yaml("a: &a [x]\nb: [*a, *a]"); loop { a = [a, a] } %><%= a %>', 'than'],
    [
      '<%= parse_yaml("a: &a [x, x, x]\n" + (1..9).map { |i| "b#{i}: &b#{i} [*a, *a, *a, *a]\n" }.join) %>',
      'this is no YAML',
    ],
    ['<%= parse_json("1" * 300_000) %>', 'may have 200000 characters'],
    ['<% until false do end %>', 'took more than'],
    ['<% f = ->(x) { f.(x) } %><% f.(1) %>', 'nested'],
    ["<%= 'a' * 10**9 %>", 'built more than'],
    ["<% s = 'a' * 1000; loop { s += s } %>", 'built more than'],
    ['<% s = "a"; loop { s << s } %>', 'built more than'],
    ['<%= (1..10**12).to_a %>', 'built more than'],
    ['<%= (1..10**12).sum %>', 'built more than'],
    ['<% (1..10**12).each { } %>', 'took more than'],
    ['<% 10000000000.times { } %>', 'took more than'],
    ['<%= [0] * 10**9 %>', 'built more than'],
    ['<% a = []; a[10**9] = 1 %>', 'built more than'],
    ["<%= 'a'.ljust(10**9) %>", 'built more than'],
    ["<%= '%100000d' % 1 %>", 'a width may be 10000'],
    ['<%= 2 ** (10 ** 9) %>', 'integer is too big'],
    ['<%= 1 << (10 ** 9) %>', 'integer is too big'],
    ['<% n = 3; loop { n = n * n } %>', 'integer is too big'],
    ['<% a = [1]; 60.times { a = [a, a] } %><%= a %>', 'more than'],
    ['<% a = [1]; 60.times { a = [a, a] } %><%= a == a.dup ? a.flatten.size : 0 %>', 'took more than'],
    ['<% a = []; a << a %><%= a %>', 'nested more than'],
    ['<% a = []; a << a %><%= a.flatten %>', 'nested more than'],
    ['<% h = {}; h[:h] = h %><%= h.to_json %>', 'nested more than'],
    ['<% a = []; a << a; b = []; b << b %><%= a == b %>', 'nested more than'],
    ['<% a = [1]; a.each { |x| a << x } %>', 'took more than'],
    ["<% s = 'ab' * 1_000_000; 5000.times { s.include?('x') } %>", 'took more than'],
    ["<% s = 'x' * 3_000_000; loop { s =~ /y/ } %>", 'took more than'],
    ["<%= ('x' * 8_000_000) =~ /(x+x+)+y/ %>", 'too long for this regular expression'],
    ['<% x = "x" * 100_000; 1000.times { %><%= x %><% } %>', 'rendered more than'],
    ["<%= ('a' * 3000) =~ /#{'(a?)' * 600}/ %>", 'may have 2000 characters'],
  ])('%j', (template, message) => {
    expect(() => render(template)).toThrow(TemplateError)
    expect(() => render(template)).toThrow(message)
  })

  test.each([
    ['(', 'nested more than'],
    ['[', 'nested more than'],
    ['{ a: ', 'nested more than'],
    ['!', 'nested more than'],
    ['- ', 'nested more than'],
    ['not ', 'nested more than'],
    ['1 + ', ''],
    ['x = ', 'nested more than'],
    ['1 ? ', 'nested more than'],
    ['f ', 'nested more than'],
    ['->(x) { ', 'nested more than'],
    ['if 1;', 'nested more than'],
    ['x.y', ''],
    ['"#{', 'nested too deeply'],
    ['a, ', ''],
    ['"', ''],
    ['/a', ''],
    ['2 ** ', 'nested more than'],
    ['|', ''],
    ['\n', ''],
    ['#\n', ''],
    ['%w[', ''],
  ])('100,000 times %j', (piece, message) => {
    const text = piece.repeat(MANY)
    for (const template of [`<%= ${text} %>`, `<% ${text} %>`]) {
      const result = attempt(template)
      if (result !== '') expect(result).toMatch(new RegExp(`${message}|200000 words`))
    }
  })

  test('long chains and many tags are read in time, and run or are stopped', () => {
    expect(attempt(`<%= ${'1 + '.repeat(50_000)}1 %>`)).toContain('nested')
    expect(attempt(`<%= x${'.y'.repeat(50_000)} %>`)).toContain('nested')
    expect(attempt(`<% ${'x;'.repeat(200_000)} %>`)).toContain('may have 200000 words')
    expect(attempt('<% x = 1 %>'.repeat(20_000))).toBe('')
    expect(attempt('<%'.repeat(MANY))).toBe('')
    expect(attempt('<%='.repeat(MANY))).toBe('')
    expect(attempt('<%%'.repeat(MANY))).toBe('')
    expect(attempt('<% if 1 %>'.repeat(20_000))).toContain('nested more than')
    expect(attempt('<% case 1 when 1 %>'.repeat(20_000))).toContain('nested more than')
    expect(attempt(`<% [1].each do |${'(a, '.repeat(20_000)}| end %>`)).toContain('nested more than')
    expect(attempt(`${' '.repeat(MANY)}<%- %>`.repeat(5))).toBe('')
    expect(attempt(`${'x'.repeat(1_000_001)}<% %>`)).toContain('may have 1000000 characters')
  })

  test('regular expressions take time in proportion to the text', () => {
    expect(render("<%= ('a' * 30_000 + 'b') =~ /(a+)+$/ %>")).toBe('')
    expect(render("<%= ('a' * 30_000) =~ /(a|aa)*b/ %>")).toBe('')
    expect(render("<%= ('x' * 20_000).gsub(/x/, 'yy').size %>")).toBe('40000')
    expect(() => render("<%= ('a' * 100_000).gsub(/a.*b|a/, 'c').size %>")).toThrow(TemplateError)
  })
})

describe('random text', () => {
  test('without tags renders to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!isTemplate(text))
        expect(render(text)).toBe(text)
        expect(render(`${text}<% %>`)).toBe(text)
      }),
    )
  })

  test('of the words of the language renders or throws TemplateError', () => {
    const words =
      `if else elsif end unless while do |x| { } ( ) [ ] , . &. : :: ? ! = == + - * / % ** << < > <=> .. ... => -> & | ;
      nil true 1 2.5 "a" "#{x}" 'b' :s %w[a] /r/ /( @host @y x y z x: name map each inject sum first size sort to_s upcase split
      gsub format puts case when then in for not and or break next lambda loop indent begin rescue defined? += ||= $1 $~ Integer File
      method [] []= merge keys fetch send \\n # <% %> <%= -%> <%- <%% %%> text 10**9 raise snippet`.split(/\s+/)
    const template = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((each) => each.join(' '))
    fc.assert(
      fc.property(template, fc.boolean(), (code, isOutput) => {
        expect(attempt(isOutput ? `<%= ${code} %>` : `<% ${code} %>`)).toMatch(LOCATED)
      }),
      { numRuns: 1500 },
    )
  })

  test('of any characters in tags renders or throws TemplateError', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (code) => {
        expect(attempt(`<%= ${code} %>`)).toMatch(LOCATED)
      }),
      { numRuns: 500 },
    )
  })

  test('of methods with random arguments gives a value or throws TemplateError', () => {
    const values = [
      'nil',
      '1',
      '-3',
      '2.5',
      '10**30',
      '"aé😀"',
      '""',
      ':s',
      '[3, 1]',
      '[]',
      '{a: 1}',
      '(1..3)',
      '/a/',
      'true',
      '->(x) { x }',
      '@host',
    ]
    const methods =
      `[] + - * / % << <=> == === =~ ! size first last map select inject sum sort sort_by min max uniq flatten join split sub gsub tr
      scan match index slice insert center ljust truncate format to_i to_f to_s to_a to_h inspect to_json to_yaml dig fetch merge zip
      each_slice each_cons rotate take drop count include? start_with? upto downto step round floor clamp digits chr succ transpose
      product group_by tally partition transform_values invert values_at delete squeeze indent lines chars each_with_index with_index`.split(
        /\s+/,
      )
    const call = fc.tuple(
      fc.constantFrom(...values),
      fc.constantFrom(...methods),
      fc.array(fc.constantFrom(...values), { maxLength: 2 }),
      fc.constantFrom('', ' { |x| x }', ' { |x, y| y }'),
    )
    fc.assert(
      fc.property(call, ([self, method, args, block]) => {
        const isWord = /^\w+\??$/.test(method)
        const code = isWord ? `${self}.${method}(${args.join(', ')})${block}` : `${self} ${method} ${args[0] ?? '1'}`
        expect(attempt(`<%= ${code} %>`)).toMatch(LOCATED)
      }),
      { numRuns: 2000 },
    )
  })
})

/** Yields the message of the TemplateError, '' for none. Any other error fails the test. */
function attempt(template: string): string {
  try {
    render(template, WORLD)
    return ''
  } catch (error) {
    if (error instanceof TemplateError) return error.message
    throw error
  }
}
