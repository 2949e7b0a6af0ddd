import { z } from 'zod'
import { badParameter } from '../../../errors.ts'
import { membersOf } from '../../../lib/values.ts'
import type { Input } from '../../../requests/route.ts'
import { ENVIRONMENT_REPORT, KINDS, type Kind } from './report.ts'

const ENVIRONMENTS = z.union([z.array(ENVIRONMENT_REPORT), ENVIRONMENT_REPORT])
const counter = (doc: string) => z.int().optional().meta({ description: doc })
const flag = z.union([z.boolean(), z.string(), z.number()]).nullish()

/** The inputs and answers of the routes of an import. */
export const facts = {
  summary: 'Import config classes from a smart proxy',
  permissions: ['import_configclasses', 'import_environments'],
  body: z.object({
    dryrun: flag.meta({ description: 'Only says what an import would do.' }),
    except: z
      .string()
      .nullish()
      .meta({
        description: `Parts of the import to skip, any of ${KINDS.join(', ')} some, with commas between them.`,
        examples: ['obsolete'],
      }),
    force: flag.meta({
      description:
        'Values that somebody has set are removed as well when the environment no longer has their class or parameter.',
    }),
    source: z.enum(['proxy', 'server']).nullish().meta({
      description: 'Address that is asked: of the smart proxy, or of the server of the configuration engine behind it.',
    }),
  }),
  output: z.object({
    message: z.string().meta({ description: 'Description of the result.' }),
    environments_with_new_configclasses: counter('Environments that classes come into.'),
    environments_updated_configclasses: counter('Environments with classes whose parameters change.'),
    environments_obsolete: counter('Environments that classes leave, or that are gone.'),
    environments_ignored: counter('Environments of which something is kept out by the settings.'),
    results: ENVIRONMENTS.optional().meta({
      description: 'Results by environment; a single one if only one was requested.',
    }),
  }),
} as const

/** Reads the kinds of changes to leave out. {@throws Failure} bad_parameter for unknown kinds */
export function readExcept(input: Input): ReadonlySet<Kind> {
  const sent = readSent(input, 'except') ?? ''
  if (typeof sent !== 'string') throw badParameter('except', sent, `must be text: some of ${KINDS.join(', ')}`)
  const words = sent.split(',').flatMap((word) => word.trim() || [])
  const kinds = KINDS.filter((kind) => words.includes(kind))
  if (kinds.length < new Set(words).size) throw badParameter('except', sent, `must be some of ${KINDS.join(', ')}`)
  return new Set(kinds)
}

/** Whether a flag is sent, with any value except null, `false` and `0`. */
export function isOn(input: Input, name: string): boolean {
  const sent = readSent(input, name)
  return sent !== undefined && sent !== null && !['false', '0'].includes(String(sent))
}

/** A value from the body, which clients may wrap under the resource's name, or from the query. */
export function readSent({ body, query }: Input, name: string): unknown {
  return body[name] ?? membersOf(body.smart_proxy)[name] ?? query[name]
}
