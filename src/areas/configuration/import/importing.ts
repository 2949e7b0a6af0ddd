import { RE2JS } from 're2js'
import { beginPortion, type Context } from '../../../context.ts'
import { lockName } from '../../../database/savepoints.ts'
import type { Db, Sql } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import type { Settings } from '../../../settings/settings.ts'
import { applyDifference } from './apply.ts'
import type { Delivered } from './delivered.ts'
import { computeImportDifference, type ImportDifference, isEmptyDifference } from './difference.ts'
import {
  createEnvironment,
  deleteEnvironment,
  type Importer,
  loadEnvironmentByName,
  loadEnvironments,
  lockUnusedEnvironment,
  rememberSource,
  type StoredEnvironment,
} from './environments.ts'
import { deleteLeftovers } from './leftovers.ts'
import { type Progress, startProgress } from './progress.ts'
import {
  buildIgnoredReport,
  buildObsoleteReport,
  buildReport,
  type EnvironmentReport,
  excludeIgnored,
  type Kind,
} from './report.ts'
import { type ClassSource, type Content, SourceError } from './source.ts'

/** The dependencies of an import; contexts of requests have them. */
export interface ImportContext extends Importer, Pick<Context, 'encryption'>, Partial<Pick<Context, 'standing'>> {
  readonly db: Db
  readonly settings: Pick<Settings, 'ignored_environments' | 'ignored_configclasses'>
  readonly log: { readonly warn: (fields: object, message: string) => void }
}

/** The options of an import. */
export interface ImportOptions {
  /** The name of the only environment to import; null: all. */
  readonly only: string | null
  /** Reports what a run would do, without storing anything. */
  readonly dryrun: boolean
  /** Deletes also values of operators for what the source no longer has. */
  readonly force: boolean
  readonly except: ReadonlySet<Kind>
  /** The condition on a row `t` of environments that the caller may see it. */
  readonly seen: Sql
}

/** The results of an import. */
export interface Imported {
  readonly reports: readonly EnvironmentReport[]
  /** Whether the requested environment exists here or in the source. */
  readonly isFound: boolean
}

/**
 * Imports classes (smart-parameters §6). Each environment is read, compared and stored in a transaction of its own, so
 * that an interrupted import has done whole environments and the next one continues. A dry run reads and compares
 * without storing. {@throws Failure} import_failed
 */
export async function importClasses(ctx: ImportContext, source: ClassSource, order: ImportOptions): Promise<Imported> {
  const progress = await startProgress(ctx.db, source, ctx, order)
  try {
    const run: ImportRun = { ctx, source, order, progress, changed: new Set(), ignores: compileIgnored(ctx.settings) }
    const imported = await importAll(run)
    await progress.end('finished', `${imported.reports.length} environments with changes`)
    return imported
  } catch (error) {
    const failure = toFailure(ctx, source, error)
    await progress.end('failed', failure instanceof Failure ? failure.message : 'a fault of the service, see its log')
    throw failure
  }
}

interface ImportRun {
  readonly ctx: ImportContext
  readonly source: ClassSource
  readonly order: ImportOptions
  readonly progress: Progress
  /** Parameters whose default values this import has changed so far. */
  readonly changed: Set<number>
  readonly ignores: (className: string) => boolean
}

async function importAll(run: ImportRun): Promise<Imported> {
  const { ctx, source, order, progress } = run
  const offered = new Set(await source.environments())
  const known = await loadEnvironments(ctx.db, source.key, order.seen)
  const ignored = new Set(ctx.settings.ignored_environments)
  const isAsked = (name: string) => order.only === null || name === order.only
  const seen = [...offered].filter((name) => isAsked(name) && (known.get(name)?.isSeen ?? true)).sort()
  const kept = seen.filter((name) => ignored.has(name) || !isEnvironmentName(name))
  const read = seen.filter((name) => !kept.includes(name))
  const gone = [...known.values()].filter(
    ({ name, isSeen, isOthers }) => isAsked(name) && isSeen && !isOthers && !offered.has(name) && !ignored.has(name),
  )
  if (offered.size === 0 && gone.length > 0 && !order.force)
    throw new SourceError(`${source.label} has no environments at all; with force it is believed`)
  await progress.begin(read.length + gone.length)

  const reports = order.except.has('ignored') ? [] : kept.map(buildIgnoredReport)
  const failures: SourceError[] = []
  for (const name of read) {
    const report = await importOne(run, name, known.get(name)).catch((error) => {
      if (!(error instanceof SourceError && error.alone && order.only === null)) throw error
      failures.push(error)
      return null
    })
    if (report) reports.push(report)
  }
  if (!order.except.has('obsolete')) for (const environment of gone) reports.push(await removeOne(run, environment))
  if (!order.dryrun) await withLock(ctx, (tx) => deleteLeftovers(tx, ctx, order))
  if (failures.length > 0) throw new SourceError(failures.map(({ message }) => message).join('; '))
  return {
    reports: reports.sort((one, other) => (one.name < other.name ? -1 : 1)),
    isFound: seen.length + gone.length > 0,
  }
}

/** Reads one environment and stores its difference, if there is one. */
async function importOne(
  run: ImportRun,
  name: string,
  known: StoredEnvironment | undefined,
): Promise<EnvironmentReport | null> {
  const { ctx, source, order, progress } = run
  const isComparable = ctx.settings.ignored_configclasses.length === 0
  const content = await source.read(name, (isComparable && known) || { hash: null, etag: null })
  if (content === 'unchanged') {
    await progress.done(ctx.db, name, true)
    return null
  }
  const plan = async (db: Db) => {
    const all = await computeImportDifference(
      { db, encryption: ctx.encryption },
      known?.id ?? (await loadEnvironmentByName(db, name)),
      content.delivered,
      run.changed,
    )
    const found = excludeIgnored(all, order.except, run.ignores)
    return { found, report: buildReport(name, found, { ...order, ...content.delivered, ignores: run.ignores }) }
  }
  if (order.dryrun) {
    const { found, report } = await plan(ctx.db)
    remember(run, found)
    await progress.done(ctx.db, name, report === null)
    return report
  }
  const { found, report } = await withLock(ctx, async (tx) => {
    const planned = await plan(tx)
    if (known || planned.found.newClasses.length > 0) await store(tx, run, name, known, content, planned.found)
    await progress.done(tx, name, planned.report === null)
    return planned
  })
  remember(run, found)
  return report
}

async function store(
  tx: Db,
  { ctx, source, order }: ImportRun,
  name: string,
  known: StoredEnvironment | undefined,
  { hash, etag, delivered }: Content,
  found: ImportDifference,
): Promise<void> {
  try {
    const id = known?.id ?? (await createEnvironment(tx, ctx, name))
    if (!isEmptyDifference(found)) await applyDifference(tx, ctx, id, found, order)
    // Without a hash the next import finds again what this one excluded; by then the settings that exclude may be
    // others.
    const isWhole =
      order.except.size === 0 && ctx.settings.ignored_configclasses.length === 0 && delivered.unreadable.length === 0
    await rememberSource(tx, id, source.key, { hash: isWhole ? hash : null, etag: isWhole ? etag : null })
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    throw new StoringError(name, cause)
  }
}

/** Removes the contents of an environment that the source no longer has, and deletes it unless it is used. */
async function removeOne(run: ImportRun, environment: StoredEnvironment): Promise<EnvironmentReport> {
  const { ctx, order, progress } = run
  const { id, name, isUsed } = environment
  const nothing: Delivered = { classes: [], unreadable: [] }
  const found = await computeImportDifference(ctx, id, nothing, run.changed)
  const managed = order.force ? [] : found.obsoleteParameters.filter(({ isManaged }) => isManaged)
  const report = buildObsoleteReport(name, { isUsed, managed: managed.map((one) => `${one.class}::${one.name}`) })
  await withLock(ctx, async (tx) => {
    if (!order.dryrun && (await lockUnusedEnvironment(tx, id))) {
      await applyDifference(tx, ctx, id, found, order)
      await deleteEnvironment(tx, ctx, id, name)
    }
    await progress.done(tx, name, false)
  })
  return report
}

function remember({ changed }: ImportRun, { changedParameters: told }: ImportDifference): void {
  for (const { id, changes } of told) if (changes) changed.add(id)
}

/**
 * Executes work for one environment under a lock, so that concurrent imports see each other's results, and only while the
 * caller may still import.
 */
async function withLock<Result>(ctx: ImportContext, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const { db } = await beginPortion(ctx)
  return db.transaction(async (tx) => {
    await lockName(tx, 'import of classes')
    return work(tx)
  })
}

/** Compiles the setting that ignores classes: regular expressions, for an engine with linear time; settings hold no others. */
function compileIgnored({ ignored_configclasses: rules }: ImportContext['settings']): (className: string) => boolean {
  const patterns = rules.map((rule) => RE2JS.compile(rule))
  return (className) => patterns.some((pattern) => pattern.matcher(className).find())
}

function isEnvironmentName(name: string): boolean {
  return /^[A-Za-z0-9_]{1,255}$/.test(name)
}

class StoringError extends Error {
  override readonly name = 'StoringError'
  readonly environment: string

  constructor(environment: string, cause: unknown) {
    super(`the classes of ${environment} could not be stored`, { cause })
    this.environment = environment
  }
}

/** The error for callers (smart-parameters §6.1); the cause is logged. */
function toFailure({ log }: ImportContext, { label: called }: ClassSource, error: unknown): unknown {
  if (error instanceof Failure) return error
  if (error instanceof SourceError) {
    log.warn({ source: called, reason: error.message }, 'classes could not be read')
    return new Failure('import_failed', `Unable to get classes from ${called}: ${error.message}`, {}, { cause: error })
  }
  if (!(error instanceof StoringError)) return error
  log.warn({ err: error.cause, source: called }, 'classes could not be stored')
  const message = `Failed to update the environments and configclasses from the on-disk config installation: ${error.message}`
  return new Failure('import_failed', message, {}, { cause: error })
}
