import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readSettings } from '../../src/config.ts'

interface Variable {
  readonly name: string
  readonly value?: string
}
interface Sourced extends Variable {
  readonly valueFrom?: { readonly secretKeyRef: { readonly optional?: boolean } }
}
type Probe = { readonly httpGet: { readonly path: string; readonly port: string } }

const text = readFileSync(join(import.meta.dirname, '../../packaging/kubernetes.yaml'), 'utf8')
const documents = parseAllDocuments(text).map((document) => document.toJS({ maxAliasCount: 10 }))
const [{ spec }] = documents.filter(({ kind }) => kind === 'Deployment')
const [container] = spec.template.spec.containers

test('what the manifests set is a configuration that the service takes whole', () => {
  const secret = 'postgresql://millwright:secret@db.example.test/millwright'
  const given = container.env.map(({ name, value = secret }: Variable) => [name, value])
  const { config, warnings } = readSettings([], Object.fromEntries(given), () => '')
  expect(warnings).toEqual([])
  const ports = container.ports.map(({ containerPort }: { containerPort: number }) => containerPort)
  expect([config.port, config.metricsPort]).toEqual(ports)
  expect(config.databaseUrl).toBe(secret)
  expect(config.replicaUrls).toEqual([secret])
  expect(config.shutdownTimeoutMs).toBeLessThan(spec.template.spec.terminationGracePeriodSeconds * 1000)
  const mounted = container.volumeMounts.map(({ mountPath }: { mountPath: string }) => mountPath)
  expect(mounted).toEqual(expect.arrayContaining([config.dataDir, '/tmp', '/etc/millwright']))
  expect(config.encryptionKeyFile).toBe('/etc/millwright/encryption.key')
})

test('a secret without replicas starts the same pods, without that variable', () => {
  const optional = container.env.filter((variable: Sourced) => variable.valueFrom?.secretKeyRef.optional)
  expect(optional.map(({ name }: Variable) => name)).toEqual(['MILLWRIGHT_REPLICA_URLS'])
  expect(readSettings([], { DATABASE_URL: 'postgresql://m@db/m' }, () => '').config.replicaUrls).toEqual([])
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
