import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { boolean, type Draft, defineResource, link, links, type Stored, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { parts } from '../../../records/parts.ts'
import { buildTaxonomyFields } from '../../../records/taxonomy-fields.ts'
import type { Join } from '../../../search/schema.ts'
import { sql } from '../../../sql.ts'
import { DEFAULT_KEYS } from '../os-default-template/os-default-template.ts'
import { lockedWrites } from '../ptable/locking.ts'
import { COMBINATION_KEYS } from '../template-combination/template-combination.ts'
import { auditComment } from './audit-comment.ts'
import { clone } from './clone.ts'
import { exportText } from './export.ts'
import { importText } from './import.ts'
import { RAW_KEYS } from './raw.ts'
import { revision } from './revision.ts'
import { MAX_TEMPLATE, source } from './source.ts'
import { NO_VENDOR } from './vendor-search.ts'

/** The permission to lock and unlock templates (core-api §7.1). */
const LOCKING = 'lock_provisioning_templates'

const guard = lockedWrites(LOCKING, ['name', 'template', 'description', 'snippet', 'template_kind'])

const KEYS = [
  'snippet',
  'description',
  'created_at',
  'updated_at',
  'id',
  'name',
  'template_kind_id',
  'template_kind_name',
]

const toCombination: Join = { table: 'template_combinations', column: 'provisioning_template_id', previous: 'id' }
const toOperatingsystem: Join = { table: 'template_operatingsystems', column: 'template_id', previous: 'id' }

const NAME = 'provisioning_template'

/** Provisioning templates (core-api §11). */
export const provisioningTemplates = defineResource({
  name: NAME,
  records: { table: 'templates' },
  summary: 'A text with tags that the service renders for a host during its installation, or a part of such texts.',
  fields: {
    template: source({ max: MAX_TEMPLATE, search: 'free', doc: 'The text, with tags.' }),
    locked: boolean({ initial: false, search: 'explicit', doc: 'Whether changes and deletion are blocked.' }),
    snippet: boolean({ initial: false, search: 'explicit', doc: 'Whether it is a part of other templates only.' }),
    default: boolean({
      initial: false,
      search: 'explicit',
      doc: 'Whether templates of every organization and location may include it as a snippet. Set by administrators only.',
    }),
    description: text({ max: 65_535, doc: 'Optional note.' }),
    name: text({ required: true, search: 'free', doc: 'Unique name, by which templates include snippets.' }),
    template_kind: link('template_kind', {
      doc: 'Kind of the template; required unless it is a snippet, which has none.',
    }),
    template_combinations: {
      ...parts('template_combination', {
        by: 'provisioning_template',
        key: 'template_combinations_attributes',
        knownBy: ['hostgroup', 'environment'],
        doc: 'Host groups and environments that use it.',
      }),
      readable: children('template_combination', {
        by: 'provisioning_template_id',
        show: COMBINATION_KEYS,
        doc: 'Host groups and environments that use it.',
      }).readable,
    },
    operatingsystems: links('operatingsystem', {
      through: 'template_operatingsystems',
      show: ['id', 'name', 'title'],
      doc: 'Operating systems it can install.',
    }),
    os_default_templates: children('os_default_template', {
      by: 'provisioning_template_id',
      show: DEFAULT_KEYS,
      doc: 'Operating systems whose default template it is.',
    }),
    cloned_from: link(NAME, { readOnly: true, onDelete: 'clear', doc: 'The template it is a copy of.' }),
    audit_comment: auditComment('Comment on the change, for its audit.'),
    ...buildTaxonomyFields('template'),
  },
  label: 'name',
  visibility: { taxable: true },
  views: {
    list: KEYS,
    show: [
      'template',
      'locked',
      'cloned_from_id',
      'default',
      ...KEYS,
      'template_combinations',
      'operatingsystems',
      'os_default_templates',
      'locations',
      'organizations',
    ],
    deleted: RAW_KEYS,
  },
  routes: { parents: { operatingsystem: 'operatingsystems' } },
  search: [
    NO_VENDOR,
    { name: 'default_template', type: 'boolean', column: 'default', explicit: true },
    {
      name: 'kind',
      type: 'text',
      column: 'name',
      nullable: true,
      through: [{ table: 'template_kinds', column: 'id', previous: 'template_kind_id' }],
    },
    {
      name: 'operatingsystem',
      type: 'text',
      column: 'name',
      nullable: true,
      many: true,
      through: [toOperatingsystem, { table: 'operatingsystems', column: 'id', previous: 'operatingsystem_id' }],
    },
    {
      name: 'environment',
      type: 'text',
      column: 'name',
      nullable: true,
      many: true,
      through: [toCombination, { table: 'environments', column: 'id', previous: 'environment_id' }],
      leadsTo: { resource: 'environment', column: 'id' },
    },
    {
      name: 'hostgroup',
      type: 'text',
      column: 'name',
      nullable: true,
      many: true,
      through: [toCombination, { table: 'hostgroups', column: 'id', previous: 'hostgroup_id' }],
      leadsTo: { resource: 'hostgroup', column: 'id' },
    },
  ],
  permissions: { further: [LOCKING] },
  rules: [
    ({ snippet, template_kind }) => (!snippet && !template_kind ? { template_kind_id: ["can't be blank"] } : undefined),
  ],
  wrapWrite: {
    create: (ctx, draft, next, resource) => {
      refuseDefaultOfOthers(ctx, null, draft)
      return guard.create(ctx, withoutKind(draft), next, resource)
    },
    update: (ctx, stored, draft, next, resource) => {
      refuseDefaultOfOthers(ctx, stored, draft)
      return guard.update(
        ctx,
        stored,
        withoutKind(draft, stored),
        async (changed) => {
          if (hasOtherKind(stored, changed)) await refuseWhileDefault(ctx, stored)
          await next(changed)
        },
        resource,
      )
    },
    delete: (ctx, stored, next, resource) =>
      guard.delete(
        ctx,
        stored,
        async () => {
          await refuseWhileDefault(ctx, stored)
          await next()
        },
        resource,
      ),
  },
  actions: [clone(NAME), exportText(NAME), importText(NAME), revision(NAME)],
})

/**
 * Refuses to change default templates, which every organization gets, to callers who are limited to some organizations.
 */
function refuseDefaultOfOthers({ user }: Context, stored: Stored | null, draft: Draft): void {
  if (user.admin) return
  const was = stored?.default === true
  const isMarked = draft.default !== undefined && draft.default !== was
  const isWritten = was && ['template', 'name'].some((key) => key in draft && draft[key] !== stored[key])
  if (isMarked || isWritten)
    throw invalid({ default: ['is for administrators to set, who also write what is marked so'] }, stored?.id ?? null)
}

/** Clears the kind in the draft of a snippet, because snippets have none. */
function withoutKind<D extends Draft>(draft: D, stored?: Stored): D {
  const isSnippet = draft.snippet ?? stored?.snippet
  return isSnippet && (draft.snippet || draft.template_kind) ? { ...draft, template_kind: null } : draft
}

/** Whether a template becomes one of another kind, or a snippet: defaults are for one kind. */
function hasOtherKind(stored: Stored, { template_kind }: Draft): boolean {
  return template_kind !== undefined && template_kind !== stored.template_kind_id
}

async function refuseWhileDefault(ctx: Context, { id, name }: Stored): Promise<void> {
  const users = await rows<{ title: string }>(
    ctx.db,
    sql`select o.title from os_default_templates d join operatingsystems o on o.id = d.operatingsystem_id
      where d.provisioning_template_id = ${id} order by o.title limit 50`,
  )
  if (users.length > 0) throw invalid({ base: users.map(({ title }) => `${name} is used by ${title}`) }, id)
}
