import { readRest } from '../arguments.ts'
import type { Session } from '../commands/session.ts'
import { EXIT, usage } from '../failure.ts'
import { targetOf, withCommonFlags } from '../taking.ts'
import { readChanges } from './changes.ts'
import { openNames } from './names.ts'
import { orderChanges } from './order.ts'
import { printScript } from './script.ts'
import type { Step } from './step.ts'
import { buildSteps } from './steps.ts'

const FORM = 'usage: millwright switch back --since TIME [--output script|json]'

/** The exit code while something has to be done by hand. */
const BY_HAND = 2

/**
 * Prints what was written here since a time as commands of hammer for the old server. Resolves with 2 where something has to be
 * done by hand.
 */
export async function runSwitchBack(session: Session, argv: readonly string[]): Promise<number> {
  const { words, values } = readRest(argv, withCommonFlags(['since']))
  const output = values.get('output')?.at(-1) ?? 'script'
  session.use(new Map([...values].filter(([flag]) => flag !== 'output')))
  const since = values.get('since')?.at(-1)
  if (words.join(' ') !== 'back' || since === undefined || !['script', 'json'].includes(output)) throw usage(FORM)
  const moment = new Date(since)
  if (Number.isNaN(moment.getTime())) throw usage('--since: must be a time such as 2027-03-01T14:00:00Z')
  const target = targetOf(session)
  const changes = orderChanges(await readChanges(target, moment.toISOString()))
  const building = { target, names: openNames(target), changes }
  const steps: Step[] = []
  for (const change of changes) steps.push(...(await buildSteps(building, change)))
  const manual = steps.filter((step) => 'by_hand' in step).length
  const counts = { commands: steps.length - manual, by_hand: manual }
  await session.write(
    output === 'json'
      ? `${JSON.stringify({ since: moment.toISOString(), ...counts, steps }, null, 2)}\n`
      : printScript(moment.toISOString(), steps, counts),
  )
  return manual > 0 ? BY_HAND : EXIT.done
}
