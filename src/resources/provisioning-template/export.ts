import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { withMetadata } from './metadata.ts'

/** Core-api §11: the text as a file for other servers, with what it is for in a comment at its head. */
export const exportText: Action = {
  method: 'GET',
  path: '/:id/export',
  name: 'export',
  summary: 'The text of a provisioning template, with what it is for in a comment at its head',
  permissions: ['view_provisioning_templates'],
  output: z.string().meta({ description: 'The text.', contentMediaType: 'text/plain' }),
  handle: exportTemplate,
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

async function exportTemplate(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = idSegment(input)
  const permission = permissionFor(resource, 'view')
  const conditions = [...visible(ctx, resource, permission), ...(await within(ctx, resource, input)).conditions]
  const found = await selectRecord(ctx.db, resource, ['id'], segment, conditions)
  const exported =
    found &&
    (await row<Exported>(
      ctx.db,
      sql`
        select t.name, t.template, t.description, t.snippet, (select k.name from template_kinds k where k.id = t.template_kind_id) as kind,
          array(select distinct o.name from template_operatingsystems l join operatingsystems o on o.id = l.operatingsystem_id where l.template_id = t.id order by 1) as oses,
          array(select o.title from template_organizations l join organizations o on o.id = l.organization_id where l.template_id = t.id order by 1) as organizations,
          array(select o.title from template_locations l join locations o on o.id = l.location_id where l.template_id = t.id order by 1) as locations
        from templates t where t.id = ${found.id} and ${where(conditions)}`,
    ))
  if (!exported) throw notVisible(ctx, resource, permission, segment)
  const { name, template, description, snippet, kind, oses, organizations, locations } = exported
  const text = withMetadata(template, {
    name,
    snippet,
    ...(description && { description }),
    model: resource.type,
    ...(kind && { kind }),
    ...(oses.length > 0 && { oses }),
    ...(organizations.length > 0 && { organizations }),
    ...(locations.length > 0 && { locations }),
  })
  return { status: 200, body: text, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}
