import { isViolationOf } from '../../../database/failures.ts'
import { invalid } from '../../../errors.ts'
import { defineResource, type Field, link } from '../../../kernel/index.ts'
import { toInteger } from '../../../requests/sent.ts'
import { NESTED, olderHandlers, SINCE } from './older-handlers.ts'
import { OLDER_KEYS, OLDER_WORDS } from './older-words.ts'

/** The keys that other records show of a combination, in order. */
export const COMBINATION_KEYS = [
  'id',
  'provisioning_template_id',
  'provisioning_template_name',
  'hostgroup_id',
  'hostgroup_name',
  'environment_id',
  'environment_name',
  'config_template_id',
  'config_template_name',
]
const KEYS = ['created_at', 'updated_at', ...COMBINATION_KEYS]

/**
 * Bindings of templates to host groups and environments (spec 2.5 and 4.4, core-api §1.6). `rendering/choice.ts` says
 * which template a host gets.
 */
export const templateCombinations = defineResource({
  name: 'template_combination',
  summary: 'Binds a provisioning template to a host group, an environment, or both.',
  fields: {
    provisioning_template: link('provisioning_template', {
      required: true,
      onDelete: 'cascade',
      search: true,
      doc: 'The template.',
    }),
    hostgroup: readZeroAsNone(
      'hostgroup_id',
      link('hostgroup', { onDelete: 'cascade', search: true, doc: 'The host group that uses it; null or 0: any.' }),
    ),
    environment: readZeroAsNone(
      'environment_id',
      link('environment', { onDelete: 'cascade', search: true, doc: 'The environment that uses it; null or 0: any.' }),
    ),
  },
  readable: OLDER_KEYS,
  views: { list: KEYS, show: KEYS, order: 'id' },
  visibility: { partOf: 'provisioning_template', seenWith: ['hostgroup', 'environment'] },
  permissions: { word: 'provisioning_templates' },
  routes: {
    parents: {
      provisioning_template: 'provisioning_template',
      hostgroup: 'hostgroup',
      environment: 'environment',
    },
    nestedOnly: true,
  },
  wire: {
    paths: {
      provisioning_template: NESTED,
      hostgroup: NESTED,
      environment: NESTED,
      flat: ['show', 'delete'],
    },
    aliases: OLDER_WORDS,
    queried: ['provisioning_template_id', 'hostgroup_id', 'environment_id'],
    handlers: olderHandlers,
    createEditsParent: true,
    deprecated: { operations: NESTED, since: SINCE },
  },
  audited: false,
  wrapWrite: {
    create: (_ctx, draft, next) => refuseTwins(null, () => next(draft)),
    update: (_ctx, stored, draft, next) => refuseTwins(stored.id, () => next(draft)),
  },
})

/** Makes a field take 0 as null, because existing servers store 0 where no host group is bound (core-api §1.6). */
function readZeroAsNone(key: string, field: Field<number | null>): Field<number | null> {
  return {
    ...field,
    writable: (at) => {
      const keys = field.writable(at)
      const own = keys[key]
      return own ? { ...keys, [key]: { ...own, coerce: toNoneIfZero } } : keys
    },
  }
}

function toNoneIfZero(sent: unknown): unknown {
  const id = toInteger(sent)
  return id === 0 ? null : id
}

/** Refuses a second combination of the same template, host group and environment; the message is at both fields. */
async function refuseTwins<Result>(id: number | null, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    if (!isViolationOf(error, TWINS)) throw error
    const taken = ['has already been taken']
    throw invalid({ environment_id: taken, hostgroup_id: taken }, id)
  }
}

const TWINS = 'template_combinations_hostgroup_id_key'
