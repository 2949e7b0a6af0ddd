import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hammer, Ran } from './hammer.ts'

/** A command with its expected result. */
interface Step {
  readonly program: 'hammer' | 'post'
  readonly command: string
  readonly status: number
  readonly shows: readonly string[]
  /** The name under which the first match of the pattern in the output is remembered. */
  readonly captured: string | null
  readonly pattern: RegExp
  /** The only version that has the command; null for all. */
  readonly version: string | null
}

/** Commands about one thing. */
export interface Group {
  readonly title: string
  readonly steps: readonly Step[]
}

/** Reads all groups with their additional steps; additional groups come at their place in `further.txt`. */
export function readAll(): Group[] {
  const further = readTranscript('further')
  const groups = [...readTranscript('core'), ...readTranscript('content')]
  const isFurther = ({ title }: Group) => !groups.some((group) => group.title === title)
  return groups.flatMap(({ title, steps }) => {
    const place = further.findIndex((group) => group.title === title)
    const end = further.findIndex((group, index) => index > place && !isFurther(group))
    const behind = place < 0 ? [] : further.slice(place + 1, end < 0 ? undefined : end)
    return [{ title, steps: [...steps, ...(further[place]?.steps ?? [])] }, ...behind]
  })
}

/** Reads the groups of a transcript; the first one explains the format. */
export function readTranscript(name: string): Group[] {
  const text = readFileSync(join(import.meta.dirname, 'commands', `${name}.txt`), 'utf8')
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      return {
        title,
        steps: lines
          .join('\n')
          .split(/^(?=hammer |post )/m)
          .filter((step) => step.trim() !== '')
          .map(readStep),
      }
    })
}

function readStep(written: string): Step {
  const [first = '', ...about] = written.split('\n')
  const program = first.startsWith('post ') ? 'post' : 'hammer'
  const said = about.map((line) => line.trim()).filter((line) => line !== '')
  const stated = (sign: string) => said.find((line) => line.startsWith(`${sign} `))?.slice(2) ?? null
  const [captured, pattern] = stated('=')?.split(' ') ?? []
  return {
    program,
    command: first.slice(program.length + 1),
    status: Number(stated('!') ?? 0),
    shows: said.filter((line) => !/^[!=@] /.test(line)),
    captured: captured ?? null,
    pattern: new RegExp(pattern ?? '\\d+'),
    version: stated('@'),
  }
}

/** A loaded command line, and the server that it uses. */
export interface Stage {
  readonly hammer: Hammer
  readonly version: string
  readonly url: string
  /** The remembered values by name. */
  readonly values: Map<string, string>
  /** Tells whether a step may be left out. */
  readonly isKnown?: (command: string) => boolean
}

/** Executes the steps of a group for this version; yields the deviations. */
export async function play(
  { hammer, version, url, values, isKnown = () => false }: Stage,
  { steps }: Group,
): Promise<string[]> {
  const problems: string[] = []
  const needed = steps.filter(
    (step) =>
      (step.version ?? version) === version &&
      !(step.version === null && step.captured === null && isKnown(step.command)),
  )
  for (const { program, command, status, shows, captured, pattern } of needed) {
    const filled = filledIn(command, values)
    const ran = program === 'hammer' ? await hammer.run(wordsOf(filled)) : await post(url, filled)
    const printed = squeezed(`${ran.out}\n${ran.err}`)
    const missing = shows.filter((part) => !printed.includes(squeezed(filledIn(part, values))))
    if (ran.status !== status || missing.length > 0) problems.push(described(`${program} ${filled}`, ran, missing))
    const found = pattern.exec(ran.out)?.[0]
    if (captured !== null && found !== undefined) values.set(captured, found)
  }
  return problems
}

async function post(url: string, command: string): Promise<Ran> {
  const [path = ''] = command.split(' ', 1)
  const headers = { 'content-type': 'application/json', authorization: `Basic ${btoa('admin:admin-password')}` }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: command.slice(path.length) })
  return { status: answer.ok ? 0 : answer.status, out: await answer.text(), err: '' }
}

function described(command: string, { status, out, err }: Ran, missing: readonly string[]): string {
  const lacks = missing.map((part) => `\n  lacks: ${part}`).join('')
  return `${command}\n  ended with ${status}${lacks}\n${out}${err}`
}

/** Collapses blanks, because only columns have to stay apart. */
function squeezed(text: string): string {
  return text.replace(/^[-|\s]+$/gm, ' ').replace(/\s+/g, ' ')
}

function filledIn(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values.get(name) ?? whole)
}

/** Splits a command into arguments like a shell. */
export function wordsOf(command: string): string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  return words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, (_, double, single) => double ?? single))
}
