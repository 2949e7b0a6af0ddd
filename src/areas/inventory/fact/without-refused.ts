import type { Context } from '../../../context.ts'
import { isRace } from '../../../database/failures.ts'
import { inSavepoint } from '../../../database/savepoints.ts'
import { Failure } from '../../../errors.ts'

/**
 * The most attempts after lost races: many new hosts may bring the same new names at once, and all but one of them then
 * use the record that another request has created.
 */
const MOST_RACES = 5

/**
 * Executes work again without the keys that were refused: facts are stored even if values from them are not allowed on
 * the host.
 */
export async function withoutRefused<Result>(
  ctx: Context,
  work: (dropped: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  const dropped = new Set<string>()
  for (let races = 0; ; ) {
    try {
      return await withSavepoint(ctx, () => work(dropped))
    } catch (error) {
      const refused = listRefused(error).filter((key) => !dropped.has(key))
      if (refused.length === 0) {
        races += 1
        if (!isRace(error) || races > MOST_RACES) throw error
        continue
      }
      for (const key of refused) dropped.add(key)
      ctx.log.info({ refused }, 'facts do not fit their host')
    }
  }
}

/** Executes work in a savepoint, so that refused writes leave nothing behind in a transaction that goes on. */
function withSavepoint<Result>({ db }: Context, work: () => Promise<Result>): Promise<Result> {
  return db.isTransaction ? inSavepoint(db, work) : work()
}

const PLACES = ['organization_id', 'location_id', 'hostgroup_id']

const FROM_FACTS = [
  ...PLACES,
  'architecture_id',
  'operatingsystem_id',
  'model_id',
  'domain_id',
  'environment_id',
  'ip',
  'ip6',
  'mac',
]

function listRefused(error: unknown): string[] {
  if (!(error instanceof Failure) || error.code !== 'invalid') return []
  const named = Object.keys(error.details.errors ?? {}).map((key) => key.replace(/^interfaces\./, ''))
  const refused = FROM_FACTS.filter((key) => named.includes(key) || named.includes(key.replace(/_id$/, '')))
  // A link to something that is not in the new places refuses the move: the host then stays where it is.
  return named.some((key) => key.endsWith('_id')) ? [...refused, ...PLACES] : refused
}
