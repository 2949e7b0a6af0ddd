import type { Resource } from '../../src/kernel/resource.ts'
import { resources } from '../../src/resources/index.ts'
import { resourceNamed } from '../support/given.ts'

const SERVICE_WRITES = 'the service itself writes its records'
const IN_USE = 'a started service has all of its records; they are neither made nor deleted'
const REVOKED = 'tokens are revoked, never changed; test/api is about that'
const ONE_EXTERNAL = 'there is one external source, which comes with the service; test/api is about it'
const ASKS_DIRECTORY = 'its actions ask a directory for the group; the tests with real directories are about them'
const LIST_ONLY = 'it is a list only'

/** Which resources a law says nothing about, and why. Every other resource is held to it. */
const SILENT = {
  create: {
    auth_source: SERVICE_WRITES,
    auth_source_internal: SERVICE_WRITES,
    permission: SERVICE_WRITES,
    audit: SERVICE_WRITES,
    setting: IN_USE,
    auth_source_external: ONE_EXTERNAL,
    external_usergroup: ASKS_DIRECTORY,
  },
  update: {
    auth_source: SERVICE_WRITES,
    auth_source_internal: SERVICE_WRITES,
    permission: SERVICE_WRITES,
    audit: SERVICE_WRITES,
    setting: 'its one value is checked by the type of the setting; test/api is about that',
    personal_access_token: REVOKED,
    auth_source_external: ONE_EXTERNAL,
    external_usergroup: ASKS_DIRECTORY,
  },
  delete: {
    auth_source: SERVICE_WRITES,
    auth_source_internal: SERVICE_WRITES,
    permission: SERVICE_WRITES,
    audit: SERVICE_WRITES,
    setting: IN_USE,
    personal_access_token: REVOKED,
    auth_source_external: ONE_EXTERNAL,
    external_usergroup: ASKS_DIRECTORY,
  },
  show: { auth_source: LIST_ONLY, external_usergroup: ASKS_DIRECTORY },
  list: {},
} as const satisfies Record<string, Readonly<Record<string, string>>>

export type Law = keyof typeof SILENT

/** The resources that a law is about. */
export function subjects(law: Law): Resource[] {
  const silent: Readonly<Record<string, string>> = SILENT[law]
  for (const name of Object.keys(silent)) resourceNamed(name)
  return [...resources().values()].filter(({ name }) => !(name in silent))
}

/** Their names, for `test.each`. */
export function names(law: Law): string[] {
  return subjects(law).map(({ name }) => name)
}
