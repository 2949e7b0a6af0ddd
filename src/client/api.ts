import { createInterface } from 'node:readline'
import { membersOf, resultsOf } from '../lib/values.ts'
import { readRest } from './arguments.ts'
import type { Session } from './commands/session.ts'
import { EXIT, Failure, usage } from './failure.ts'
import { printRecord } from './output.ts'
import { printAnswer } from './perform.ts'
import { ask, askWell, refusal } from './request.ts'
import { targetOf, withCommonFlags } from './taking.ts'
import { fromFile } from './values.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Sends any request and prints the answer as JSON. */
export async function runApi(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, withCommonFlags(['data', 'body', 'input']))
  session.use(rest.values)
  const [method = '', path = '', ...others] = rest.words
  const form = 'usage: millwright api GET /api/hosts [--data JSON|@file] [key=value …]'
  if (!METHODS.includes(method.toUpperCase()) || !path.startsWith('/')) throw usage(form)
  const data = rest.values.get('data') ?? rest.values.get('body') ?? rest.values.get('input')
  const body = data && readJson(fromFile('data', data.at(-1) ?? ''))
  const pairs = others.map((pair): [string, string] => {
    const at = pair.indexOf('=')
    if (at < 1) throw usage(`${JSON.stringify(pair)} is not key=value; ${form}`)
    return [pair.slice(0, at), pair.slice(at + 1)]
  })
  const query = new URLSearchParams(pairs).toString()
  const full = query ? `${path}${path.includes('?') ? '&' : '?'}${query}` : path
  const target = targetOf(session)
  const reply = await ask(target, {
    method: method.toUpperCase(),
    path: full,
    body,
    accepts: 'application/json, */*;q=0.5',
  })
  if (reply.status >= 400) throw refusal(reply, target)
  if (!reply.type.endsWith('json')) await session.write(reply.text)
  else if (session.option('query') !== undefined || session.option('output') !== undefined)
    await printAnswer(session, reply.body)
  else await printRecord({ ...session.shape('name'), format: 'json' }, reply.body, session.write)
  return EXIT.done
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw usage(`--data is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/**
 * Sends writes from standard input, one a line (`{"method":"POST","path":"/api/hosts","body":{…}}`): all are stored, or
 * none. With `--keep-going` refused lines are skipped, and any number of lines is sent in portions. With `--dry-run` nothing is stored.
 */
export async function runBatch(session: Session, argv: readonly string[]): Promise<number> {
  const rest = readRest(argv, new Map([...withCommonFlags([]), ['keep-going', ''], ['dry-run', '']]))
  session.use(rest.values)
  if (rest.words.length > 0) throw usage('usage: millwright batch [--keep-going | --dry-run] < lines.jsonl')
  const operations: unknown[] = []
  let number = 0
  for await (const line of createInterface({ input: session.streams.stdin })) {
    number++
    if (line.trim() === '') continue
    operations.push(readLine(line, number))
  }
  const goesOn = rest.values.get('keep-going')?.at(-1) === 'true'
  const isDryRun = rest.values.get('dry-run')?.at(-1) === 'true'
  if (goesOn && isDryRun) throw usage('use either --keep-going or --dry-run')
  const portion = goesOn ? PORTION : operations.length
  let refused = 0
  for (let at = 0; at < operations.length; at += portion) {
    const sent = {
      operations: operations.slice(at, at + portion),
      ...(goesOn && { atomic: false }),
      ...(isDryRun && { dry_run: true }),
    }
    const { body } = await askWell(targetOf(session), { method: 'POST', path: '/api/batch', body: sent })
    const results = resultsOf(body)
    await session.write(results.map((outcome) => `${JSON.stringify(outcome)}\n`).join(''))
    refused += results.filter(({ status }) => Number(status) >= 400).length
  }
  const said = isDryRun ? 'would be refused; nothing is stored' : 'were refused; the rest is stored'
  if (refused > 0) throw new Failure(EXIT.refused, `${refused} of ${operations.length} ${said}`)
  return EXIT.done
}

/** Lines of a portion: few enough that each answer comes soon, many enough that round trips hardly count. */
const PORTION = 500

function readLine(line: string, number: number): unknown {
  try {
    const value = membersOf(JSON.parse(line))
    if (typeof value.method === 'string' && typeof value.path === 'string') return value
  } catch {
    // Reported below.
  }
  throw new Failure(
    EXIT.usage,
    `line ${number} is no request: it looks like {"method":"POST","path":"/api/hosts","body":{}}`,
  )
}
