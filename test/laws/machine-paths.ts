import { listClientEndpoints } from '../../src/areas/registration/client/endpoints.ts'
import { createGate } from '../../src/areas/registration/gate.ts'
import { createHostRecords } from '../../src/areas/registration/registration-command/host-records.ts'
import type { Method } from '../../src/requests/route.ts'
import { declared } from '../support/declared.ts'

interface MachinePath {
  readonly method: Method
  readonly path: string
}

/** Lists the endpoints of subscription clients. */
export function listSubscriptionPaths(): readonly MachinePath[] {
  return listClientEndpoints(createHostRecords(declared.registry), '1', createGate(1))
}

/** Lists the paths that machines ask and that name something; they are mounted beside the routes. */
export function listMachinePaths(): readonly MachinePath[] {
  const others = [
    ...['/node/:name', '/hosts/:name/externalNodes', '/unattended/:kind'],
    ...['/unattended/template/:id/:group', '/unattended/provision?hostname=:name', '/unattended/:kind?token=:token'],
    ...['/node/:name?format=json', '/unattended/built?token=:token', '/unattended/provision?mac=:mac'],
  ]
  const all: readonly MachinePath[] = [
    ...listSubscriptionPaths(),
    ...others.map((path) => ({ method: 'GET', path }) as const),
    { method: 'POST', path: '/unattended/failed?token=:token' },
    { method: 'POST', path: '/rhsm/consumers?owner=:owner&activation_keys=:keys' },
  ]
  return all.filter(({ path }) => path.includes(':') && !path.endsWith('/'))
}
