import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

// Changes of stored records are audited by one writer (src/database/audits.ts). Statements that write tables are in the
// kernel, in files that call the writer or something that leads to it, or they write no records, for the reason given here.
const ROOT = join(import.meta.dirname, '../../src')
const FILES = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'))

/** Tables whose rows are not records: no resource declares them, and nobody needs to know who changed them. */
const NO_RECORDS: Readonly<Record<string, string>> = {
  report_jobs: 'reports that a user scheduled, which go after a day',
  deferred_requests: 'requests of tasks that earlier versions planned, which go with them',
  imported_records: 'which record an import has taken; its write is audited',
  audits: 'the comment of an audit that was just written',
  config_runs: 'a queue: begun and ended by workers; /api/config_runs is its history (decision 0008)',
  config_run_output: 'what runs print',
  config_rollouts: 'progress of many runs; /api/config_rollouts is its history',
  config_reports: 'what agents report; itself a history (decision 0026)',
  configuration_statuses: 'what the newest of these says',
  report_texts: 'what they say, once',
  tasks: 'a queue; /content/api/tasks is its history',
  class_imports: 'a history of imports',
  build_tokens: 'what a machine fetches with; the write of its host that begins or ends that is audited',
  sessions: 'logins in use',
  event_notes: 'logins, and begins and ends of tasks and runs',
  event_order: 'the numbers of events',
  event_positions: 'the last of those numbers',
  event_queue: 'events without a number',
  webhook_deliveries: 'the log of what webhooks are sent',
  session_identities: 'by which login at a provider those were begun',
  login_requests: 'logins of programs that wait; the tokens that they make are audited',
  spent_values: 'what counts once at logins',
  session_factors: 'what was proven in them',
  passkey_challenges: 'what passkeys are asked to sign',
  second_factor_dues: 'since when somebody is asked for a second factor',
  login_events: 'a history of logins',
  timed_jobs: 'when the service has to do what again',
  login_failures: 'the lock-out',
  settings: 'defaults of a new version; changes go through the kernel',
  encryption_keys: 'the fingerprint of the key in use',
  leftover_classes: 'what an import left, until the next one',
  environment_sources: 'where an environment was imported from last',
  fact_values: 'what hosts say of themselves, hourly',
  fact_names: 'names of those',
  features: 'names of what smart proxies can do',
  smart_proxy_features: 'what a smart proxy answered last',
  host_wishes: 'what a host said before it registered',
  gone_registrations: 'identities that no longer count',
  certificate_authorities: 'made once, by the service',
  permissions: 'names of this version, written at the start',
  avatars: 'pictures that directories give',
}

const WRITES =
  /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?([a-z_]+)\b(?=[^;]*?(?:\(|\bset\b|\bwhere\b|\busing\b|\bselect\b|\bvalues\b|`))/g
/** Deletions in steps name their table beside the condition. */
const STEPS = /\bdeleteInSteps\([^,]+, '([a-z_]+)'/g
const AUDITING =
  /\b(?:recordAudit|recordIdentityAudit|recordImportAudits|recordHostChange|recordWhole|insertAudits|storeChange|updateStored|removeStored|createRecord|withReassignmentAudits)\b|hosts\.audit\(/

test('audits are inserted in one place', () => {
  const inserting = FILES.filter((file) => /into audits\b/.test(read(file)))
  expect(inserting).toEqual(['database/audits.ts'])
})

test('files of areas that write records audit them, or say why not', () => {
  const silent = FILES.filter((file) => /^(?:areas|http|cli|dialect|records)\//.test(file)).flatMap((file) => {
    const text = read(file)
    if (AUDITING.test(text)) return []
    const tables = tablesWrittenBy(text)
    return tables.filter((table) => isTable(table) && !(table in NO_RECORDS)).map((table) => `${file}: ${table}`)
  })
  expect([...new Set(silent)].sort()).toEqual(Object.keys(PARTS_OF_AUDITED_WRITES).sort())
})

test('every reason is needed', () => {
  const written = new Set(FILES.flatMap((file) => tablesWrittenBy(read(file))))
  expect(Object.keys(NO_RECORDS).filter((table) => !written.has(table))).toEqual([])
})

function tablesWrittenBy(text: string): string[] {
  return [WRITES, STEPS].flatMap((pattern) => [...text.matchAll(pattern)].map(([, table = '']) => table))
}

/** Statements that are part of a write which another file audits. */
const PARTS_OF_AUDITED_WRITES: Readonly<Record<string, string>> = {
  'areas/reports/config-report/store.ts: hosts': 'when it reported last, which audits leave out',
  'areas/provisioning/seed.ts: architectures': 'a new installation, by nobody',
  'areas/access/auth-source/guard.ts: auth_sources':
    'who switched on-the-fly registration on, beside the audited field',
  'areas/access/identity/seed.ts: auth_sources': 'a new installation',
  'areas/access/identity/seed.ts: organizations': 'a new installation',
  'areas/access/identity/seed.ts: location_organizations': 'a new installation',
  'areas/access/identity/seed.ts: locations': 'a new installation',
  'areas/access/identity/seed.ts: users': 'a new installation',
  'areas/access/identity/seed-roles.ts: roles': 'roles of this version, at the start',
  'areas/access/identity/seed-roles.ts: filters': 'roles of this version, at the start',
  'areas/access/identity/seed-roles.ts: filter_permissions': 'roles of this version, at the start',
  'areas/access/identity/administrators.ts: usergroup_users':
    'tried, and audited by who asked (group-refresh, group-sync)',
  'areas/access/directories/candidates.ts: users': 'the time of a login; a stronger hash of the same password',
  'areas/access/identity/tokens.ts: personal_access_tokens': 'when it was used last',
  'areas/access/identity/old-tokens.ts: personal_access_tokens':
    'the digest of a token of another server, at its first use',
  'areas/access/identity/old-tokens.ts: old_tokens': 'stored with its token, which is audited',
  'areas/access/personal-access-token/limits.ts: token_limits': 'made with its token, which is audited',
  'areas/access/second-factor/proof.ts: second_factors': 'when it was used last',
  'areas/access/second-factor/passkeys.ts: second_factors': 'when it was used last, and how often',
  'areas/access/second-factor/proof.ts: recovery_codes': 'when it was used; /api/login_events is its history',
  'areas/registration/apply.ts: host_environments': 'audited on the host by register.ts and reapply',
  'areas/registration/apply.ts: host_content_overrides': 'audited on the host by register.ts and reapply',
  'areas/registration/apply.ts: registrations': 'audited on the host by register.ts and reapply',
  'areas/registration/claim.ts: registrations': 'audited on the host by register.ts',
  'areas/registration/claim.ts: activation_keys': 'that a single-use key was used: audited on the host',
  'areas/registration/claim.ts: activation_key_hosts': 'audited on the host by register.ts',
  'areas/registration/collections.ts: host_collection_hosts': 'audited on the host by register.ts',
  'areas/registration/authority/entitlements.ts: host_entitlements': 'audited on the host by register.ts',
  'areas/registration/first.ts: host_environments': 'audited on the host by host-records.ts',
  'areas/registration/first.ts: host_content_overrides': 'audited on the host by host-records.ts',
  'areas/registration/first.ts: host_collection_hosts': 'audited on the host by host-records.ts',
  'areas/registration/former.ts: registrations': 'the audit of its host',
  'areas/registration/overrides.ts: host_content_overrides': 'audited on the host by client/changing.ts',
  'areas/registration/overrides.ts: registration_overrides': 'what a host said of contents that are not here',
  'areas/registration/tokens.ts: registration_tokens':
    'made by a command that is answered once; its end is audited by token-routes.ts',
  'areas/registration/client/hypervisors.ts: registrations': 'what a hypervisor says of its guests, hourly',
  'areas/registration/client/identify.ts: registrations': 'when the host asked last',
  'areas/registration/client/reporting.ts: registrations':
    'when the host asked last, and which guests it says that it has',
  'areas/content/activation-key/environments.ts: activation_key_environments': 'a field of the key, audited with it',
  'areas/content/content-organization/access-mode.ts: organizations':
    'how an organization begins that the same request has made and audited',
  'areas/content/content-view/components.ts: content_view_components': 'a field of the view, audited with it',
  'areas/content/content-view-version/reassign.ts: host_environments': 'audited by reassigned.ts',
  'areas/content/content-view-version/reassign.ts: activation_key_environments': 'audited by reassigned.ts',
  'areas/content/content-view-version/reassign.ts: activation_keys': 'audited by reassigned.ts',
  'areas/content/host-collection/writes.ts: host_collection_hosts': 'a field of the collection, audited with it',
  'areas/content/host-collection/writes.ts: host_collections': 'when it was changed last',
  'areas/content/repository/writes.ts: contents': 'made with the repository, audited with it',
  'areas/content/repository/writes.ts: product_contents': 'made with the repository, audited with it',
  'areas/content/repository/writes.ts: repositories': 'made with the repository, audited with it',
  'areas/inventory/hostgroup/hostgroup.ts: hostgroups': 'ancestors, derived from the parent',
  'areas/proxies/smart-proxy/asking.ts: smart_proxies': 'when its features were asked for last',
}

const TABLES = new Set(
  readdirSync(join(ROOT, '../migrations')).flatMap((file) =>
    [
      ...readFileSync(join(ROOT, '../migrations', file), 'utf8').matchAll(/create table (?:if not exists )?([a-z_]+)/g),
    ].map(([, table = '']) => table),
  ),
)

function isTable(word: string): boolean {
  return TABLES.has(word)
}

function read(file: string): string {
  return readFileSync(join(ROOT, relative('.', file)), 'utf8')
}
