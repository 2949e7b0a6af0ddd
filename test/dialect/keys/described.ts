import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Key, segmentIn } from './recorded.ts'

/** Lists the keys that the description lets clients write, which they expect to be shown. */
export function describedKeys(): Key[] {
  const lines = readFileSync(join(import.meta.dirname, '../described/facts.txt'), 'utf8').split('\n')
  return lines.flatMap((line): Key[] => {
    const [name = '', paths = '', parameters = ''] = line.split('|').map((part) => part.trim())
    // A registration is no record of its own: it is shown with its host.
    if (!/^\w+\.(?:create|update)$/.test(name) || name.startsWith('host_subscriptions.')) return []
    const segment = segmentIn(paths.split(', ').at(-1)?.replace(/^\w+ /, '') ?? '')
    if (segment === null) return []
    const written = parameters.split(' ').map((parameter) => parameter.replace(/(?:#|\?|\[\]|\{\}|\*|@)?!?$/, ''))
    const keys = segment.startsWith('katello/')
      ? written.filter((parameter) => /^\w+$/.test(parameter))
      : written.flatMap((parameter) => /^\w+\[(\w+)\]$/.exec(parameter)?.[1] ?? [])
    return keys.map((key) => ({ segment, view: 'show', key }))
  })
}
