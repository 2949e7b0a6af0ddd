import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import { type Action, type Resource, type Stored, TAXONOMIES, type Taxonomy } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { limitToOwnTaxonomies } from '../../places/index.ts'
import { withMetadata } from './metadata.ts'
import { type TextResource, textKeyOf } from './raw.ts'

/**
 * The action that yields a template as a file for other servers, with its description in a comment at the head
 * (core-api §11).
 */
export function exportText(name: TextResource): Action {
  return {
    method: 'GET',
    path: '/:id/export',
    name: 'export',
    summary: `The text of a ${name.replaceAll('_', ' ')}, with what it is for in a comment at its head`,
    permissions: [`view_${name}s`],
    output: z
      .string()
      .meta({ description: 'Text of the template, with its metadata.', contentMediaType: 'text/plain' }),
    record: { how: 'found' },
    handle: exportTemplate,
  }
}

const [ORGANIZATION, LOCATION] = TAXONOMIES

/** Selects titles of the places within the caller's reach, as answers show no others either. */
function selectTitles(ctx: Context, taxonomy: Taxonomy, text: string): Sql {
  const { kind, plural } = taxonomy
  return sql`array(select o.title from ${sql.table(`${text}_${plural}`)} l join ${sql.table(plural)} o on o.id = ${sql.ref(`l.${kind}_id`)}
    where ${sql.ref(`l.${text}_id`)} = t.id and ${limitToOwnTaxonomies(ctx, taxonomy, 'o')} order by 1)`
}

/** The tables that link texts to operating systems, by the word for the text; reports are for none. */
const LINKS: Readonly<Record<string, string>> = {
  template: 'template_operatingsystems',
  ptable: 'operatingsystem_ptables',
}

function selectSystems(links: string, text: string): Sql {
  return sql`array(select distinct o.name from ${sql.table(links)} l join operatingsystems o on o.id = l.operatingsystem_id
    where ${sql.ref(`l.${text}_id`)} = t.id order by 1)`
}

interface Exported {
  readonly name: string
  readonly template: string
  readonly description: string | null
  readonly snippet: boolean
  readonly kind: string | null
  readonly oses: readonly string[]
  readonly organizations: readonly string[]
  readonly locations: readonly string[]
}

async function exportTemplate(ctx: Context, resource: Resource, _input: Input, { id }: Stored): Promise<Answer> {
  const text = resource.table.slice(0, -1)
  const kind =
    text === 'template' ? sql`(select k.name from template_kinds k where k.id = t.template_kind_id)` : sql`null`
  const links = LINKS[text]
  const exported = await row<Exported>(
    ctx.db,
    sql`
      select t.name, ${sql.ref(`t.${textKeyOf(resource)}`)} as template, t.description, t.snippet, ${kind} as kind,
        ${links === undefined ? sql`array[]::text[]` : selectSystems(links, text)} as oses,
        ${selectTitles(ctx, ORGANIZATION, text)} as organizations,
        ${selectTitles(ctx, LOCATION, text)} as locations
      from ${sql.table(resource.table)} t where t.id = ${id}`,
  )
  if (!exported) throw notFound(resource.name, id)
  const { name, template, description, snippet, oses, organizations, locations } = exported
  const file = withMetadata(template, {
    name,
    snippet,
    ...(description && { description }),
    model: resource.type,
    ...(exported.kind && { kind: exported.kind }),
    ...(oses.length > 0 && { oses }),
    ...(organizations.length > 0 && { organizations }),
    ...(locations.length > 0 && { locations }),
  })
  return { status: 200, body: file, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}
