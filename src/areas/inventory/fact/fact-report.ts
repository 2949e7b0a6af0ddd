import { invalid } from '../../../errors.ts'
import type { Sent } from '../../../kernel/index.ts'
import { BLANK } from '../../../requests/sent.ts'
import { PLAYBOOK_FACTS } from '../../../words/protocols.ts'
import { type Facts, flattenFacts } from './flatten.ts'
import { type HostDescription, readFacts } from './host-description.ts'
import type { FactSource } from './store.ts'

/** The facts in an upload, their reporter, and the description of the host in them. */
export interface FactReport {
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
export function readFactReport(sent: unknown): FactReport {
  const ofPlaybook = readPlaybookFacts(sent)
  const leftOut = new Set<string>()
  const facts = flattenFacts(ofPlaybook ?? sent, (message) => leftOut.size < MOST_SAID && leftOut.add(message))
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
