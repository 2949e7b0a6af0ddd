import type { Rest } from './arguments.ts'
import type { Session } from './commands/session.ts'
import { EXIT, Failure } from './failure.ts'
import { printAnswer } from './perform.ts'
import { askWell } from './request.ts'
import { takeWord, targetOf } from './taking.ts'

interface Step {
  readonly name: string
  readonly status: string
  readonly message: string | null
  readonly advice: string | null
}

interface Tested {
  readonly success: boolean
  readonly message: string
  readonly steps: readonly Step[]
}

const PAUSE_MS = 2000

/** Prints the steps of the test of a directory; with `--watch` again and again until it succeeds or is interrupted. */
export async function testDirectory(session: Session, rest: Rest): Promise<number> {
  const name = takeWord(rest, [...rest.words], ['id', 'name'], 'auth-source ldap test NAME [--watch]')
  const path = `/api/auth_source_ldaps/${encodeURIComponent(name)}/test`
  const isWatched = rest.values.get('watch')?.at(-1) === 'true'
  for (;;) {
    const { body } = await askWell(targetOf(session), { method: 'PUT', path, body: {} })
    const tested = body as Tested
    if (session.option('output') !== undefined || session.option('query') !== undefined)
      await printAnswer(session, body, 'name')
    else await session.write(`${tested.steps.flatMap(linesOf).join('\n')}\n`)
    if (tested.success) return EXIT.done
    if (!isWatched) throw new Failure(EXIT.failed, `${name}: ${tested.message}`)
    await session.note('Once more; Ctrl-C ends it.')
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

function linesOf({ name, status, message, advice }: Step): string[] {
  const step = `${status.padEnd(8)} ${name.replaceAll('_', ' ').padEnd(16)} ${message ?? ''}`.trimEnd()
  return advice ? [step, `${' '.repeat(26)}${advice}`] : [step]
}
