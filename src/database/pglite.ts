import { PGlite, parse, protocol } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { PostgresDialect } from 'kysely'
import { connectionOver, dialectOver } from './dialect.ts'
import { statementNames, underName } from './statement-names.ts'
import type { Outcome, Run } from './statements.ts'
import { PARSERS } from './values.ts'

/** What an embedded database starts from: a directory, or memory filled with an image that `dumpDataDir` made. */
export type Storage = { readonly directory: string } | { readonly image: Blob | null }

/** Starts PostgreSQL inside this process; makes a new database when the storage is empty. */
export async function startPglite(storage: Storage): Promise<PGlite> {
  const extensions = { pg_trgm }
  const pglite = await ('directory' in storage
    ? PGlite.create({ dataDir: storage.directory, extensions })
    : PGlite.create({ extensions, loadDataDir: storage.image ?? undefined }))
  await pglite.exec(`set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'`)
  return pglite
}

/**
 * A dialect over PGlite's wire protocol. Kysely's own goes through PGlite's `query`, which asks for the types of the
 * values first and keeps no parsed statement: a third of the speed (docs/decisions/0002-prepared-statements.md).
 */
export function pgliteDialect(pglite: PGlite, observe: (run: Run) => Run): PostgresDialect {
  const names = statementNames()
  const parsed = new Set<string>()
  const run = observe((text, values) => underName(names, text, (name) => exchange(text, values, name)))
  const connection = connectionOver(run, () => undefined)
  return dialectOver(
    async () => connection,
    () => pglite.close(),
  )

  async function exchange(text: string, values: readonly (string | null)[], name?: string): Promise<Outcome> {
    // Without values one message is enough, and the text may hold several statements, as on a server.
    if (values.length === 0) return send([serialize.query(text)])
    const prepare = name !== undefined && parsed.has(name) ? [] : parseAs(text, name)
    if (name) parsed.delete(name)
    const bind = serialize.bind({ statement: name, values: [...values] })
    const outcome = await send([
      ...prepare,
      bind,
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
      serialize.sync(),
    ])
    if (name) parsed.add(name)
    return outcome
  }

  async function send(messages: Uint8Array[]): Promise<Outcome> {
    const answers = await pglite.runExclusive(
      () => pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false }), // the directory is written as PostgreSQL does
    )
    const last = parse.parseResults(answers, PARSERS).at(-1)
    return { command: last?.command, rowCount: last?.rowCount ?? null, rows: last?.rows ?? [] }
  }
}

const { serialize } = protocol

/** Closing first, because after a failure nobody knows whether the name was taken; closing what is not open is allowed. */
function parseAs(text: string, name: string | undefined): Uint8Array[] {
  return name ? [serialize.close({ type: 'S', name }), serialize.parse({ text, name })] : [serialize.parse({ text })]
}
