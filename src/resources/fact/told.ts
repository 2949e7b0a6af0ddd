import { PLAYBOOK_FACTS } from '../../dialect/words.ts'
import type { Sent } from '../../kernel/resource.ts'
import { type About, readFacts } from './about.ts'
import { type Facts, flattenFacts } from './flatten.ts'
import type { Teller } from './store.ts'

/** What an upload says of a host. */
export interface Told {
  readonly teller: Teller
  readonly facts: Facts
  readonly about: About
}

/** Reads what agents of the configuration engine tell, or playbooks in a form of their own. {@throws Failure} invalid */
export function readTold(sent: unknown): Told {
  const ofPlaybook = playbookFacts(sent)
  const facts = flattenFacts(ofPlaybook ?? sent)
  if (!ofPlaybook) return { teller: 'engine', facts, about: readFacts(facts) }
  return { teller: 'playbook', facts, about: readFacts(inWordsOfEngine(facts)) }
}

function playbookFacts(sent: unknown): unknown {
  if (typeof sent !== 'object' || sent === null) return undefined
  const { _type: type, [PLAYBOOK_FACTS.within]: facts } = sent as Sent // an object
  return type === PLAYBOOK_FACTS.type ? facts : undefined
}

function inWordsOfEngine(facts: Facts): Facts {
  const meant = Object.entries(PLAYBOOK_FACTS.meanings).flatMap(([theirs, ours]): [string, string | null][] => {
    const value = facts.get(theirs)
    return value === undefined ? [] : [[ours, value]]
  })
  return new Map([...facts, ...meant])
}
