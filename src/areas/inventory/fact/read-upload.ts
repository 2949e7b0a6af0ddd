import { isStorable } from '../../../database/storable.ts'
import { type FieldErrors, invalid } from '../../../errors.ts'
import type { Sent } from '../../../kernel/index.ts'
import { BLANK, NOT_STORABLE, NOT_TEXT } from '../../../requests/sent.ts'
import { membersOf } from '../../../values.ts'
import { type FactReport, readFactReport } from './fact-report.ts'

/** The parsed body of an upload of facts; both names are in lower case. */
export interface Upload extends FactReport {
  readonly name: string
  readonly certname: string | null
  /** When the facts were collected. */
  readonly taken: Date | null
}

const KINDS = ['Host::Managed', 'Host::Base', 'Host']

/** Reads the body of an upload. {@throws Failure} invalid */
export function readUpload(body: Sent): Upload {
  const errors: FieldErrors = {}
  const readWord = (key: string): string | null => {
    const value = body[key] ?? null
    if (value === null) return null
    if (typeof value === 'string' && isStorable(value)) return value.trim().toLowerCase() || null
    errors[key] = [typeof value === 'string' ? NOT_STORABLE : NOT_TEXT]
    return null
  }
  const [name, certname] = [readWord('name'), readWord('certname')]
  if (name === null) errors.name ??= [BLANK]
  const kind = body.type ?? 'Host'
  if (!KINDS.includes(String(kind))) errors.type = [`is not included in the list (${KINDS.join(', ')})`]
  if (Object.keys(errors).length > 0 || name === null) throw invalid(errors)
  const told = readFactReport(body.facts)
  const { _timestamp } = membersOf(body.facts)
  return { ...told, name, certname, taken: parseMoment(_timestamp) }
}

/** Parses `2010-02-16 12:52:38.163833 +01:00` and ISO 8601; null for anything else. */
function parseMoment(sent: unknown): Date | null {
  if (typeof sent !== 'string') return null
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?\s*(Z|UTC|[-+]\d\d:?\d\d)?$/.exec(sent.trim())
  if (!parts) return null
  const [, day, time, fraction = '', zone = 'Z'] = parts
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([-+]\d\d):?(\d\d)$/, '$1:$2')
  const moment = new Date(`${day}T${time}${fraction.slice(0, 4)}${offset}`)
  return Number.isNaN(moment.getTime()) ? null : moment
}
