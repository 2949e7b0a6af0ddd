import {
  contentOf,
  type Given,
  listKeys,
  type Problem,
  type Property,
  quoteValue,
  type ReadFile,
  suggestKnown,
} from './given.ts'
import type { Key } from './keys.ts'

/** The variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment. An empty variable counts as not set; `<variable>_FILE` names a file with a secret. */
export function fromEnvironment(env: Environment, readFile: ReadFile): (Given | Problem)[] {
  return listKeys().flatMap(([property, key]) => readVariable(property, key, env, readFile) ?? [])
}

/** Lists the variables with our prefix that do not exist: a warning only, because they may belong to another program. */
export function listUnknownVariables(env: Environment): string[] {
  const known = listKeys().flatMap(([, { variable, secret }]) => (secret ? [variable, `${variable}_FILE`] : [variable]))
  const unknown = Object.keys(env).filter((name) => name.startsWith('MILLWRIGHT_') && !known.includes(name))
  return unknown.map((name) => `the environment variable ${name} means nothing${suggestKnown(name, known)}`)
}

function readVariable(property: Property, key: Key, env: Environment, readFile: ReadFile): Given | Problem | null {
  const { variable, secret } = key
  const text = env[variable]
  const path = secret ? env[`${variable}_FILE`] : undefined
  if (text && path) return `${variable} and ${variable}_FILE are both set: keep one of them`
  if (text) return { property, place: variable, text }
  if (!path) return null
  const file = contentOf(path, readFile)
  if ('reason' in file) return `${variable}_FILE is ${quoteValue(path)}, but ${file.reason}`
  return { property, place: `${variable}_FILE`, text: file.content.replace(/\r?\n$/, '') }
}
