import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  computeFingerprint,
  type DeliveredClass,
  normalizeDelivered,
} from '../../src/areas/configuration/import/delivered.ts'
import { importClasses } from '../../src/areas/configuration/import/importing.ts'
import type { ClassSource } from '../../src/areas/configuration/import/source.ts'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { loadSettings, seedSettings } from '../../src/settings/settings.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { UNKNOWN_KEYS } from '../support/encryption.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
  await seedSettings(database.db)
})
afterAll(() => database?.[Symbol.asyncDispose]())

type Held = Readonly<Record<string, readonly DeliveredClass[]>>

function holding(held: Held): ClassSource {
  return {
    key: 'test',
    label: 'test',
    smartProxyId: null,
    environments: async () => Object.keys(held),
    read: async (environment, { hash: known }) => {
      const content = normalizeDelivered(held[environment] ?? [])
      const hash = computeFingerprint(
        JSON.stringify(content, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value)),
      )
      return hash === known ? 'unchanged' : { hash, etag: null, delivered: content }
    },
  }
}

async function importing(held: Held, order: { readonly dryrun: boolean; readonly force: boolean }) {
  const settings = await loadSettings(database.db)
  const user = { id: null, name: 'System', admin: true, organizations: [], locations: [] }
  const origin = { requestId: null, address: null }
  const ctx = { db: database.db, settings, user, origin, encryption: UNKNOWN_KEYS, log: pino({ level: 'silent' }) }
  const all = { only: null, except: new Set<never>(), seen: sql`true`, ...order }
  return (await importClasses(ctx, holding(held), all)).reports
}

/** What the environments hold, as the database has it. */
async function stored(): Promise<Record<string, string[]>> {
  const found = await rows<{ name: string; what: string[] }>(
    database.db,
    sql`select e.name, array(
        select c.name from configclass_environments l join configclasses c on c.id = l.configclass_id where l.environment_id = e.id
        union all
        select c.name || ' ' || p.parameter from class_parameter_environments l
        join smart_class_parameters p on p.id = l.smart_class_parameter_id join configclasses c on c.id = p.configclass_id
        where l.environment_id = e.id order by 1) as what
      from environments e order by e.name`,
  )
  return Object.fromEntries(found.map(({ name, what }) => [name, what.toSorted()]))
}

function expected(held: Held): Record<string, string[]> {
  const parts = (classes: readonly DeliveredClass[]) =>
    classes.flatMap(({ name, parameters }) => [name, ...parameters.map((parameter) => `${name} ${parameter.name}`)])
  return Object.fromEntries(Object.entries(held).map(([name, classes]) => [name, parts(classes).toSorted()]))
}

/** Parameters that operators manage, with what they have set. */
function managed() {
  return rows<{ id: number; value: unknown }>(
    database.db,
    sql`select id, default_value as value from smart_class_parameters where override order by id`,
  )
}

const parameter = fc.record({
  name: fc.constantFrom('a', 'b', 'c'),
  value: fc.constantFrom(1n, 2n, 2, 'x', null, false, [1n]),
  sensitive: fc.constant(false),
})
const classes = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('web', 'web::ssl', 'db', 'ntp'),
    parameters: fc.uniqueArray(parameter, { maxLength: 3, selector: ({ name }) => name }),
  }),
  { maxLength: 3, selector: ({ name }) => name },
)
const step = fc.record({
  // There is always one, or the source is not believed; an environment without classes is none.
  held: fc.tuple(
    fc.record({ always: classes }),
    fc.dictionary(fc.constantFrom('e1', 'e2'), classes, { maxKeys: 2, noNullPrototype: true }),
  ),
  force: fc.integer({ max: 3, min: 0 }).map((one) => one === 0),
  /** What operators do afterwards: begin to manage parameters with this remainder, and leave others to the manifests. */
  manages: fc.integer({ min: 0, max: 4 }),
})

test('a dry run says what the run does, which does it all, once, and leaves alone what operators manage', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 4 }), async (steps) => {
      await sql`delete from configclasses`.execute(database.db)
      await sql`delete from environments`.execute(database.db)
      for (const { held: parts, force, manages } of steps) {
        const held: Held = Object.assign({}, ...parts)
        const before = await managed()
        const said = await importing(held, { dryrun: true, force })
        expect(await importing(held, { dryrun: false, force })).toEqual(said)
        expect(await stored()).toMatchObject(
          Object.fromEntries(Object.entries(expected(held)).filter(([, what]) => what.length > 0)),
        )
        expect(await importing(held, { dryrun: false, force })).toEqual([])
        if (!force) expect(await managed()).toEqual(before)
        await sql`update smart_class_parameters set override = true, default_value = '"ours"' where id % 5 = ${manages}`.execute(
          database.db,
        )
        await sql`update smart_class_parameters set override = false where id % 5 = ${(manages + 1) % 5}`.execute(
          database.db,
        )
      }
    }),
    { numRuns: 12 },
  )
})
