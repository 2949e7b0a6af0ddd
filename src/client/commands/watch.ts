import { COMMON, readRest } from '../arguments.ts'
import { EXIT, usage } from '../failure.ts'
import type { Session } from './session.ts'

type Main = (argv: readonly string[], env: Session['env'], streams: Session['streams']) => Promise<number | null>

/** Runs a command again and again until it is interrupted, or `--times` times. */
export async function watch(session: Session, argv: readonly string[], main: Main): Promise<number> {
  const at = argv.findIndex((word) => !word.startsWith('-') && !/^\d+$/.test(word))
  const own = at < 0 ? argv : argv.slice(0, at)
  const { values } = readRest(
    own,
    new Map([
      ...Object.entries(COMMON).map(([flag, [takes]]) => [flag, takes] as const),
      ['interval', 'v'],
      ['times', 'v'],
    ]),
  )
  const interval = Number(values.get('interval')?.at(-1) ?? 2)
  const times = Number(values.get('times')?.at(-1) ?? Number.POSITIVE_INFINITY)
  if (!(interval >= 0.1) || !(times > 0))
    throw usage('--interval is a number of seconds from 0.1 on, --times a number from 1 on')
  if (at < 0) throw usage('usage: millwright watch [--interval SECONDS] [--times N] host list …')
  const { stdout } = session.streams
  let code: number = EXIT.done
  for (let count = 1; ; count++) {
    if (stdout.isTTY) stdout.write('\u001b[H\u001b[2J')
    code = (await main(argv.slice(at), session.env, session.streams)) ?? EXIT.usage
    if (code === EXIT.usage || count >= times) return code
    await new Promise((resolve) => setTimeout(resolve, interval * 1000))
  }
}
