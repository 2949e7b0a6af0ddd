import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { connect } from '../src/database/connect.ts'
import { openApi } from '../src/service.ts'
import { quiet, testConfig } from '../test/support/settings.ts'
import type { Stage } from './data.ts'
import type { BareAnswer } from './processes.ts'

/**
 * What the service answers on these paths, as work for the bare handler: the statement it sent to the driver, with its
 * values, and the form of the answer. Asks a few times, because the first answers also find out who asks and count.
 */
export async function capture(
  { url, env, people }: Stage,
  paths: readonly string[],
  /** `longest`: where the service sends more than one statement, the baseline is given that of the page. */
  which: 'only' | 'longest' = 'only',
): Promise<BareAnswer[]> {
  await using database = await connect(testConfig({ url }), quiet)
  const { server } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  const answers: BareAnswer[] = []
  for (const path of paths) {
    const ask = () => server.inject({ url: path, headers: { authorization: `Bearer ${people.viewer}` } })
    await ask()
    await ask()
    const { result, statements } = await listeningToDriver(ask)
    const [statement] = statements.toSorted((a, b) => b.text.length - a.text.length)
    if (!statement || (which === 'only' && statements.length > 1))
      throw new Error(`${path} took ${statements.length} statements`)
    answers.push({ path, ...statement, ...formOf(result.json()), count: null })
  }
  await server.close()
  return answers
}

interface Statement {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** The driver's own entrance is the one place that sees statements with their values. */
async function listeningToDriver<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; statements: Statement[] }> {
  const statements: Statement[] = []
  const original = pg.Client.prototype.query
  pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
    const [first] = args
    if (typeof first === 'object' && first !== null && 'text' in first) statements.push(first as Statement)
    return Reflect.apply(original, this, args)
  } as typeof original
  try {
    return { result: await work(), statements }
  } finally {
    pg.Client.prototype.query = original
  }
}

function formOf(body: Record<string, unknown>): Pick<BareAnswer, 'keys' | 'envelope' | 'total'> {
  const { total, subtotal: _, results, ...envelope } = body
  const isList = Array.isArray(results)
  const record = (isList ? results[0] : body) as Record<string, unknown>
  const keys = Object.entries(record).map(([key, value]) => ({ key, time: / UTC$/.test(String(value)) }))
  return { keys, envelope: isList ? envelope : null, total: isList ? Number(total) : null }
}
