import { z } from 'zod'
import { type Context, hasPermission, inTransaction } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, denied, invalid } from '../../../errors.ts'
import {
  type Action,
  createRecord,
  limitToVisible,
  lock,
  permissionOf,
  type Resource,
  readAttributes,
  readDraft,
  type Sent,
  selectRecord,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { parseMetadata } from './metadata.ts'
import { loadRawRecord, type TextResource, textKeyOf } from './raw.ts'

const flag = z.preprocess(toBoolean, z.boolean({ error: 'must be true or false' }).nullish())
const OPTIONS = z.object({
  associate: z.enum(['new', 'always', 'never'], { error: 'must be new, always or never' }).nullish().meta({
    description: 'When the operating systems, organizations and locations of the comment count; default: new.',
  }),
  force: flag.meta({ description: 'Change the template of that name although it is locked.' }),
  lock: flag.meta({ description: 'Lock what is imported.' }),
})

/**
 * The action that takes a text with its description at the head, and creates the template or changes the one of that
 * name (core-api §11).
 */
export function importText(name: TextResource): Action {
  const text = z.object({
    name: z.string().optional().meta({ description: 'Its name; default: that of the comment.' }),
    template: z.string().meta({ description: 'Text of the template.' }),
    organization_ids: z.array(z.int()).nullish().meta({ description: 'Ids that replace those of the comment.' }),
    location_ids: z.array(z.int()).nullish().meta({ description: 'Ids that replace those of the comment.' }),
  })
  return {
    method: 'POST',
    path: '/import',
    name: 'import',
    summary: `Make or change a ${name.replaceAll('_', ' ')} from a text with a comment at its head`,
    permissions: [`create_${name}s`],
    body: z.object({
      [name]: text.meta({ description: 'The text, and where it belongs.' }),
      options: OPTIONS.nullish().meta({ description: 'Options of the import.' }),
    }),
    outputs: 'deleted',
    status: 201,
    handle: importTemplate,
  }
}

async function importTemplate(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const sent = readAttributes(resource, input.body)
  const options = OPTIONS.safeParse(input.body.options ?? {})
  if (!options.success) throw badParameter('options', input.body.options, z.prettifyError(options.error))
  const { associate, force, lock: locked } = options.data
  const metadata = typeof sent.template === 'string' ? parseMetadata(sent.template) : {}
  if (!metadata) throw invalid({ template: ['has a comment at its head that is not YAML'] })
  const name = sent.name ?? metadata.name
  const known = typeof name === 'string' && isText(name) ? await findByName(ctx, resource, name) : null
  if (known !== null && !hasPermission(ctx, permissionOf(resource, 'edit')))
    throw denied([permissionOf(resource, 'edit')])
  const associates = associate === 'always' || (associate !== 'never' && known === null)
  const validated = await validate(ctx, resource, {
    name,
    [textKeyOf(resource)]: sent.template,
    snippet: metadata.snippet ?? false,
    ...(metadata.kind && 'template_kind' in resource.fields && { template_kind_name: metadata.kind }),
    ...(metadata.description && { description: metadata.description }),
    ...(associates &&
      metadata.oses &&
      'operatingsystems' in resource.fields && { operatingsystem_ids: await findOperatingsystems(ctx, metadata.oses) }),
    ...placesOf(sent, 'organization', associates ? metadata.organizations : undefined),
    ...placesOf(sent, 'location', associates ? metadata.locations : undefined),
    ...(typeof locked === 'boolean' && { locked }),
  })
  return inTransaction(ctx, async (tx) => {
    if (known === null) {
      const id = await createRecord(tx, resource, await readDraft(tx, resource, validated, null))
      return { status: 201, body: await loadRawRecord(tx, resource, id) }
    }
    const stored = await lock(tx, resource, known)
    const permitted = force && hasPermission(ctx, `lock_${resource.plural}`) ? { ...stored, locked: false } : stored
    await updateStored(tx, resource, permitted, await readDraft(tx, resource, validated, permitted))
    return { status: 201, body: await loadRawRecord(tx, resource, known) }
  })
}

/** Finds the id of the template with this name; null if there is none, or none that the caller may edit. */
async function findByName(ctx: Context, resource: Resource, name: string): Promise<number | null> {
  const [known] = await rows<{ id: number }>(
    ctx.db,
    sql`select id from ${sql.table(resource.table)} where name = ${name.trim()}`,
  )
  if (!known) return null
  const editable = limitToVisible(ctx, resource, permissionOf(resource, 'edit'))
  return (await selectRecord(ctx.db, resource, ['id'], known.id, editable)) ? known.id : null
}

/** Finds operating systems by the beginnings of their titles: `Debian` stands for all versions. */
async function findOperatingsystems(ctx: Context, beginnings: readonly string[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select o.id from operatingsystems o
      where exists (select from unnest(${beginnings.filter(isText)}::text[]) b where b <> '' and (o.name = b or starts_with(o.title, b))) order by o.id`,
  )
  return found.map(({ id }) => id)
}

/** Whether the database can store the text; if not, it names nothing. */
function isText(text: string): boolean {
  return !text.includes('\0')
}

function placesOf(sent: Sent, kind: string, titles: readonly string[] | undefined): Record<string, unknown> {
  const ids = sent[`${kind}_ids`]
  if (ids !== undefined && ids !== null) return { [`${kind}_ids`]: ids }
  return titles ? { [`${kind}_titles`]: titles } : {}
}
