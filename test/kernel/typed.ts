import type { Action, Around, Resource, Rule } from '../../src/kernel/definition.ts'
import { boolean, link, text } from '../../src/kernel/index.ts'
import type { Draft, NewDraft, Stored } from '../../src/kernel/record.ts'

const fields = {
  name: text({ doc: '' }),
  group: link('hostgroup', { doc: '' }),
  on: boolean({ initial: false, doc: '' }),
}
type F = typeof fields
export function f(r: Rule<F>, a: Around<F>, c: Action<F>, s: Stored<F>, d: Draft<F>, n: NewDraft<F>, q: Resource<F>) {
  const r1: Rule = r
  const s1: Stored = s
  const d1: Draft = d
  const n1: NewDraft = n
  const c1: Action = c
  const a1: Around = a
  const q1: Resource = q
  return [r1, s1, d1, n1, c1, a1, q1]
}
export function g(r: Rule, a: Around, c: Action) {
  const r1: Rule<F> = r
  const c1: Action<F> = c
  const a1: Around<F> = a
  return [r1, c1, a1]
}
