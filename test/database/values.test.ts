import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())

// One expectation for both databases: this file runs on each.
test('every type reads the same', async () => {
  const found = await row(
    database.db,
    sql`select 7::int2 as int2, 7::int4 as int4, 9007199254740991::int8 as int8, count(*) as count, sum(7::int4) as sum,
      1.5::float8 as float8, 1.25::float4 as float4, 1.50::numeric as "numeric", true as yes, false as no, null::text as missing,
      'é"\\'::text as "text", 'v'::varchar(3) as "varchar", 'n'::name as "name",
      '2026-11-20 12:37:00.123+00'::timestamptz(3) as instant, '2026-11-20 12:37:00.120+02'::timestamptz(3) as trimmed,
      '2026-11-20 12:37:00'::timestamp as "timestamp", '2026-11-20'::date as "date", '12:37'::time as "time",
      interval '1 day 2 hours' as "interval", '10.0.0.1'::inet as inet, '10.0.0.0/8'::cidr as cidr,
      '6b6f3a1e-3c67-4a4b-9d0f-3f6c8a6d0b11'::uuid as uuid, '\\x00ff'::bytea as bytea,
      '{"a": [1, null, "x"]}'::jsonb as jsonb, '"text"'::json as json, 'null'::jsonb as json_null,
      array[1, null]::int8[] as int8s, array[1]::int4[] as int4s, '{}'::int8[] as nothing,
      array['a', 'b"c\\', null, 'NULL', '']::text[] as texts, array[true, false] as booleans,
      array['2026-11-20'::timestamptz] as instants, array['{"a": 1}'::jsonb] as jsonbs, array['\\x01'::bytea] as byteas`,
  )
  expect(found).toEqual({
    int2: 7,
    int4: 7,
    int8: 9007199254740991,
    count: 1,
    sum: 7,
    float8: 1.5,
    float4: 1.25,
    numeric: '1.50',
    yes: true,
    no: false,
    missing: null,
    text: 'é"\\',
    varchar: 'v',
    name: 'n',
    instant: '2026-11-20 12:37:00.123+00',
    trimmed: '2026-11-20 10:37:00.12+00',
    timestamp: '2026-11-20 12:37:00',
    date: '2026-11-20',
    time: '12:37:00',
    interval: '1 day 02:00:00',
    inet: '10.0.0.1',
    cidr: '10.0.0.0/8',
    uuid: '6b6f3a1e-3c67-4a4b-9d0f-3f6c8a6d0b11',
    bytea: Buffer.from([0, 255]),
    jsonb: { a: [1, null, 'x'] },
    json: 'text',
    json_null: null,
    int8s: [1, null],
    int4s: [1],
    nothing: [],
    texts: ['a', 'b"c\\', null, 'NULL', ''],
    booleans: [true, false],
    instants: ['2026-11-20 00:00:00+00'],
    jsonbs: [{ a: 1 }],
    byteas: [Buffer.from([1])],
  })
})

test('every value writes the same', async () => {
  const found = await row(
    database.db,
    sql`select ${7}::int8 as int8, ${1.5}::float8 as float8, ${'1.50'}::numeric as "numeric", ${true} and ${false} as "boolean",
      ${'é"\\'}::text as "text", ${null}::text as "null", ${undefined}::text as "undefined", ${12n}::int8 as bigint,
      ${new Date(Date.UTC(2026, 10, 20, 12, 37, 0, 123))}::timestamptz as date,
      ${Buffer.from([0, 255])}::bytea as buffer, ${new Uint8Array([1])}::bytea as bytes,
      ${{ a: ['x', null] }}::jsonb as object, ${JSON.stringify(['x'])}::jsonb as json_array, ${JSON.stringify('x')}::jsonb as json_text,
      ${[1, null, 3]}::int8[] as int8s, ${[]}::text[] as nothing, ${[true]}::boolean[] as booleans,
      ${['a b', 'c,d', '"', '\\', '{}', 'NULL', null, '']}::text[] as texts,
      ${[[1, 2], [3, 4]]}::int8[] as nested, ${[Buffer.from([7])]}::bytea[] as byteas, ${[{ a: 1 }]}::jsonb[] as jsonbs`,
  )
  expect(found).toEqual({
    int8: 7,
    float8: 1.5,
    numeric: '1.50',
    boolean: false,
    text: 'é"\\',
    null: null,
    undefined: null,
    bigint: 12,
    date: '2026-11-20 12:37:00.123+00',
    buffer: Buffer.from([0, 255]),
    bytes: Buffer.from([1]),
    object: { a: ['x', null] },
    json_array: ['x'],
    json_text: 'x',
    int8s: [1, null, 3],
    nothing: [],
    booleans: [true],
    texts: ['a b', 'c,d', '"', '\\', '{}', 'NULL', null, ''],
    nested: [
      [1, 2],
      [3, 4],
    ],
    byteas: [Buffer.from([7])],
    jsonbs: [{ a: 1 }],
  })
})

test('a value of the wrong type is refused with the same code', async () => {
  for (const bad of ['x', '1.5', '9223372036854775808', {}, [1]]) {
    await expect(row(database.db, sql`select ${bad}::int8`)).rejects.toMatchObject({
      code: expect.stringMatching(/^22(P02|003)$/),
    })
  }
})
