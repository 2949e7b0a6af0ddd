import { TOTP } from 'otpauth'
import type { Resource } from '../../src/kernel/definition.ts'
import type { Recorder } from './recorder.ts'
import { searchOf } from './samples.ts'
import { recordContent } from './tour-content.ts'
import { recordHosts } from './tour-hosts.ts'

/** Sends what is not sent by the experiments with resources: actions, and requests about the service and the caller. */
export async function recordActions(recorder: Recorder, searched: readonly Resource[]): Promise<void> {
  await recordService(recorder)
  await recordHosts(recorder)
  await recordContent(recorder)
  await recordPeople(recorder)
  await recordEvents(recorder)
  for (const resource of searched) {
    // Of a short name, what may follow it.
    const [name = ''] = searchOf(resource).split(' ')
    const query = { search: name.length > 2 ? name.slice(0, 2) : `${name} ` }
    await recorder.record(`${resource.plural}.auto_complete_search`, { query })
  }
}

async function recordService(recorder: Recorder): Promise<void> {
  const { record, send } = recorder
  for (const name of [
    'ping',
    'status',
    'login_text',
    'current_user',
    'current_login',
    'current_permissions',
    'livez',
    'readyz',
  ])
    await record(`service.${name}`)
  const logIn = async () => {
    const { cookie, csrf_token } = await send({ method: 'POST', url: '/api/session', payload: {} })
    return { authorization: '', cookie, 'x-csrf-token': csrf_token }
  }
  await record('session.create', { body: {} })
  const headers = await logIn()
  await record('session.show', { headers })
  const { results } = await record('sessions.list', { headers })
  const other = results.find(({ current }: { current: boolean }) => !current)
  await record('sessions.end', { headers, params: { id: other.id } })
  await logIn()
  await record('sessions.end_others', { headers })
  await record('session.update', { headers, body: {} })
  await recordProgramLogin(recorder, headers)
  await record('session.end', { headers })
  const logins = await record('login_events.list', { query: { search: 'outcome = granted' } })
  await record('login_events.show', { params: { id: logins.results[0].id } })
}

/** Logs a program in by a code, and another one in the browser, whose `headers` these are. */
async function recordProgramLogin({ record }: Recorder, headers: Readonly<Record<string, string>>): Promise<void> {
  const client = { client_id: 'millwright-cli', client_name: 'millwright on desk', scope: 'view_hosts' }
  const { device_code, user_code } = await record('session.request_device', { body: client })
  await record('session.decide_device', { headers, body: { user_code, decision: 'allow' } })
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id: client.client_id, device_code }
  const { access_token } = await record('session.exchange_code', { body: grant })
  await record('session.revoke_token', { body: { token: access_token } })
  const request = {
    ...client,
    response_type: 'code',
    redirect_uri: 'http://127.0.0.1:50000/',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    state: 'gGtB2fXQ4vR1s0nq',
  }
  await record('session.decide_browser', { headers, body: { ...request, decision: 'ask' } })
}

async function recordEvents({ record, make }: Recorder): Promise<void> {
  await record('events.kinds', { query: { resource: 'architecture' } })
  await record('events.read', { query: { limit: '1', resource: 'architecture' } })
  const { id: architecture } = await make('/api/architectures', { architecture: { name: 'riscv64' } })
  const { results: versions } = await record('history.list', {
    params: { resource: 'architectures', id: architecture },
  })
  await record('audits.revert', { params: { id: versions[0].audit_id }, query: { preview: 'true' } })
  const webhook = { name: 'chat', target_url: 'https://hooks.example.test/millwright', events: ['host.*'] }
  const { id } = await make('/api/webhooks', { webhook })
  await record('webhooks.rotate_secret', { params: { id } })
  await record('webhooks.ping', { params: { id } })
  await record('webhooks.redeliver', { params: { id }, body: {} })
  const { results } = await record('deliveries.list', { params: { webhook_id: id } })
  await record('deliveries.redeliver', { params: { webhook_id: id, id: results[0].id } })
}

/** Nothing listens where the provider should be, and the answer says so. */
async function recordProviders({ record, make }: Recorder): Promise<void> {
  const auth_source_oidc = { name: 'Company', issuer: 'http://127.0.0.1:1', client_id: 'millwright' }
  const { id } = await make('/api/auth_source_oidcs', { auth_source_oidc })
  await record('auth_source_oidcs.test', { params: { id } })
  await record('session.providers')
  await record('states.show')
  const user = await make('/api/users', { user: { login: 'grace', auth_source_id: id } })
  const user_identity = { subject: '248289761001', auth_source_oidc_id: id }
  await make(`/api/users/${user.id}/user_identities`, { user_identity })
  await record('user_identities.list', { params: { user_id: user.id } })
}

async function recordPeople(recorder: Recorder): Promise<void> {
  const { record, make } = recorder
  const user = await make('/api/users', {
    user: { login: 'ada', mail: 'ada@example.test', password: 'long enough', auth_source_id: 1 },
  })
  const key = `ssh-ed25519 ${Buffer.concat([SSH_ED25519, Buffer.alloc(32, 7)]).toString('base64')} ada`
  await make(`/api/users/${user.id}/ssh_keys`, { ssh_key: { name: 'laptop', key } })
  await record('ssh_keys.list', { params: { user_id: user.id } })
  await make(`/api/users/${user.id}/table_preferences`, { name: 'hosts', columns: ['name', 'ip'] })
  await record('table_preferences.list', { params: { user_id: user.id } })
  const model = await make('/api/models', { name: 'X1' })
  await record('users.may', {
    params: { id: user.id },
    query: { permission: 'view_models', resource: 'model', record: model.id },
  })
  const role = await make('/api/roles', { role: { name: 'Reviewer' } })
  await record('roles.clone', { params: { id: role.id }, body: { role: { name: 'Chief reviewer' } } })
  const token = await make(`/api/users/${user.id}/personal_access_tokens`, { name: 'script' })
  await record('personal_access_tokens.revoke', { params: { user_id: user.id, id: token.id } })
  const other = await make(`/api/users/${user.id}/personal_access_tokens`, { name: 'nightly' })
  await record('personal_access_tokens.rotate', {
    params: { user_id: user.id, id: other.id },
    body: { personal_access_token: { overlap_minutes: 60 } },
  })
  await recordFactors(recorder, user.id)
  await record('access.explain', { query: { user: 'ada', permission: 'view_models', id: model.id } })
  await record('access.what_if', { body: { user: 'ada', add_roles: ['Viewer'] } })
  await record('access.compare', { query: { roles: 'Reviewer,Chief reviewer' } })
  await record('access.unused', { query: { user: 'ada', days: '30' } })
  const organization = await make('/api/organizations', { organization: { name: 'Registered' } })
  const body = { registration_command: { organization_id: organization.id, activation_keys: ['web'] } }
  await make('/content/api/activation_keys', { organization_id: organization.id, name: 'web' })
  await record('registration_commands.create', { body })
  const { results } = await record('registration_tokens.list')
  await record('registration_tokens.delete', { params: { id: results[0].id } })
  await make('/api/registration_commands', body)
  await record('registration_tokens.delete_all', { params: { user_id: results[0].user_id } })
  await make('/api/registration_commands', body)
  await record('registration_tokens.delete_found', { query: { search: 'login = guide' } })
  await recordBatches(recorder)
  await recordDirectories(recorder)
  await recordProviders(recorder)
}

async function recordFactors({ record, send }: Recorder, user_id: number): Promise<void> {
  const params = { user_id }
  const { id, secret } = await record('second_factors.create', { params, body: { second_factor: { kind: 'totp' } } })
  const code = new TOTP({ secret }).generate()
  const body = { second_factor: { code } }
  const { recovery_codes: codes } = await record('second_factors.confirm', { params: { user_id, id }, body })
  const authorization = `Basic ${Buffer.from('ada:long enough').toString('base64')}`
  const begun = {
    method: 'POST',
    url: '/api/session',
    payload: { code: codes[0] },
    headers: { authorization },
  } as const
  const { cookie, csrf_token } = await send(begun)
  const headers = { authorization: '', cookie, 'x-csrf-token': csrf_token }
  await record('session.prove', { headers, body: { code: codes[1] } })
  await record('second_factors.list', { params })
  await record('second_factors.delete', { params: { user_id, id } })
}

/** Nothing listens where the directory should be, and the answer says so. */
async function recordDirectories({ record, make }: Recorder): Promise<void> {
  const auth_source_ldap = { name: 'Staff', host: '127.0.0.1', port: 1, base_dn: 'dc=example,dc=test' }
  await record('auth_source_ldaps.test_unsaved', { body: { auth_source_ldap } })
  const source = await make('/api/auth_source_ldaps', { auth_source_ldap })
  await record('auth_source_ldaps.test', { params: { id: source.id } })
  const usergroup = await make('/api/usergroups', { usergroup: { name: 'Staff' } })
  const external_usergroup = { name: 'staff', auth_source_id: 3 }
  const group = await make(`/api/usergroups/${usergroup.id}/external_usergroups`, { external_usergroup })
  await record('external_usergroups.refresh', { params: { usergroup_id: usergroup.id, id: group.id } })
}

/** How an Ed25519 key begins in the format of SSH: its kind, and the length of what follows. */
const SSH_ED25519 = Buffer.from('0000000b7373682d6564323535313900000020', 'hex')

async function recordBatches({ record }: Recorder): Promise<void> {
  const operations = [
    { method: 'POST', path: '/api/architectures', body: { architecture: { name: 'riscv64' } } },
    { method: 'PUT', path: '/api/architectures/riscv64', body: { architecture: { name: 'riscv128' } } },
  ]
  await record('batch.create', { body: { operations } })
}
