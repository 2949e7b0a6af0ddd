import { usage } from '../failure.ts'
import { type Format, readFormat, type Shape } from '../format.ts'
import type { Environment } from './contexts.ts'

/** A command that is not about a resource. */
export interface Job {
  readonly about: string
  /** What follows its name, where that is not plain from the examples. */
  readonly takes?: string
  /** Its own options, with what each takes and is for. */
  readonly options?: Readonly<Record<string, readonly [takes: string, doc: string]>>
  readonly run: (session: Session, argv: readonly string[]) => Promise<number>
}

/** The commands that are not about a resource, by name. */
export type Jobs = Readonly<Record<string, Job>>

/** Where the program reads and writes: the streams of the process, or of a test. */
export interface Streams {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}

/** One execution of the program: its settings and its output. */
export interface Session {
  readonly env: Environment
  readonly streams: Streams
  readonly write: (text: string) => Promise<void>
  readonly warn: (text: string) => Promise<void>
  /** Prints a remark for people; nothing where no terminal is attached. */
  readonly note: (text: string) => Promise<void>
  /** Applies the options that every command has. */
  readonly use: (values: ReadonlyMap<string, readonly string[]>) => void
  readonly option: (flag: string) => string | undefined
  /** Yields the options of the command line that choose the server. */
  readonly chosen: () => ReadonlyMap<string, string>
  readonly shape: (label: string | undefined, otherwise?: Format) => Shape
}

/** Creates the session of one execution; options count from `use` on. */
export function createSession(env: Environment, streams: Streams): Session {
  let values: ReadonlyMap<string, readonly string[]> = new Map()
  const readOption = (flag: string) => values.get(flag)?.at(-1)
  const isQuiet = () => readOption('quiet') === 'true'
  return {
    env,
    streams,
    option: readOption,
    use: (given) => {
      values = given
      readFormat(readOption('output'))
    },
    write: async (text) => {
      if (!isQuiet()) await send(streams.stdout, text)
    },
    warn: (text) => send(streams.stderr, `${text.replace(/^/, 'millwright: ').replaceAll('\n', '\n  ')}\n`),
    note: async (text) => {
      if (streams.stderr.isTTY && !isQuiet()) await send(streams.stderr, `${text}\n`)
    },
    chosen: () => {
      const named = [
        ['context', 'context'],
        ['url', 'server'],
        ['ca', 'ca'],
        ['certificate', 'client-certificate'],
        ['key', 'client-key'],
      ] as const
      return new Map(
        named.flatMap(([key, flag]) => (readOption(flag) === undefined ? [] : [[key, readOption(flag) ?? '']])),
      )
    },
    shape: (label = 'name', otherwise = 'table') => {
      const columns = (readOption('columns') ?? readOption('fields'))?.split(',').filter(Boolean) ?? null
      if (columns?.length === 0) throw usage('--columns needs names of columns with commas between')
      return {
        format:
          readFormat(readOption('output') ?? (readOption('csv') === 'true' ? 'csv' : undefined)) ??
          (readOption('query') === undefined ? otherwise : 'json'),
        columns,
        separator: readOption('csv-separator') || ',',
        hasHeaders: readOption('no-headers') !== 'true',
        width: streams.stdout.isTTY ? streams.stdout.columns || 80 : null,
        hasColours: Boolean(streams.stdout.isTTY) && !env['NO_COLOR'] && readOption('no-color') !== 'true',
        label,
      }
    },
  }
}

/** Resolves when the stream has taken the text, so that a fast writer waits for a slow reader. */
function send(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
