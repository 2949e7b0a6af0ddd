import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, notFound } from '../../../errors.ts'
import {
  type Action,
  findResource,
  limitToVisible,
  permissionOf,
  type Resource,
  selectRecord,
} from '../../../kernel/index.ts'
import { limitToAuditsOfSeen } from '../../../records/audited-records.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readSingle } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { type TextResource, textKeyOf } from './raw.ts'

/**
 * The action that shows the text after an audited change, for comparison with the present one. Callers need to see the
 * audit and its template.
 */
export function revision(name: TextResource): Action {
  return {
    method: 'GET',
    path: '/revision',
    name: 'revision',
    summary: `The text of a ${name.replaceAll('_', ' ')} as one of its audits left it`,
    permissions: [`view_${name}s`],
    query: { version: z.string().optional().meta({ description: 'Id of the audit.' }) },
    output: z.string().nullable().meta({ description: 'Text of the template then.' }),
    handle: showRevision,
  }
}

async function showRevision(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const id = readSingle(input.query, 'version')
  if (id === null || !/^\d{1,15}$/.test(id)) throw badParameter('version', id, 'must be the id of an audit')
  const audits = findResource(resource.registry, 'audit')
  const keys = ['auditable_type', 'auditable_id', 'version']
  const seen = [
    ...limitToVisible(ctx, audits, permissionOf(audits, 'view')),
    ...limitToAuditsOfSeen(ctx, resource.registry, [resource.type]),
  ]
  const audit = await selectRecord(ctx.db, audits, keys, Number(id), seen)
  if (audit?.auditable_type !== resource.type) throw notFound('audit', id)
  const text = await loadTextAfter(ctx, resource, Number(audit.auditable_id), Number(audit.version))
  return { status: 200, body: JSON.stringify(text), headers: { 'content-type': 'application/json; charset=utf-8' } }
}

/**
 * Loads the text after the audit with this version: the new value of the last change until then, else the old value of
 * the next change, else the present text.
 */
async function loadTextAfter(ctx: Context, resource: Resource, id: number, version: number): Promise<string | null> {
  const key = textKeyOf(resource)
  const about = sql`a.auditable_type = ${resource.type} and a.auditable_id = ${id} and a.audited_changes -> ${key}::text is not null`
  const found = await row<{ text: string | null }>(
    ctx.db,
    sql`select coalesce(
      (select case jsonb_typeof(a.audited_changes -> ${key}::text)
          when 'array' then a.audited_changes -> ${key}::text ->> 1 else a.audited_changes ->> ${key}::text end
        from audits a where ${about} and a.version <= ${version} order by a.version desc limit 1),
      (select a.audited_changes -> ${key}::text ->> 0
        from audits a where ${about} and a.version > ${version} and a.action = 'update' order by a.version limit 1),
      (select ${sql.ref(`t.${key}`)} from ${sql.table(resource.table)} t where t.id = ${id})) as text`,
  )
  return found?.text ?? null
}
