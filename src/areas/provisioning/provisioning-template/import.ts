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
  TAXONOMIES,
  type Taxonomy,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { toBoolean } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { limitToOwnTaxonomies } from '../../places/index.ts'
import { OS_FAMILIES } from '../operatingsystem/families.ts'
import { type Metadata, parseMetadata } from './metadata.ts'
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
  const metadata = typeof sent.template === 'string' ? parseMetadata(sent.template.replaceAll('\r', '')) : {}
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
    ...(await findFamily(ctx, resource, metadata)),
    ...(await findPlaces(ctx, ORGANIZATION, sent, associates ? metadata.organizations : undefined)),
    ...(await findPlaces(ctx, LOCATION, sent, associates ? metadata.locations : undefined)),
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

const [ORGANIZATION, LOCATION] = TAXONOMIES

/** The ids that were sent, else the places of these titles that there are within the caller's reach; others name nothing here. */
async function findPlaces(
  ctx: Context,
  taxonomy: Taxonomy,
  sent: Sent,
  titles: readonly string[] | undefined,
): Promise<Record<string, unknown>> {
  const { kind, plural } = taxonomy
  const ids = sent[`${kind}_ids`]
  if (ids !== undefined && ids !== null) return { [`${kind}_ids`]: ids }
  if (!titles) return {}
  const found = await rows<{ id: number }>(
    ctx.db,
    sql`select o.id from ${sql.table(plural)} o where o.title = any (${titles.filter(isText)}::text[])
      and ${limitToOwnTaxonomies(ctx, taxonomy, 'o')} order by o.id`,
  )
  return { [`${kind}_ids`]: found.map(({ id }) => id) }
}

/** The family of a partition table: what the head says, else that of the systems it names, if these have one in common. */
async function findFamily(ctx: Context, { fields }: Resource, metadata: Metadata): Promise<Record<string, unknown>> {
  if (!('os_family' in fields) || metadata.snippet) return {}
  if (metadata.os_family) return { os_family: metadata.os_family }
  const names = metadata.oses ?? []
  const found = await rows<{ family: string }>(
    ctx.db,
    sql`select distinct o.family from operatingsystems o
      where o.family is not null and exists (select from unnest(${names.filter(isText)}::text[]) b where b <> '' and (o.name = b or starts_with(o.title, b)))`,
  )
  const families = new Set([...found.map(({ family }) => family), ...names.flatMap(familyOf)])
  const [only] = families
  return only !== undefined && families.size === 1 ? { os_family: only } : {}
}

/** The family of a system by the first word of its name; none for names that nobody knows. */
function familyOf(name: string): string[] {
  const word = name.split(' ')[0] ?? ''
  return OS_FAMILIES.filter((family) => family === word || FAMILIES[family]?.test(word))
}

const FAMILIES: Readonly<Record<string, RegExp>> = {
  Debian: /^(?:ubuntu|debian|linuxmint)$/i,
  Redhat: /^(?:red.?hat.*|rhel|centos.*|fedora|rocky.*|alma.*|oracle.*|scientific.*|amazon)$/i,
  Suse: /^(?:suse|opensuse.*|sles|sled)$/i,
}
