import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Deployment } from 'kubernetes-models/apps/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readSettings } from '../../src/config/config.ts'

interface Variable {
  readonly name: string
  readonly value?: string
}
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }

const text = readFileSync(join(import.meta.dirname, '../../packaging/kubernetes.yaml'), 'utf8')
const documents = parseAllDocuments(text).map((document) => document.toJS({ maxAliasCount: 10 }))
const [{ spec }] = documents.filter(({ kind }) => kind === 'Deployment')
const [container] = spec.template.spec.containers

/** The published schemas of Kubernetes, by kind. */
const MODELS: Readonly<Record<string, new (data: never) => { validate(): void }>> = {
  ...{ Deployment, PodDisruptionBudget, Service },
}

test('the manifests fit the published schemas of Kubernetes, which know each of their keys', () => {
  expect(documents.map(({ kind }) => kind).sort()).toEqual(Object.keys(MODELS))
  for (const document of documents) expect(listFaults(document)).toEqual([])
  const [deployment] = documents.filter(({ kind }) => kind === 'Deployment')
  const withContainer = (changed: object) => {
    const template = { ...spec.template, spec: { ...spec.template.spec, containers: [changed] } }
    return listFaults({ ...deployment, spec: { ...spec, template } })
  }
  expect(withContainer({ ...container, readinesProbe: container.readinessProbe })).toContain(
    'unknown: spec.template.spec.containers.0.readinesProbe',
  )
  expect(withContainer({ ...container, ports: [{ containerPort: 'http' }] })).toEqual([
    expect.stringContaining('containerPort must be integer'),
  ])
  expect(withContainer({ ...container, name: undefined })).toEqual([expect.stringContaining('required property name')])
})

/** Lists what the schema of a document refuses, and keys that it does not look at because it knows none of that name. */
function listFaults(document: { readonly kind: string }): string[] {
  const looked = new Set<string>()
  const watched = <Value>(value: Value, path: string): Value => {
    if (typeof value !== 'object' || value === null) return value
    return new Proxy(value, {
      get(target, key) {
        const at = path ? `${path}.${String(key)}` : String(key)
        looked.add(at)
        return watched(Reflect.get(target, key), at)
      },
    })
  }
  const Model = MODELS[document.kind]
  if (!Model) return [`${document.kind} has no schema here`]
  try {
    watched(new Model(document as never), '').validate() // it says itself what it has been given
  } catch (error) {
    return [String(error)]
  }
  return pathsOf(document)
    .filter((path) => !looked.has(path))
    .map((path) => `unknown: ${path}`)
}

function pathsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path ? `${path}.${key}` : key
    return [at, ...pathsOf(inner, at)]
  })
}

test('what the manifests set is a configuration that the service takes whole', () => {
  const secret = 'postgresql://millwright:secret@db.example.test/millwright'
  const given = container.env.map(({ name, value = secret }: Variable) => [name, value])
  const { config, warnings } = readSettings([], Object.fromEntries(given), () => '')
  expect(warnings).toEqual([])
  const ports = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)
  expect([config.port, config.metricsPort]).toEqual(ports)
  expect(config.databaseUrl).toBe(secret)
  expect(config.shutdownTimeoutMs).toBeLessThan(spec.template.spec.terminationGracePeriodSeconds * 1000)
  const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
  expect(mounted).toEqual(expect.arrayContaining([config.dataDir, '/tmp', '/etc/millwright']))
  expect(config.encryptionKeyFile).toBe('/etc/millwright/encryption.key')
})

test('probes ask what says that the process lives, and that it is ready; a database that is away ends no process', () => {
  const paths = ['startupProbe', 'livenessProbe', 'readinessProbe'].map((name) => {
    const { httpGet }: Probe = container[name]
    return `${httpGet.path} at ${httpGet.port}`
  })
  expect(paths).toEqual(['/livez at http', '/livez at http', '/readyz at http'])
  expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false })
  expect(spec.template.spec.securityContext.runAsNonRoot).toBe(true)
})
