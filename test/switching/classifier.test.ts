import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Report } from '../../src/switching/report.ts'
import { run } from '../cli/program.ts'
import type { TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { openHere } from './here.ts'

let here: TestApi
let folder: string
let env: Record<string, string>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  const opened = await openHere(folder)
  here = opened.api
  env = opened.env
})

afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
})

/** A number that JavaScript cannot hold; the file has it without the quotes. */
const LONG = 'number 9007199254740993'
const ROOT = '00000000-0000-4000-8000-000000000000'
const GROUPS = [
  {
    id: 'b',
    name: 'Web',
    parent: ROOT,
    environment: 'production',
    environment_trumps: true,
    description: 'Serves pages',
    rule: [
      'or',
      ['and', ['~', ['fact', 'kernel'], 'L']],
      ['=', 'name', 'Web1.example.test'],
      ['=', 'name', 'gone.test'],
    ],
    classes: { apache: { port: 8080, motd: 'on $hostname' }, ntp: {} },
    config_data: { apache: { port: 1, modules: ['ssl'] } },
    variables: {
      tier: 'front',
      limits: { files: 10 },
      computed: '${name}',
      share: 0.25,
      long: LONG,
      deep: { long: [LONG] },
    },
    serial_number: 7,
    deleted: {
      gone: { 'pe.classifier/deleted': true },
      ntp: { 'pe.classifier/deleted': false, servers: { 'pe.classifier/deleted': true, value: 'x' } },
    },
    matched_by: 'hand',
  },
  {
    id: ROOT,
    name: 'All Nodes',
    parent: ROOT,
    environment: 'agent-specified',
    rule: ['or', ['=', 'name', 'web1.example.test']],
    classes: {},
    variables: {},
  },
  {
    id: 'c',
    name: 'Blue',
    parent: 'b',
    environment: 'production',
    rule: ['=', 'name', 'both.example.test'],
    classes: { apache: { port: 9090 } },
  },
  {
    id: 'd',
    name: 'Red',
    parent: 'b',
    environment: 'test',
    rule: ['=', 'name', 'both.example.test'],
    classes: { apache: {} },
  },
]

/** Imports with the command, as a person does. */
async function importGroups(groups: unknown, ...flags: string[]) {
  writeFileSync(
    join(folder, 'groups.json'),
    typeof groups === 'string' ? groups : JSON.stringify(groups).replace(/"number (\d+)"/g, '$1'),
  )
  return run(['import', 'pe-classifier', 'groups.json', '--json', ...flags], folder, env)
}

async function readReport(groups: unknown, ...flags: string[]): Promise<Report> {
  const { code, stdout, stderr } = await importGroups(groups, ...flags)
  expect(code, stderr + stdout).toBe(0)
  return JSON.parse(stdout)
}

const listTitles = async () =>
  (await here.admin.get('/api/hostgroups')).body.results.map(({ title }: { title: string }) => title)

test('groups, classes, values, variables and pinned hosts are taken, the rest is listed, an undo removes them', {
  timeout: 120_000,
}, async () => {
  const host = await given(here.admin, 'host', { name: 'web1.example.test', managed: false })
  const plan = await readReport(GROUPS, '--plan')
  expect(await listTitles()).toEqual([])
  const report = await readReport(GROUPS)
  expect(report).toEqual(plan)
  expect(await listTitles()).toEqual(['All Nodes', 'All Nodes/Web', 'All Nodes/Web/Blue', 'All Nodes/Web/Red'])
  const { body: web } = await here.admin.get('/api/hostgroups/All%20Nodes%2FWeb')
  expect(web).toMatchObject({ environment_name: 'production', description: 'Serves pages' })
  expect(web.configclasses.map(({ name }: { name: string }) => name).sort()).toEqual(['apache', 'ntp'])
  expect(web.parameters).toMatchObject([
    { name: 'limits', value: { files: 10 }, parameter_type: 'hash' },
    { name: 'share', value: 0.25, parameter_type: 'real' },
    { name: 'tier', value: 'front', parameter_type: 'string' },
  ])
  expect((await here.admin.get(`/api/hosts/${host.id}`)).body.hostgroup_title).toBe('All Nodes/Web')
  const { body: port } = await here.admin.get('/api/smart_class_parameters/port')
  expect(port).toMatchObject({ override: true, omit: true, parameter_type: 'integer', configclass_name: 'apache' })
  const values = port.override_values.map(({ match, value }: { match: string; value: unknown }) => [match, value])
  expect(values).toEqual(
    expect.arrayContaining([
      ['hostgroup=All Nodes/Web', 8080],
      ['hostgroup=All Nodes/Web/Blue', 9090],
    ]),
  )
  const reasons = Object.values(report.kinds).flatMap(({ remarks }) => remarks.map(({ reason }) => reason))
  for (const part of [
    'apache::port is left out',
    'apache::motd',
    'variable computed',
    'The variable long is left out: it is a number of too many digits',
    'The variable deep is left out: it is a number of too many digits',
    'The class gone no longer exists',
    'Of the class ntp: servers no longer exists',
    'The key matched_by is left out',
    'have no organizations and locations',
    'kernel',
    'agent-specified',
    'overrides those',
    'pinned to several',
    'no such record',
  ])
    expect
      .soft(
        reasons.filter((one) => one.includes(part)),
        part,
      )
      .toHaveLength(1)
  expect(report.kinds.host).toMatchObject({ there: 3, changed: 1, refused: 2 })
  expect((await readReport(GROUPS)).totals).toMatchObject({ created: 0, changed: 0, refused: report.totals.refused })
  await here.admin.put(`/api/hosts/${host.id}`, { host: { hostgroup_id: null, environment_id: null } })
  const undone = await run(['import', 'undo', '--json'], folder, env)
  expect(JSON.parse(undone.stdout)).toEqual({ removed: report.totals.created, kept: [] })
  expect(await listTitles()).toEqual([])
})

test('a file that is no export is refused with the place of its fault, and nothing is stored', async () => {
  const faults: readonly (readonly [unknown, RegExp])[] = [
    ['{', /groups\.json: the file is not JSON/],
    [{ groups: [] }, /no export of a classifier/],
    [[{ ...GROUPS[1], classes: { web: 1 } }], /group 1, classes\.web/],
    [[{ ...GROUPS[0], parent: 'nobody' }], /parent of the group "Web" is not in the file/],
    [[{ ...GROUPS[0], parent: 'c' }, GROUPS[2]], /circle/],
    [[GROUPS[1], GROUPS[1]], /same id/],
  ]
  for (const [groups, message] of faults) {
    const { code, stderr } = await importGroups(groups)
    expect.soft(stderr).toMatch(message)
    expect.soft(code).not.toBe(0)
  }
  expect(await listTitles()).toEqual([])
})
