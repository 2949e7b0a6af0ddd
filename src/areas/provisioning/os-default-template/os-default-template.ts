import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { type Draft, defineResource, link } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { OLDER_KEYS, OLDER_WORDS } from '../template-combination/older-words.ts'

/** The keys that other records show of a default template, in order. */
export const DEFAULT_KEYS = [
  'id',
  'provisioning_template_id',
  'provisioning_template_name',
  'template_kind_id',
  'template_kind_name',
  'operatingsystem_id',
  'operatingsystem_name',
  'config_template_id',
  'config_template_name',
]

const fields = {
  provisioning_template: link('provisioning_template', {
    required: true,
    onDelete: 'around',
    doc: 'The template, of that kind.',
  }),
  template_kind: link('template_kind', { required: true, doc: 'The kind; one template of each.' }),
  operatingsystem: link('operatingsystem', {
    required: true,
    readOnly: true,
    onDelete: 'cascade',
    doc: 'The operating system.',
  }),
}

type DefaultFields = typeof fields

/** The default template of an operating system for each kind, used when no combination applies (core-api §11). */
export const osDefaultTemplates = defineResource({
  name: 'os_default_template',
  summary: 'The default template of an operating system for one kind.',
  fields: fields,
  readable: OLDER_KEYS,
  views: { list: DEFAULT_KEYS, show: DEFAULT_KEYS, order: 'id' },
  visibility: { partOf: 'operatingsystem', seenWith: ['provisioning_template'] },
  routes: {
    parents: { operatingsystem: 'operatingsystem', provisioning_template: 'provisioning_template' },
    nestedOnly: true,
  },
  wire: {
    paths: { provisioning_template: ['list'] },
    aliases: OLDER_WORDS,
  },
  wrapWrite: {
    async create(ctx, draft, next) {
      await refuseOtherKind(ctx, draft, null)
      return next(draft)
    },
    async update(ctx, stored, draft, next) {
      const { provisioning_template_id, template_kind_id } = stored
      await refuseOtherKind(
        ctx,
        { provisioning_template: provisioning_template_id, template_kind: template_kind_id, ...draft },
        stored.id,
      )
      await next(draft)
    },
  },
})

/** Refuses a template of another kind than the default is for; it keeps its kind meanwhile. {@throws Failure} invalid */
async function refuseOtherKind(ctx: Context, draft: Draft<DefaultFields>, id: number | null): Promise<void> {
  const found = await row<{ matches: boolean }>(
    ctx.db,
    sql`select coalesce(template_kind_id = ${draft.template_kind}::bigint, false) as matches from templates where id = ${draft.provisioning_template}::bigint for share`,
  )
  if (found?.matches === false) throw invalid({ provisioning_template_id: ['is not of this kind'] }, id)
}
