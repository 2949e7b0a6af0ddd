import { expect, test } from 'vitest'
import { render, TemplateError } from '../../src/templates/index.ts'

/** A text as large as a few steps can make it. */
const LONG = "long = 'b' * 4_000_000"

test.each([
  "'s'.count(long)",
  "'s'.delete(long)",
  "'s'.squeeze(long)",
  "'s'.tr(long, 'x')",
  "'s'.tr('x', long)",
  "'s'.tr_s('x', long)",
])('%s takes no sets of characters that are long to read', (call) => {
  expect(() => render(`<% ${LONG}; ${call} %>`)).toThrow(TemplateError)
})

test.each([
  'long.swapcase',
  'long.reverse',
  "long.tr('b', 'c')",
  "long.count('c')",
  "long.delete('c')",
  'long.squeeze',
  'long.capitalize',
  "'s'.casecmp?(long)",
  "'s'.start_with?(long)",
  'name.upcase',
  'name.downcase',
  '(2 ** 60_000).digits',
])('%s counts by what it looks at', (call) => {
  const template = `<% ${LONG}; name = long.to_sym; tried = 0; 200.times { tried += 1; ${call} } %>`
  expect(() => render(template)).toThrow(/took more than|built more than/)
})

test('operations on short texts in templates of sites stay within the budget', () => {
  const template = `<% 2000.times { |i| s = "node-#{i}.example.test"; s.tr('-', '_').upcase.delete('.').count('a-z'); s.reverse.squeeze } %>ok`
  expect(render(template)).toBe('ok')
})
