import type { HostValue } from '../../../templates/index.ts'
import type { HostData } from './host-data.ts'
import type { TemplateParameters } from './parameters.ts'

/** Builds the part of the node document without classes: parameters and environment. */
export function documentOf(
  host: HostData,
  { values }: TemplateParameters,
  root: string | null,
): ReadonlyMap<string, HostValue> {
  const own: readonly (readonly [string, HostValue])[] = [
    ['domainname', host.domain?.fullname],
    ['realm', host.realm?.name],
    ['hostgroup', host.hostgroup?.title],
    ['location', host.location?.name],
    ['organization', host.organization?.name],
    ['root_pw', root],
    ['owner_name', host.owner?.name],
    ['owner_email', host.owner?.mail],
  ]
  const parameters = new Map([...own.filter(([, value]) => value !== null && value !== undefined), ...values])
  const environment = host.environment?.name ?? null
  return new Map<string, HostValue>([
    ['parameters', parameters],
    ...(environment === null ? [] : [['environment', environment] as const]),
  ])
}
