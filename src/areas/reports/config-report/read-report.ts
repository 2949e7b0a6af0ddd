import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import { type Resource, type Sent, validate } from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import { isMembers } from '../../../lib/values.ts'
import { BLANK, NOT_TEXT } from '../../../requests/sent.ts'
import { REPORTERS } from '../../../words/protocols.ts'
import { COUNTERS } from '../counters.ts'
import { LEVELS } from './levels.ts'

/** One line of a log. */
export interface LogLine {
  /** Position in the list of levels. */
  readonly level: number
  readonly source: string
  readonly message: string
}

/** A report as an agent sends it. */
export interface SentReport {
  /** The host's name, or the name in its certificate. */
  readonly host: string
  readonly origin: string | null
  readonly reportedAt: string
  readonly counts: Readonly<Record<(typeof COUNTERS)[number], number>>
  readonly metrics: unknown
  readonly lines: readonly LogLine[]
}

const MOST_LINES = 10_000
const LONGEST_TEXT = 65_535
/** Clocks of machines may be wrong, but reports further ahead than this are refused. */
const AHEAD_MS = 24 * 60 * 60 * 1000

const line = z.object({
  log: z
    .object({
      sources: z
        .object({ source: z.string().meta({ description: 'Source of the message.' }) })
        .meta({ description: 'The part of the host.' }),
      messages: z
        .object({ message: z.string().meta({ description: 'Text of the message.' }) })
        .meta({ description: 'Text of the message.' }),
      level: z.enum(LEVELS).meta({ description: 'Level of the message.' }),
    })
    .meta({ description: 'The line.' }),
})

/** The schema of a request, for the API description. */
export const REPORT_BODY = z.object({
  config_report: z
    .object({
      host: z.string().meta({ description: 'Name of the host, or of its certificate.' }),
      reported_at: z.string().meta({ description: 'Time of the run, in UTC.' }),
      status: z
        .record(z.string(), z.int())
        .meta({ description: `Counts: ${COUNTERS.join(', ')}; missing counts are 0.` }),
      metrics: z.record(z.string(), z.json()).meta({ description: 'Counts and seconds by kind; may be empty.' }),
      reporter: z
        .string()
        .optional()
        .meta({ description: 'Name of the program; by default taken from the lines of the log.' }),
      logs: z
        .array(line)
        .optional()
        .meta({ description: `Lines of the log, at most ${MOST_LINES}.` }),
    })
    .meta({ description: 'The report.' }),
})

/** Reads and validates a report. {@throws Failure} invalid, naming what is wrong */
export async function readReport(ctx: Context, resource: Resource, sent: Sent): Promise<SentReport> {
  const errors: FieldErrors = {}
  const add = (key: string, message: string) => {
    errors[key] = [...(errors[key] ?? []), message]
  }
  const { host, status, logs = [], metrics = {}, reporter } = sent
  if (typeof host !== 'string' || !isValidText(host)) add('host', host === undefined ? BLANK : NOT_TEXT)
  else if (host.trim() === '') add('host', BLANK)
  if (!isMembers(metrics)) add('metrics', 'must be an object')
  const counted = isMembers(status) ? status : {}
  if (!isMembers(status)) add('status', `must be an object with counts: ${COUNTERS.join(', ')}`)
  for (const name of Object.keys(counted)
    .filter((key) => !COUNTERS.some((known) => known === key))
    .slice(0, 5))
    add('status', `has a count that is not known, ${JSON.stringify(name)}: ${COUNTERS.join(', ')} are`)
  const none = Object.fromEntries(COUNTERS.map((name) => [name, 0]))
  const validated = await validate(ctx, resource, {
    reported_at: sent.reported_at ?? null,
    metrics,
    ...none,
    ...counted,
  })
  for (const [key, messages] of Object.entries(validated.errors)) for (const message of messages) add(key, message)
  const reportedAt = validated.sent.reported_at
  if (typeof reportedAt !== 'string' && !errors.reported_at) add('reported_at', BLANK)
  if (typeof reportedAt === 'string' && Date.parse(reportedAt) > ctx.now().getTime() + AHEAD_MS)
    add('reported_at', 'must not be in the future')
  const lines = readLines(logs, add)
  refuseInvalid(errors)
  return {
    host: String(host).trim().toLowerCase(),
    origin: originOf(reporter, lines),
    reportedAt: String(reportedAt),
    counts: validated.sent as SentReport['counts'], // as the fields of these names have read them
    metrics: validated.sent.metrics,
    lines,
  }
}

function readLines(logs: unknown, add: (key: string, message: string) => void): LogLine[] {
  if (logs === null) return []
  if (!Array.isArray(logs)) {
    add('logs', 'must be a list')
    return []
  }
  if (logs.length > MOST_LINES) {
    add('logs', `must have at most ${MOST_LINES} lines`)
    return []
  }
  const read = logs.map((one) => line.safeParse(one))
  const wrong = read.findIndex(({ success }) => !success)
  const error = read[wrong]?.error
  if (error) add('logs', `cannot be read in line ${wrong + 1}: ${z.prettifyError(error).replaceAll('\n', ' ')}`)
  return read.flatMap(({ data }) =>
    data
      ? [
          {
            level: LEVELS.indexOf(data.log.level),
            source: toStorable(data.log.sources.source),
            message: toStorable(data.log.messages.message),
          },
        ]
      : [],
  )
}

/** Text of a program without what the database cannot store. */
function toStorable(text: string): string {
  const plain = text.replaceAll('\0', '').toWellFormed()
  return plain.length > LONGEST_TEXT ? plain.slice(0, LONGEST_TEXT).toWellFormed() : plain
}

/** Finds the program that ran: the one that the report names, or else the one whose log the report has. */
function originOf(reporter: unknown, lines: readonly LogLine[]): string | null {
  const told = REPORTERS.find(({ reporter: word }) => word === reporter)
  if (told) return told.origin
  return REPORTERS.find(({ logged }) => logged && lines.some(({ source }) => logged.test(source)))?.origin ?? null
}
