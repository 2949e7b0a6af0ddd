import { z } from 'zod'
import { badParameter } from '../../errors.ts'
import type { Sent } from '../../kernel/index.ts'
import { isMembers } from '../../lib/values.ts'

/** The most operations that a batch may have. */
export const MOST_OPERATIONS = 10_000

/** The schema of one write in the body of a batch. */
export const operation = z.object({
  method: z.enum(['POST', 'PUT', 'PATCH', 'DELETE']).meta({ description: 'POST, PUT, PATCH or DELETE.' }),
  path: z.string().meta({ description: 'Path with query, as of a request of its own.', examples: ['/api/hosts'] }),
  body: z.unknown().optional().meta({ description: 'Its body.' }),
})
const outcome = z.object({
  status: z.int().meta({ description: 'The status that a request of its own would have got.' }),
  body: z.unknown().optional().meta({ description: 'Its answer; absent with `Prefer: return=minimal`.' }),
})
/** The schema of the results of a batch. */
export const outcomes = z.array(outcome).meta({
  description:
    'Results of the operations, in their order. Operations without a result were not tried, because too many before them failed, or the service itself did.',
})

/** One write of a batch. */
export type BatchOperation = z.infer<typeof operation>
/** The result of one write: status and body that a request of its own would have got. */
export type BatchOutcome = z.infer<typeof outcome>

/** The choices of a batch. */
interface Choices {
  /** Whether all writes are stored or none; true by default. */
  readonly isAtomic: boolean
  /** Whether nothing is stored; false by default. */
  readonly isDryRun: boolean
}

/** Reads the choices of a batch. {@throws Failure} bad_parameter */
export function readChoices({ atomic = true, dry_run = false }: Sent): Choices {
  return { isAtomic: checkFlag('atomic', atomic), isDryRun: checkFlag('dry_run', dry_run) }
}

function checkFlag(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean') throw badParameter(name, value, 'must be true or false')
  return value
}

/** Reads the writes of a batch. {@throws Failure} bad_parameter for none or too many, or naming the first malformed one */
export function readOperations({ operations }: Sent): readonly BatchOperation[] {
  if (!Array.isArray(operations) || operations.length === 0)
    throw badParameter('operations', operations, 'must be a list of at least one operation')
  if (operations.length > MOST_OPERATIONS)
    throw badParameter('operations', operations.length, `must be at most ${MOST_OPERATIONS} operations`)
  return operations.map((sent: unknown, index) => {
    const parsed = operation.safeParse(sent)
    if (parsed.success) return parsed.data
    const allowed = 'must be an object with a method (POST, PUT, PATCH or DELETE), a path, and maybe a body'
    // The body is left out, because it may contain secrets.
    const shown = isMembers(sent) ? { method: sent.method, path: sent.path } : sent
    throw badParameter(`operations[${index}]`, shown, allowed)
  })
}
