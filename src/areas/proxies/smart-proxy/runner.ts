import { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { FieldErrors } from '../../../errors.ts'
import type { Draft, Field, Stored } from '../../../kernel/index.ts'
import { withWritable } from '../../../records/coerced.ts'
import { texts } from '../../../records/words.ts'
import type { Language } from '../../../requests/languages.ts'
import { BLANK } from '../../../requests/sent.ts'
import { problemOfKey } from '../ssh-key.ts'

/** The ways to execute configuration runs on the hosts of a proxy. */
export const RUNNERS = ['proxy', 'ssh', 'command'] as const

const NOT_WORDS = 'must be a list of texts'
const MOST_WORDS = 64

/** A field for the words of a command, which are not split, quoted or expanded. */
export function commandWords(doc: string): Field<readonly string[]> {
  const word = z
    .string({ error: NOT_WORDS })
    .min(1, 'must not hold blank texts')
    .max(4096, 'must hold texts of at most 4096 characters')
    .regex(/^\P{Cc}*$/u, 'must not hold control characters')
  const schema = z.array(word, { error: NOT_WORDS }).max(MOST_WORDS, `must have at most ${MOST_WORDS} texts`)
  return texts({ kind: 'command', doc }, schema)
}

/** Lines that SSH understands: names, a kind of key and the key, maybe behind a marker. It would pass over others in silence. */
export const KNOWN_HOSTS: Language = {
  name: 'known hosts',
  findProblem: (text) => {
    const lines = text.split(/\r?\n/).map((line) => line.trim())
    const wrong = lines.findIndex((line) => !/^$|^#|^(?:@\S+\s+)?\S+\s+[\w.@-]+\s+[A-Za-z0-9+/]+=*(?:\s|$)/.test(line))
    return wrong === -1 ? null : `has no host with a key in line ${wrong + 1}`
  },
}

/** Messages about keys that programs cannot use. */
const KEY_PROBLEMS = {
  key_unreadable: 'is not a private key in PEM or OpenSSH format',
  key_encrypted: 'has a passphrase, which the service cannot enter: remove it with ssh-keygen -p',
} as const

/** A field of a private key in the form that programs read: with a newline at the end. */
export function privateKey<F extends Field<unknown>>(field: F): F {
  return withWritable(field, ({ schema }) => ({
    language: 'private key',
    coerce: complete,
    schema: () =>
      schema().superRefine((value, { addIssue }) => {
        const problem = typeof value === 'string' ? problemOfKey(value) : null
        if (problem) addIssue({ code: 'custom', message: KEY_PROBLEMS[problem] })
      }),
  }))
}

function complete(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  const text = sent.replaceAll('\r\n', '\n').trim()
  return text === '' ? null : `${text}\n`
}

type RunnerFields = { readonly runner: Field<string>; readonly runner_command: Field<readonly string[]> }

/**
 * Validates runners: only the configuration decides which programs this service may start, and only administrators may
 * set the words, with which most programs could start others.
 */
export function validateRunner(
  { runner, runner_command }: Draft<RunnerFields>,
  draft: Draft<RunnerFields>,
  ctx: Context,
  stored: Stored<RunnerFields> | null,
): FieldErrors | undefined {
  if (runner !== 'command' || (draft.runner === undefined && draft.runner_command === undefined)) return undefined
  const [program] = runner_command ?? []
  if (program === undefined) return { runner_command: [BLANK] }
  const { commands } = ctx.proxies
  if (!commands.includes(program)) {
    const allowed = commands.length > 0 ? commands.join(', ') : 'none'
    return {
      runner_command: [`must begin with a program that the configuration key run-commands allows (${allowed})`],
    }
  }
  const isNew = isChanged(draft, stored, 'runner') || isChanged(draft, stored, 'runner_command')
  return isNew && !ctx.user.admin
    ? { runner_command: ['can be chosen by administrators only while the runner is command'] }
    : undefined
}

function isChanged(
  draft: Draft<RunnerFields>,
  stored: Stored<RunnerFields> | null,
  name: 'runner' | 'runner_command',
): boolean {
  return draft[name] !== undefined && JSON.stringify(draft[name] ?? null) !== JSON.stringify(stored?.[name] ?? null)
}
