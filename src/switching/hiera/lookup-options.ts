import { RE2JS } from 're2js'
import { isMembers, type Members } from '../../lib/values.ts'
import type { DataFile } from './data-files.ts'

/** How the values of a key are looked up. */
export interface Options {
  readonly merge: 'first' | 'unique' | 'hash' | 'deep'
  readonly isHidden: boolean
}

/** Says what of the options of a file is left out. */
export type Say = (file: DataFile, key: string, reason: string) => void

const FIRST: Options = { merge: 'first', isHidden: false }

interface Rule {
  readonly fits: (key: string) => boolean
  readonly options: Options
}

/** Reads `lookup_options`. Yields the options of a key: those under its name win over patterns. */
export function readLookupOptions(files: readonly DataFile[], say: Say): (key: string) => Options {
  const named = new Map<string, Options>()
  const rules: Rule[] = []
  for (const file of files) {
    const sent = file.data.lookup_options
    if (sent === undefined) continue
    if (file.match !== null) {
      say(file, 'lookup_options', 'options of some hosts have no counterpart: a parameter has the same for all')
      continue
    }
    for (const [key, told] of Object.entries(isMembers(sent) ? sent : {})) {
      const options = readOptions(isMembers(told) ? told : {}, (reason) => say(file, `lookup_options ${key}`, reason))
      if (!key.startsWith('^')) named.set(key, named.get(key) ?? options)
      else {
        const pattern = compile(key)
        if (pattern) rules.push({ fits: (one) => pattern.matcher(one).find(), options })
        else say(file, `lookup_options ${key}`, 'this is no pattern that can be read')
      }
    }
  }
  return (key) => named.get(key) ?? rules.find(({ fits }) => fits(key))?.options ?? FIRST
}

function compile(pattern: string): RE2JS | null {
  try {
    return RE2JS.compile(pattern)
  } catch {
    return null
  }
}

function readOptions({ merge, convert_to }: Members, say: (reason: string) => void): Options {
  const { strategy, ...further } = isMembers(merge) ? merge : { strategy: merge ?? 'first' }
  const conversion = Array.isArray(convert_to) ? convert_to[0] : convert_to
  const isHidden = conversion === 'Sensitive'
  if (conversion !== undefined && !isHidden) say(`the conversion to ${String(conversion)} has no counterpart`)
  for (const key of Object.keys(further)) say(`${key} has no counterpart`)
  if (strategy === 'unique' || strategy === 'hash' || strategy === 'deep') return { merge: strategy, isHidden }
  if (strategy !== 'first') say(`the merge behaviour ${String(strategy)} is unknown`)
  return { merge: 'first', isHidden }
}
