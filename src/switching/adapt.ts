import { randomBytes } from 'node:crypto'
import { isMembers, type Members } from '../lib/values.ts'
import type { Ids } from './ids.ts'

/** A body that is being made for a record. */
export type Body = Record<string, unknown>

/** What an adaption may look at and say. */
export interface Adapting {
  readonly record: Members
  readonly ids: Ids
  readonly isNew: boolean
  /** Says what of the record is taken in another form. */
  readonly remark: (reason: string) => void
}

/** Changes of bodies that no declaration explains, by kind. */
export const ADAPTED: Readonly<Record<string, (body: Body, at: Adapting) => void>> = {
  subnet: (body) => {
    delete body.cidr // the mask says the same
  },
  filter: (body, { record }) => {
    if (body.override === true || record['override?'] === true) return
    delete body.organization_ids
    delete body.location_ids
  },
  provisioning_template: (body) => {
    if (body.snippet === true) delete body.template_kind_id
  },
  host_collection: (body) => {
    if (body.unlimited_hosts === true) delete body.max_hosts
  },
  activation_key: (body) => {
    if (body.unlimited_hosts === true) delete body.max_hosts
  },
  user: (body, { isNew }) => {
    // Nobody knows it: the old password is entered afterwards, or taken from a backup.
    if (isNew && body.password === undefined) body.password = randomBytes(24).toString('base64url')
  },
  setting: (body, { record }) => {
    if (record.encrypted === true) delete body.value
  },
  host: (body, { record, ids, remark }) => {
    setOwner(body, record, ids)
    keepOnePrimary(body, remark)
  },
}

function setOwner(body: Body, { owner_id, owner_type }: Members, ids: Ids): void {
  if (typeof owner_id !== 'number') return
  const ours = ids.get(owner_type === 'Usergroup' ? 'usergroup' : 'user', owner_id)
  if (ours === undefined) return
  body.owner_id = ours
  body.owner_type = owner_type
}

/** Old servers have hosts with two primary interfaces; the one that carries the name stays primary. */
function keepOnePrimary(body: Body, remark: (reason: string) => void): void {
  const list = body.interfaces_attributes
  if (!Array.isArray(list)) return
  const interfaces = list.filter(isMembers)
  for (const flag of ['primary', 'provision'] as const) {
    const marked = interfaces.filter((one) => one[flag] === true)
    if (marked.length < 2) continue
    const kept = marked.find(({ name }) => name === body.name) ?? marked[0]
    for (const one of marked) one[flag] = one === kept
    remark(
      `It has ${marked.length} ${flag} interfaces; ${String(kept?.identifier ?? kept?.name ?? 'the first')} stays ${flag}.`,
    )
  }
}
