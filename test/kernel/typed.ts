import type { HostFields } from '../../src/areas/inventory/index.ts'
import {
  boolean,
  type Draft,
  defineResource,
  link,
  type NewDraft,
  type Rule,
  type Stored,
  text,
  type WriteWrapper,
} from '../../src/kernel/index.ts'

// What must not compile, and what must: `tsc` checks this file, nothing runs it. An unused `@ts-expect-error` is an error.

const fields = {
  name: text({ required: true, doc: 'A name.' }),
  comment: text({ doc: 'For people.' }),
  size: text({ blank: 'small', doc: 'How large.' }),
  hostgroup: link('hostgroup', { doc: 'A group.' }),
  build: boolean({ initial: false, doc: 'Whether it waits.' }),
}

/** Asserts a type; a value of another type does not compile. */
function is<Type>(value: Type): Type {
  return value
}

/** Rules, writes and rows know the names and types of the declared fields. */
export const machines = defineResource({
  name: 'machine',
  summary: 'A machine.',
  fields,
  label: 'name',
  views: { list: ['id'], show: ['id'] },
  visibility: { seenWith: ['hostgroup'] },
  routes: { parents: { hostgroup: 'hostgroup' } },
  rules: [
    (record, draft, _ctx, stored) => {
      is<number | null | undefined>(draft.hostgroup)
      is<number | null | undefined>(stored?.hostgroup_id)
      is<string | undefined>(record.name)
      // @ts-expect-error a misspelled field
      draft.hostgruop
      // @ts-expect-error rows hold the id of a link in a column of its own name
      stored?.hostgroup
      // @ts-expect-error a text is no number
      is<number | undefined>(record.name)
      return undefined
    },
  ],
  wrapWrite: {
    async create(_ctx, draft, next) {
      is<string>(draft.name)
      // @ts-expect-error may be missing: it is not required
      is<string | null>(draft.comment)
      // @ts-expect-error no field
      await next({ ...draft, hostgruop: 1 })
      // @ts-expect-error of another type
      return next({ ...draft, build: 'yes' })
    },
    async update(_ctx, stored, draft, next) {
      is<string>(stored.name)
      is<string | null>(stored.comment)
      is<string>(stored.size)
      // @ts-expect-error only what was sent is in the draft
      is<string>(draft.name)
      await next(draft)
    },
  },
})

defineResource({
  name: 'machine',
  summary: 'Facts that name fields, which are none.',
  fields,
  // @ts-expect-error no field
  label: 'nmae',
  views: { list: ['id'], show: ['id'] },
  // @ts-expect-error no field
  visibility: { partOf: 'hostgruop' },
  // @ts-expect-error no field
  routes: { parents: { hostgroup: 'hostgruop' } },
})

/** Fields that helpers spread into a declaration are known; what another area adds to writes of hosts knows both. */
export const elsewhere: WriteWrapper<HostFields & typeof fields> = {
  async update(_ctx, stored, draft, next) {
    is<number | null>(stored.organization_id)
    is<boolean | undefined>(draft.managed)
    is<readonly string[] | undefined>(draft.interfaces?.items.map(({ label }) => label ?? ''))
    // @ts-expect-error interfaces are in a table of their own
    stored.interfaces
    // @ts-expect-error no field of hosts
    draft.hostgruop
    await next(draft)
  },
}

/** A list of all resources holds each of them, whatever its fields. */
export const rule: Rule = (record: Draft<typeof fields>) => (record.build ? { build: [record.name ?? ''] } : undefined)

/** What a draft and a row of a machine are. */
export function compare(draft: NewDraft<typeof fields>, stored: Stored<typeof fields>): boolean {
  // @ts-expect-error no column
  stored.hostgruop_id
  return draft.name === stored.name && draft.hostgroup === stored.hostgroup_id
}
