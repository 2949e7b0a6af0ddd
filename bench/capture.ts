import pg from 'pg'
import { readConfig } from '../src/config/config.ts'
import { connect } from '../src/postgresql/connect.ts'
import { openApi } from '../src/service/service.ts'
import { quiet, testConfig } from '../test/support/settings.ts'
import type { Stage } from './data.ts'
import type { BareAnswer, BareStatement } from './processes.ts'

/**
 * Captures the answers of the service on these paths as work for the bare handler: the statements it sent to the driver,
 * with their values, and the form of the answer.
 */
export async function capture({ url, env, people }: Stage, paths: readonly string[]): Promise<BareAnswer[]> {
  await using database = await connect(testConfig({ url }), quiet)
  const { server } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  const answers: BareAnswer[] = []
  for (const path of paths) {
    const ask = () => server.inject({ url: path, headers: { authorization: `Bearer ${people.viewer}` } })
    // The first answers also authenticate the caller and count records.
    for (let times = answers.length === 0 ? 2 : 1; times > 0; times--) await ask()
    const { result, statements } = await captureStatements(ask)
    if (statements.length === 0) throw new Error(`${path} took no statements`)
    answers.push({ path, statements, ...describeForm(result.json()), count: null })
  }
  await server.close()
  return answers
}

/** Wraps the driver's query function, the only place that sees statements with their values. */
async function captureStatements<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: BareStatement[] }> {
  const statements: BareStatement[] = []
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [first] = args
    if (typeof first === 'object' && first !== null && 'statements' in first)
      statements.push(...(first.statements as readonly BareStatement[])) // as `database/messages.ts` builds a query
    return Reflect.apply(original, this, args)
  } as typeof original
  try {
    return { result: await work(), statements }
  } finally {
    pg.Client.prototype.query = original
  }
}

/** Describes the keys and the envelope of an answer, which the bare handler repeats. */
export function describeForm(
  body: Record<string, unknown>,
): Pick<BareAnswer, 'keys' | 'envelope' | 'total' | 'subtotal'> {
  const { total, subtotal, results, ...envelope } = body
  const isList = Array.isArray(results)
  const record = (isList ? results[0] : body) as Record<string, unknown>
  const keys = Object.entries(record).map(([key, value]) => ({ key, time: / UTC$/.test(String(value)) }))
  const totals = { total: isList ? Number(total) : null, subtotal: isList ? Number(subtotal) : null }
  return { keys, envelope: isList ? envelope : null, ...totals }
}
