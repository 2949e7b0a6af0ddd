import { type FieldErrors, invalid } from '../../../errors.ts'
import type { Sent } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { membersOf } from '../../../lib/values.ts'
import { BLANK, NOT_STORABLE, NOT_TEXT } from '../../../requests/sent.ts'
import { PLAYBOOK_FACTS } from '../../../words/protocols.ts'
import { type Facts, flattenFacts, type IsExcluded } from './flatten.ts'
import { type HostDescription, readFacts } from './host-description.ts'
import type { FactSource } from './store.ts'

/** The parsed body of an upload of facts; both names are in lower case. */
export interface Upload extends FactReport {
  readonly name: string
  readonly certname: string | null
  /** When the facts were collected. */
  readonly taken: Date | null
}

const KINDS = ['Host::Managed', 'Host::Base', 'Host']

/** Reads the body of an upload; facts that are not stored do not count. {@throws Failure} invalid */
export function readUpload(body: Sent, isExcluded: IsExcluded): Upload {
  const errors: FieldErrors = {}
  const readWord = (key: string): string | null => {
    const value = body[key] ?? null
    if (value === null) return null
    if (typeof value === 'string' && isValidText(value)) return value.trim().toLowerCase() || null
    errors[key] = [typeof value === 'string' ? NOT_STORABLE : NOT_TEXT]
    return null
  }
  const [name, certname] = [readWord('name'), readWord('certname')]
  if (name === null) errors.name ??= [BLANK]
  const kind = body.type ?? 'Host'
  if (!KINDS.includes(String(kind))) errors.type = [`is not included in the list (${KINDS.join(', ')})`]
  if (Object.keys(errors).length > 0 || name === null) throw invalid(errors)
  const told = readFactReport(body.facts, isExcluded)
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

/** The facts in an upload, their reporter, and the description of the host in them. */
interface FactReport {
  readonly teller: FactSource
  readonly facts: Facts
  /** The facts of playbooks also under the names that the configuration engine has for them; those of others as sent. */
  readonly words: Facts
  readonly about: HostDescription
  /** What was left out because it cannot be kept, one sentence each. */
  readonly leftOut: readonly string[]
}

/**
 * Reads an upload: the facts of agents of the configuration engine, or those of playbooks. Facts that cannot be kept are left
 * out, because a machine cannot help having them. {@throws Failure} invalid for what holds no facts: it would forget all of a host
 */
function readFactReport(sent: unknown, isExcluded: IsExcluded): FactReport {
  const ofPlaybook = readPlaybookFacts(sent)
  const leftOut = new Set<string>()
  const leaveOut = (message: string) => leftOut.size < MOST_SAID && leftOut.add(message)
  const facts = flattenFacts(ofPlaybook ?? sent, leaveOut, isExcluded)
  if (facts.size === 0) throw invalid({ facts: leftOut.size === 0 ? [BLANK] : [...leftOut] })
  const words = ofPlaybook ? inWordsOfEngine(facts) : facts
  return { teller: ofPlaybook ? 'playbook' : 'engine', facts, words, about: readFacts(words), leftOut: [...leftOut] }
}

const MOST_SAID = 20

function readPlaybookFacts(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return undefined
  const { _type: type, [PLAYBOOK_FACTS.within]: facts } = sent as Sent // the caller checked that it is an object
  return type === PLAYBOOK_FACTS.type ? facts : undefined
}

function inWordsOfEngine(facts: Facts): Facts {
  const meant = Object.entries(PLAYBOOK_FACTS.meanings).flatMap(([theirs, ours]): [string, string | null][] => {
    const value = facts.get(theirs)
    return value === undefined ? [] : [[ours, value]]
  })
  return new Map([...facts, ...meant])
}
