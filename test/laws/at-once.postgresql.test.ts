import { expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import type { Reply } from '../support/api.ts'
import { sendAtOnce, TIMES, usePair } from './at-once.ts'
import { listUniqueIndexes, NEVER_SENT, prepareTwins, type Twins } from './at-once-indexes.ts'
import { RULES } from './at-once-rules.ts'

// Whatever is sent at once, the answers are those of some order, and no rule about several records is broken.

const pair = usePair()

test('of records that are alike where a unique index forbids it one is taken, whatever the index', async () => {
  const { first } = pair()
  const named = new Set([...RULES.flatMap(({ indexes = [] }) => indexes), ...Object.keys(NEVER_SENT)])
  const indexes = await listUniqueIndexes(first)
  expect([...named].filter((name) => !indexes.some((index) => index.name === name))).toEqual([])
  const wrong: string[] = []
  for (const index of indexes.filter(({ name }) => !named.has(name))) {
    const twins = await prepareTwins(first, index, TIMES + 1)
    const why = twins ? await sendTwins(twins) : 'neither a record, nor a rule, nor a reason stands for it'
    if (why !== null) wrong.push(`${index.name}: ${why}`)
  }
  expect(wrong).toEqual([])
})

/** Sends records of which one may be taken; says what is wrong with the answers. */
async function sendTwins({ table, path, bodies }: Twins): Promise<string | null> {
  const { first } = pair()
  const replies = await sendAtOnce(pair(), table, (one, place) => one.admin.post(path, bodies[place]))
  const late = await first.admin.post(path, bodies[TIMES])
  const refused = replies.filter(({ status }) => status !== 201)
  const reasons = reasonsOf(late)
  // Of two indexes that are violated at once the database names the first.
  const fits = (one: Reply) => one.status === 422 && reasonsOf(one).every((reason) => reasons.includes(reason))
  return late.status === 422 && refused.length === TIMES - 1 && refused.every(fits) ? null : told([...replies, late])
}

test.each(RULES)('$says', async ({ gate, prepare }) => {
  const { first, second } = pair()
  const { send, accepted, refused, again, broken } = await prepare(first)
  const replies = await sendAtOnce(pair(), gate, send)
  expect(broken && (await rows(first.database.db, broken)), told(replies)).toEqual(broken && [])
  const others = replies.filter(({ status }) => status >= 300)
  expect(TIMES - others.length, told(replies)).toBe(accepted)
  if (refused !== undefined) expect(new Set(others.map(({ status }) => status))).toEqual(new Set([refused]))
  if (again !== false) expect(new Set(others.map(textOf))).toEqual(new Set([textOf(await send(second, TIMES))]))
})

function told(replies: readonly Reply[]): string {
  return replies.map(({ status, text }) => `${status} ${text.slice(0, 200)}`).join('\n')
}

function reasonsOf({ body: { error, displayMessage } }: Reply): string[] {
  return error?.full_messages ?? [displayMessage]
}

/** An answer without the ids and numbers in it. */
function textOf({ status, text }: Reply): string {
  return `${status} ${text.replace(/\d+/g, '#')}`
}
