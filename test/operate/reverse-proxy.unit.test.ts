import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ready, start } from '../cli/program.ts'
import { unusedPort } from '../support/peers/listener.ts'
import { execFileSync, spawn } from '../support/processes.ts'

const nginx = existsSync('/usr/sbin/nginx')
if (!nginx && process.env.CI === 'true') throw new Error('nginx is not installed (.ci/run installs it)')
if (!nginx) console.log('skipped: behind nginx (it takes the package nginx-light)')
const BASIC = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }
/** Headers that a client would like to be trusted. */
const FORGED = { 'x-forwarded-for': '203.0.113.9', 'remote-user': 'eve' }

const caddy = existsSync('/usr/bin/caddy')
if (!caddy && process.env.CI === 'true') throw new Error('caddy is not installed (.ci/run installs it)')
if (!caddy) console.log('skipped: behind Caddy (it takes the package caddy)')
const FRONTS = [
  { name: 'nginx', isThere: nginx, startFront: startNginx },
  { name: 'Caddy', isThere: caddy, startFront: startCaddy },
]

test.for(FRONTS)(
  '$name as the guide has it serves below a path, and what clients forge is not believed',
  { timeout: 180_000 },
  async ({ name, isThere, startFront }, context) => {
    if (!isThere) return context.skip()
    const folder = mkdtempSync(join(tmpdir(), 'millwright-front-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const flags = ['--port', '0', '--data-dir', 'memory', '--trusted-proxies', '127.0.0.1', '--console-base', '/fleet/']
    const program = start(flags, folder, { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' })
    onTestFinished(() => void program.process.kill('SIGKILL'))
    const behind = await ready(program)
    const front = await startFront(folder, behind)
    const direct = async (method: string, path: string, headers: object, body?: object) => {
      const answer = await fetch(`${behind}${path}`, {
        ...{ method, headers: { ...headers } },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: await answer.text() }
    }
    for (const [setting, value] of [
      ['authorize_login_delegation', true],
      ['authorize_login_delegation_api', true],
      ['authorize_login_delegation_auth_source_user_autocreate', 'External'],
    ]) {
      const changed = await direct('PUT', `/api/settings/${setting}`, BASIC, { setting: { value } })
      expect(changed.status).toBe(200)
    }

    expect((await front('GET', '/fleet/api/status', BASIC)).status).toBe(200)
    expect((await front('GET', '/api/status', BASIC)).status).toBe(404)
    // Whoever reaches the service itself from there is trusted; through nginx nobody is.
    expect((await direct('GET', '/api/status', FORGED)).status).toBe(200)
    expect((await front('GET', '/fleet/api/status', FORGED)).status).toBe(401)
    if (name === 'nginx') {
      const known = { 'kerberos-name': 'kim', 'remote-user-email': 'eve@example.test', 'remote-user-lastname': 'Eve' }
      expect((await front('GET', '/fleet/api/status', known)).status).toBe(200)
      const kim = await direct('GET', '/api/users/kim', BASIC)
      expect(JSON.parse(kim.body)).toMatchObject({ login: 'kim', mail: null, lastname: null })
    }
    const forged = { ...BASIC, 'x-forwarded-for': FORGED['x-forwarded-for'] }
    expect((await direct('POST', '/api/architectures', forged, { name: 'direct' })).status).toBe(201)
    expect((await front('POST', '/fleet/api/architectures', forged, { name: 'front' })).status).toBe(201)
    const { body } = await direct('GET', '/api/audits?search=type%3Darchitecture', BASIC)
    const addresses = JSON.parse(body).results.map(
      ({ auditable_name, remote_address }: Record<string, string>) => `${auditable_name} ${remote_address}`,
    )
    expect(addresses).toEqual(expect.arrayContaining(['direct 203.0.113.9', 'front 127.0.0.1']))
    const organization_id = JSON.parse((await direct('POST', '/api/organizations', BASIC, { name: 'Acme' })).body).id
    await direct('POST', '/content/api/activation_keys', BASIC, { name: 'web', organization_id })
    const command = { activation_key: 'web', organization_id }
    expect(await listStrayed(front, command)).toEqual([])
    // Who asks the service itself is told its own address.
    const { body: told } = await direct('POST', '/api/registration_commands', BASIC, command)
    expect(told).toContain(`${behind}/register`)
  },
)

test.for(FRONTS)(
  '$name as the guide has it says by what clients came, and takes away what they say of certificates and of who they are',
  { timeout: 120_000 },
  async ({ name, isThere, startFront }, context) => {
    if (!isThere) return context.skip()
    const folder = mkdtempSync(join(tmpdir(), 'millwright-front-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    // What comes behind it, whatever the service makes of that.
    const behind = createServer((asked, answer) => answer.end(JSON.stringify(asked.headers)))
    onTestFinished(() => void behind.close())
    await once(behind.listen(0, '127.0.0.1'), 'listening')
    const { port } = behind.address() as AddressInfo // it listens on a port
    const front = await startFront(folder, `http://127.0.0.1:${port}`, name === 'Caddy' ? withLogin : undefined)
    const forged = {
      ...{ SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=eve', SSL_CLIENT_CERT: 'eve' },
      ...{ 'ssl-client-verify': 'SUCCESS', 'x-forwarded-proto': 'http', 'x-forwarded-for': '203.0.113.9' },
      ...{ 'remote-user': 'eve', 'remote-user-email': 'eve@example.test', 'remote-user-groups': 'wheel' },
    }
    const login =
      name === 'Caddy' ? { authorization: `Basic ${btoa('kim:a password of kim')}` } : { 'kerberos-name': 'kim' }
    const { status, body } = await front('GET', '/fleet/api/status', { ...forged, ...login })
    expect(status).toBe(200)
    const came: Record<string, string> = JSON.parse(body)
    expect(came).toMatchObject({ 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1', 'remote-user': 'kim' })
    const believed = Object.keys(came).filter((header) => /^(?:ssl_client|remote.user.)/i.test(header))
    expect(believed).toEqual([])
  },
)

/**
 * Lists where the service leads a client below /fleet/ that is not there: by headers, in its pages, in its description, and
 * to hosts.
 */
async function listStrayed(front: Ask, command: { readonly organization_id: number }): Promise<string[]> {
  const strayed: string[] = []
  const note = (place: string, paths: readonly string[]) =>
    strayed.push(...paths.filter((path) => !path.startsWith('/fleet/')).map((path) => `${place}: ${path}`))
  const ask = async (method: string, path: string, headers: object = {}, body?: object) => {
    const answer = await front(method, `/fleet${path}`, { ...BASIC, ...headers }, body)
    const { location = '', link = '', 'set-cookie': cookies = [] } = answer.headers
    const said = [
      location,
      ...matchesOf(link, /<([^>]*)>/g),
      ...cookies.map((one) => /Path=([^;]*)/.exec(one)?.[1] ?? ''),
    ]
    note(
      `header of ${method} ${path}`,
      said.filter((one) => one !== ''),
    )
    return { ...answer, headed: said.filter((one) => one !== '').length }
  }
  await ask('POST', '/api/hostgroups', {}, { name: 'web' })
  const answers = [
    await ask('POST', '/api/session'),
    await ask('GET', '/api/architectures?after=&per_page=1'),
    await ask('PUT', `/content/api/organizations/${command.organization_id}/simple_content_access/disable`),
    await ask('GET', '/api/hostgroups/web/template_combinations'),
  ]
  // Each of them has such a header: otherwise nothing would be found here.
  expect(answers.map(({ headed }) => headed)).toEqual([1, 1, 1, 1])
  const known = new Set(['/', '/docs', '/docs/', '/docs/install'])
  for (const page of known) {
    const { status, body } = await ask('GET', page, { accept: 'text/html' })
    if (status !== 200) strayed.push(`GET ${page}: ${status}`)
    const paths = matchesOf(body, / (?:href|src|action)="(\/[^"#?]*)/g)
    note(`page ${page}`, paths)
    for (const path of paths) if (path.startsWith('/fleet/')) known.add(path.slice('/fleet'.length))
  }
  note('description', [`${JSON.parse((await ask('GET', '/api/openapi.json')).body).servers[0].url}/`])
  note('script', matchesOf((await ask('GET', '/docs/app.js')).body, /['"`](\/(?:docs|api)[^'"`]*)/g))
  const { body } = await ask('POST', '/api/registration_commands', {}, command)
  expect(body).toContain('/register?')
  note('hosts', matchesOf(body, /https:\/\/[^/]+(\/[^?' ]*)/g))
  return strayed
}

function matchesOf(text: string | readonly string[], pattern: RegExp): string[] {
  return Array.from(String(text).matchAll(pattern), ([, found = '']) => found)
}

/** As the guide has it where Caddy finds out who somebody is. */
function withLogin(site: string, guide: string): string {
  const lines = /```caddy\n( {6}header_up REMOTE-USER[\s\S]*?)```/.exec(guide)?.[1] ?? ''
  const hash = execFileSync('/usr/bin/caddy', ['hash-password', '--plaintext', 'a password of kim'], {
    encoding: 'utf8',
  })
  return site
    .replace(/^ *header_up -REMOTE-USER\*\n/m, () => lines)
    .replace('handle_path /fleet/* {', (opened) => `${opened}\n    basicauth {\n      kim ${hash.trim()}\n    }`)
}

/** Runs Caddy with the lines of the guide, where its own authority signs the certificate; yields a way to ask it. */
async function startCaddy(
  folder: string,
  behind: string,
  change: (site: string, guide: string) => string = (site) => site,
): Promise<Ask> {
  const guide = readFileSync(resolve('docs/reverse-proxy.md'), 'utf8')
  const port = await unusedPort()
  const site = change(/```caddy\n([\s\S]*?)```/.exec(guide)?.[1] ?? '', guide)
    .replace('fleet.example.test {', `https://fleet.example.test:${port} {\n  bind 127.0.0.1\n  tls internal`)
    .replace('127.0.0.1:3000', new URL(behind).host)
  const file = join(folder, 'Caddyfile')
  const alone = ['admin off', 'auto_https disable_redirects', 'skip_install_trust', `storage file_system ${folder}`]
  writeFileSync(file, `{\n  ${alone.join('\n  ')}\n}\n${site}`)
  const child = spawn('/usr/bin/caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return askOnceThere(child, port, () => readFileSync(join(folder, 'pki/authorities/local/root.crt')))
}

/**
 * Runs nginx with the configuration of the guide, with other files and ports only; yields a function that sends requests to
 * it.
 */
async function startNginx(folder: string, behind: string): Promise<Ask> {
  const guide = readFileSync(resolve('docs/reverse-proxy.md'), 'utf8')
  const [certificate, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const made = ['-keyout', key, '-out', certificate, '-subj', '/CN=fleet.example.test', '-days', '2', '-nodes']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...made], { stdio: 'ignore' })
  const port = await unusedPort()
  const server = (/```nginx\n([\s\S]*?)```/.exec(guide)?.[1] ?? '')
    .replace('443', `127.0.0.1:${port}`)
    .replace('/etc/ssl/certs/fleet.pem', certificate)
    .replace('/etc/ssl/private/fleet.key', key)
    .replace('http://127.0.0.1:3000/', `${behind}/`)
    // As where nginx itself finds out who somebody is; here a header says so.
    .replace('REMOTE-USER "";', 'REMOTE-USER $http_kerberos_name;')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
    .join(' ')
  const file = join(folder, 'nginx.conf')
  const main = `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr notice; events {}`
  writeFileSync(file, `${main}\nhttp { access_log off; ${paths}\n${server}}\n`)
  const child = spawn('/usr/sbin/nginx', ['-c', file, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(async () => {
    if (child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  return askOnceThere(child, port, () => readFileSync(certificate))
}

type Ask = (
  method: string,
  path: string,
  headers: object,
  body?: object,
) => Promise<{ status: number; body: string; headers: IncomingHttpHeaders }>

/** Waits until the web server answers with its certificate, also by HTTP/2. */
async function askOnceThere(child: ReturnType<typeof spawn>, port: number, certificate: () => Buffer): Promise<Ask> {
  const servername = 'fleet.example.test'
  let said = ''
  child.stderr?.on('data', (part) => {
    said += part
  })
  const ask: Ask = async (method, path, headers, body) => {
    const options = {
      host: '127.0.0.1',
      port,
      method,
      path,
      ca: certificate(),
      servername,
    }
    const asking = request({ ...options, headers: { host: `${servername}:${port}`, ...headers } }).end(
      body && JSON.stringify(body),
    )
    const [answer] = await once(asking, 'response')
    return { status: Number(answer.statusCode), body: await text(answer), headers: answer.headers }
  }
  await vi.waitFor(async () => expect((await ask('GET', '/', {})).status, said).toBeGreaterThan(0), 60_000)
  // Browsers get HTTP/2 here (docs/decisions/0038-http2.md).
  const offered = connect({ host: '127.0.0.1', port, ca: certificate(), servername, ALPNProtocols: ['h2'] })
  await once(offered, 'secureConnect')
  expect(offered.alpnProtocol).toBe('h2')
  offered.destroy()
  return ask
}
