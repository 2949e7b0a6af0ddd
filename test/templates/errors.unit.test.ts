import { describe, expect, test } from 'vitest'
import { compile, createReader, Float, render, type TemplateFunction } from '../../src/templates/index.ts'
import { WORLD } from './world.ts'

describe('a template that cannot be read', () => {
  test.each([
    ['a\n<% if x %>\nb', 'line 2: this if has no end'],
    ['<%= (1 %>', 'line 1: expected ), found the end of the template'],
    ['\n<% end %>', 'line 2: unexpected end'],
    ['<%= "abc %>', 'line 1: a text is not closed: " is missing'],
    ['<%= "#{1 %>', 'line 1: an interpolation is not closed: } is missing'],
    ['<%= `id` %>', 'line 1: commands in backquotes are not offered'],
    ['<% return 1 %>', 'line 1: return is not offered'],
    ['<% class X; end %>', 'line 1: class is not offered'],
    ['\n<% x = <<~END\n a\n%>', 'line 2: a text is not closed: a line with END is missing'],
    ['<% begin; x; else; end %>', 'line 1: unexpected else'],
    ['<%= [1, 2 %>', 'line 1: expected ], found the end of the line or tag'],
    ['<%= {1} %>', 'line 1: expected a key and =>, found }'],
    ['<%= 1 2 %>', 'line 1: expected the end of the line or tag, found 2'],
    ['<% 1 = 2 %>', 'line 1: this cannot be assigned to, found ='],
    ['<% @host.name = 2 %>', 'line 1: name cannot be set'],
    ['a\n<%= Net::HTTP.get(x) %>', 'line 2: names inside of constants are not offered, as Net::HTTP is'],
    ['<%= @host::Name %>', 'line 1: names inside of constants are not offered, as ::Name is'],
    ['<%= /a/q %>', 'line 1: unknown option q of a regular expression; i, m and x are known'],
  ])('%j', (template, message) => {
    expect(() => compile(template)).toThrow(expect.objectContaining({ name: 'TemplateError', message }))
    expect(() => render(template, WORLD)).toThrow(message)
  })
})

describe('a template that asks for what there is not', () => {
  test.each([
    ['a\n\n<%= @host.fqdn %>', "line 3: undefined method 'fqdn' for host; allowed are domain, name, params"],
    ['<%= nil.x %>', "line 1: undefined method 'x' for nil"],
    ['<%= @nope.x %>', "line 1: undefined method 'x' for nil"],
    ['<%= nope %>', "line 1: undefined local variable or method 'nope'"],
    ['<%= nope(1) %>', "line 1: undefined method 'nope'"],
    ['<%= 1.nope %>', "line 1: undefined method 'nope' for an Integer"],
    ['<%= [].nope %>', "line 1: undefined method 'nope' for an Array"],
    ['<%= File.read("/etc/passwd") %>', 'line 1: constant File is not offered'],
    ['<%= system("id") %>', "line 1: undefined method 'system'"],
    ['<%= eval("1") %>', "line 1: undefined method 'eval'"],
    ['<%= @host.send(:name) %>', "line 1: undefined method 'send' for host"],
    ['<%= $stdout %>', 'line 1: global variable $stdout is not offered'],
    ['<%= 1 / 0 %>', 'line 1: divided by 0'],
    ['<%= "a" + 1 %>', 'line 1: no implicit conversion of Integer into String'],
    ['<%= [1, "a"].sort %>', 'line 1: comparison of'],
    ['<%= {}.fetch(:a) %>', 'line 1: key not found: :a'],
    ['<%= "a".upcase(1, 2) %>', "line 1: wrong number of arguments for 'upcase' (given 2, expected 0)"],
    ['<%= @host.name(1) %>', "line 1: wrong number of arguments for 'name' (given 1, expected 0)"],
    ['<% raise "no tier" %>', 'line 1: no tier'],
    ['<%= Integer("x") %>', 'line 1: invalid value for Integer(): "x"'],
    ['<%= "a" =~ /(?=a)/ %>', 'line 1: this regular expression is not understood'],
    ['<%= "a" =~ /a\\Z/ %>', 'line 1: \\Z is not offered'],
    ['<%= ["a"].last << "x" %>', 'line 1: a text inside of a list cannot be appended to'],
    ['<% x = "abc"; x[0] = "z" %>', 'line 1: a part of a text cannot be replaced in place'],
    ['<% def x(a); a; end; x %>', 'line 1: wrong number of arguments (given 0, expected 1)'],
    ['<% def x(a, b = 1); end; x(1, 2, 3) %>', 'line 1: wrong number of arguments (given 3, expected 1..2)'],
    ['<% y = 1; def x; y; end; x %>', "line 1: undefined local variable or method 'y'"],
    ['<% def x; x; end; x %>', 'line 1: nested more than 500 levels deep'],
  ])('%j', (template, message) => {
    expect(() => render(template, WORLD)).toThrow(message)
  })

  test('never reaches what JavaScript objects have', () => {
    const names = [
      'constructor',
      '__proto__',
      'prototype',
      'toString',
      'hasOwnProperty',
      'valueOf',
      '__defineGetter__',
      'methods',
    ]
    for (const name of names) {
      for (const value of [
        '@host',
        '@data',
        '"a"',
        '[1]',
        '{a: 1}',
        '1',
        '1.5',
        'nil',
        ':a',
        '(1..2)',
        '/a/',
        '->(x) { x }',
      ])
        expect(() =>
          render(`<%= ${value}.${name} %>`, { variables: { ...WORLD.variables, '@data': { a: 1 } } }),
        ).toThrow(`undefined method '${name}'`)
      expect(() => render(`<%= ${name} %>`, WORLD)).toThrow(`undefined local variable or method '${name}'`)
      expect(() => render(`<%= ${name}() %>`, WORLD)).toThrow(`undefined method '${name}'`)
    }
    expect(
      render('<%= @data["constructor"].inspect %><%= @data["__proto__"].inspect %>', { variables: { '@data': {} } }),
    ).toBe('nilnil')
  })
})

describe('what a caller gives', () => {
  test('keeps integers and reals apart, and large integers exact', () => {
    const given = { a: 2, b: new Float(2), c: 2n ** 70n, d: 1.5, e: [null, undefined], f: new Map([[1, 'x']]) }
    expect(render('<%= @x %>', { variables: { '@x': given } })).toBe(
      '{"a"=>2, "b"=>2.0, "c"=>1180591620717411303424, "d"=>1.5, "e"=>[nil, nil], "f"=>{1=>"x"}}',
    )
  })

  test('is not changed by a template', () => {
    const list = ['a']
    const data = { list }
    const text = render('<% @data["list"] << "b"; @data["x"] = 1 %><%= @data %>', { variables: { '@data': data } })
    expect(text).toBe('{"list"=>["a", "b"], "x"=>1}')
    expect(data).toEqual({ list: ['a'] })
  })

  test('looks like data of this language and is none: it is only data', () => {
    const data = { type: 'reader', name: 'x', methods: { a: 1 }, real: 2, call: 'y' }
    expect(() => render('<%= @data.a %>', { variables: { '@data': data } })).toThrow("undefined method 'a' for a Hash")
  })

  test('functions get arguments, names and blocks, and fail with the line', () => {
    const show: TemplateFunction = ({ args, named, block }) =>
      `${args.map((each) => `${typeof each}:${each}`).join(',')};${[...named.keys()].join()};${block?.capture(1) ?? '-'}`
    const functions = { show, no: (({ fail }) => fail('not today')) satisfies TemplateFunction }
    expect(render('<%= show 1, 2.0, "a", k: 1 %>', { functions })).toBe('number:1,object:2.0,string:a;k;-')
    expect(render('<%= show do |x| %>[<%= x %>]<% end %>', { functions })).toBe(';;[1]')
    expect(() => render('\n<%= no %>', { functions })).toThrow('line 2: not today')
    expect(
      render('<%= same(2.0) %><%= same([1, {a: 2.5}]) %>', { functions: { same: ({ args: [value] }) => value } }),
    ).toBe('2.0[1, {:a=>2.5}]')
  })

  test('readers have methods that are values or functions', () => {
    const subnet = createReader('subnet', { network: '10.0.0.0', ip: ({ args: [n] }) => `10.0.0.${n}` }, '10.0.0.0/24')
    expect(
      render('<%= @s %> <%= @s.network %> <%= @s.ip(5) %> <%= @s.respond_to?(:ip) %> <%= [@s, @s].uniq.size %>', {
        variables: { '@s': subnet },
      }),
    ).toBe('10.0.0.0/24 10.0.0.0 10.0.0.5 true 1')
  })
})
