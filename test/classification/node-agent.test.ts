import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROGRAM } from '../cli/program.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import {
  type AgentFolder,
  type Catalogue,
  catalogueIn,
  compiling,
  hasAgent,
  rehearsing,
} from '../support/peers/agent.ts'
import { execFile } from '../support/processes.ts'
import { type NodeWorld, nodeWorld } from './node-world.ts'

// The real engine compiles catalogues with the service as its node classifier, through `millwright enc` as sites run it
// (smart-parameters §9.1, §9.3).

const agent = hasAgent()
const LONG = 180_000
let api: TestApi
let world: NodeWorld
let folder: AgentFolder

beforeAll(async () => {
  if (!agent) return
  api = await openTestApi()
  world = await nodeWorld(api)
  // The engine makes no folders of its own below /dev, where temporary files of tests may be.
  const path = mkdtempSync('/tmp/agent-')
  folder = { path, classifier: join(path, 'classifier') }
  for (const each of ['conf', 'var', 'cache', 'environments']) mkdirSync(join(path, each))
  const may = await api.can(['view_hosts', 'view_params', 'reveal_external_parameters', 'upload_facts'], {
    organization_ids: [1],
    location_ids: [1],
  })
  const { body } = await api.admin.post(`/api/users/${may.id}/personal_access_tokens`, { name: 'classifier' })
  classifyThrough(await api.listen(), body.token_value)
})
afterAll(async () => {
  if (!agent) return
  await api?.[Symbol.asyncDispose]()
  if (folder) rmSync(folder?.path, { recursive: true })
})

/** The script that the engine runs for each node. */
function classifyThrough(url: string, token: string): void {
  const env = { MILLWRIGHT_ENC_URL: url, MILLWRIGHT_ENC_TOKEN: token, MILLWRIGHT_ENC_CACHE: join(folder.path, 'cache') }
  const variables = Object.entries(env).map(([name, value]) => `${name}='${value}'`)
  const program = `'${resolve('node_modules/.bin/node')}' '${PROGRAM}' enc "$1"`
  writeFileSync(folder.classifier, `#!/bin/sh\n${variables.join(' ')} exec ${program}\n`)
  chmodSync(folder.classifier, 0o755)
}

/** A class on the disk of the server and in the service. */
async function classOf(name: string, manifest: string): Promise<Shown> {
  const manifests = join(folder.path, 'environments', world.environment.name, 'modules', name, 'manifests')
  mkdirSync(manifests, { recursive: true })
  writeFileSync(join(manifests, 'init.pp'), manifest)
  return world.plain(name)
}

function run([program = '', ...words]: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((done) => {
    execFile(program, words, { cwd: '/', timeout: LONG }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), output: `${stdout}\n${stderr}` })
    })
  })
}

async function compiled(host: Shown): Promise<Catalogue> {
  const { code, output } = await run(compiling(folder, host.name))
  expect(`${code} ${output}`).toMatch(/^0 /)
  return catalogueIn(output)
}

const parametersOf = ({ resources }: Catalogue, type: string, title: string) =>
  resources.find((each) => each.type === type && each.title === title)?.parameters

describe.skipIf(!agent)('a server of the engine', () => {
  test(
    'compiles a host without classes, and one with classes that have no values',
    async () => {
      await classOf('plain', "class plain { notify { \"plain in ${facts['os']['family']}\": } }")
      const bare = await compiled(await world.host())
      expect(bare.environment).toBe(world.environment.name)
      expect(bare.classes).toEqual(['settings'])
      const { body } = await api.admin.get('/api/configclasses/plain')
      const catalogue = await compiled(await world.host({ configclass_ids: [body.id] }))
      expect(catalogue.classes).toContain('plain')
    },
    LONG,
  )

  test(
    'gets values of all types, hidden, merged, rendered, inherited and omitted, and the parameters of the host',
    async () => {
      const types = {
        text: 'String',
        truth: 'Boolean',
        whole: 'Integer',
        real: 'Float',
        list: 'Array',
        map: 'Hash',
        any: 'Array[Float]',
        json: 'Hash',
        hidden: 'String',
        merged: 'Array[String]',
        rendered: 'Integer',
        inherited: 'String',
        steps: 'Hash',
      }
      const taken = Object.entries(types).map(([name, type]) => `${type} $${name}`)
      const shown =
        'notify { "told": message => "${tier} ${shape[\'a\'][0]} ${millwright_env}" } create_resources(notify, $steps)'
      const configclass = await classOf(
        'typed',
        `class typed(${taken.join(', ')}, String $left = 'as it was') { ${shown} }`,
      )
      const add = (name: string, type: string, value: string, columns = {}) =>
        world.parameter({ configclass, name, type, value, columns })
      await add('text', 'string', '"yes"')
      await add('truth', 'boolean', 'false')
      await add('whole', 'integer', '0')
      await add('real', 'real', '2.0')
      await add('list', 'array', '["010", 1, null]')
      await add('map', 'hash', '{"12:30": {"on": "off"}}')
      await add('any', 'yaml', '[1.0, 1000000000000000000000.0]')
      await add('json', 'json', '{"~": "2020-01-01"}')
      await add('hidden', 'string', '"secret"', { hidden_value: true })
      const group = await given(api.admin, 'hostgroup', {})
      const child = await given(api.admin, 'hostgroup', { parent_id: group.id })
      const host = await world.host({
        ...{ configclass_ids: [configclass.id], hostgroup_id: child.id },
        host_parameters_attributes: [
          { name: 'tier', value: "<%= 'go' + 'ld' %>" },
          { name: 'shape', parameter_type: 'json', value: '{"a": [1.5]}' },
        ],
      })
      const merged = await add('merged', 'array', '["d"]', { merge_overrides: true, merge_default: true })
      await world.override(merged, `hostgroup=${group.title}`, ['g'])
      await add('rendered', 'integer', '"<%= 40 + 2 %>"')
      const inherited = await add('inherited', 'string', '"default"')
      await world.override(inherited, `hostgroup=${group.title}`, 'from above')
      const steps = await add('steps', 'hash', '{}')
      await api.admin.send({
        method: 'PUT',
        url: `/api/smart_class_parameters/${steps.id}`,
        headers: { 'content-type': 'application/json' },
        payload: '{"default_value": {"stop": {}, "9": {}, "10": {}, "copy": {}, "2": {}, "run": {}}}',
      })
      const left = await add('left', 'string', '"default"')
      await world.override(left, `fqdn=${host.name}`, '', true)
      const catalogue = await compiled(host)
      expect(parametersOf(catalogue, 'Class', 'Typed')).toEqual({
        ...{ text: 'yes', truth: false, whole: 0, real: 2, list: ['010', 1, null], map: { '12:30': { on: 'off' } } },
        ...{ any: [1, 1e21], json: { '~': '2020-01-01' }, hidden: 'secret', merged: ['d', 'g'], rendered: 42 },
        ...{ inherited: 'from above', left: 'as it was', steps: expect.any(Object) },
      })
      const told = `gold 1.5 ${world.environment.name}`
      expect(parametersOf(catalogue, 'Notify', 'told')).toEqual({ message: told })
      const { code, output } = await run(rehearsing(folder, host.name))
      expect(code).toBe(0)
      expect(output).toContain(`should be '${told}' (noop)`)
      // The engine applies the resources that a map makes in the order of its keys.
      const applied = [...output.matchAll(/Notify\[(\w+)\]\/message/g)].map(([, title]) => title)
      expect(applied).toEqual(['told', 'stop', '9', '10', 'copy', '2', 'run'])
    },
    LONG,
  )

  test(
    'compiles nothing for a host that is not known, or whose required value is missing; another is not concerned',
    async () => {
      const configclass = await classOf('demanding', 'class demanding(String $must) {}')
      const must = await world.parameter({ configclass, name: 'must', columns: { required: true } })
      const host = await world.host({ configclass_ids: [configclass.id] })
      const other = await world.host({ configclass_ids: [configclass.id] })
      await world.override(must, `fqdn=${other.name}`, 'is there')
      const refused = await run(compiling(folder, host.name))
      expect(refused.code).not.toBe(0)
      expect(refused.output).toContain(`${folder.classifier} ${host.name}' returned 1`)
      const { output } = await run([folder.classifier, host.name])
      expect(output).toContain("Parameter 'must' of class 'demanding' is required and has no value")
      expect(parametersOf(await compiled(other), 'Class', 'Demanding')).toEqual({ must: 'is there' })
      const unknown = await run(compiling(folder, `${unique('unknown')}.example.test`))
      expect(unknown.code).not.toBe(0)
    },
    LONG,
  )
})
