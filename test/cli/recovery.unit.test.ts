import { once } from 'node:events'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { spawn } from '../support/processes.ts'
import { PROGRAM, type Program, ready, run, start } from './program.ts'

const FIRST = 'the first password'
const quietly = { MILLWRIGHT_LOG_LEVEL: 'error' }
let folder: string
let program: Program
let address: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-recovery-'))
  program = start(['--port', '0'], folder, { ...quietly, MILLWRIGHT_ADMIN_PASSWORD: FIRST })
  address = await ready(program)
}, 60_000)
afterAll(async () => {
  program?.process.kill('SIGTERM')
  await program?.ended
  rmSync(folder, { recursive: true, force: true })
})

const statusFor = async (login: string, password: string) => {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`
  return (await fetch(`${address}/api/architectures`, { headers: { authorization } })).status
}

test("while the service runs, the owner of the data resets a password by a socket that is nobody else's", async () => {
  expect(statSync(join(folder, 'data/millwright.sock')).mode & 0o777).toBe(0o600)
  const other = { Authorization: `Basic ${Buffer.from(`admin:${FIRST}`).toString('base64')}` }
  expect((await fetch(`${address}/api/architectures`, { headers: other })).status).toBe(200)
  const token = await fetch(`${address}/api/users/admin/personal_access_tokens`, {
    ...{ method: 'POST', body: '{"name": "mine"}' },
    headers: { ...other, 'content-type': 'application/json' },
  })
  expect(token.status).toBe(201)
  const { code, stdout, stderr } = await run(['reset-password', 'ADMIN'], folder, quietly)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const password = /^Password +(\S+)/m.exec(stdout)?.[1] ?? ''
  expect([await statusFor('admin', FIRST), await statusFor('admin', password)]).toEqual([401, 200])
  const search = encodeURIComponent('type = personal_access_token and action = update')
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  const audits = await fetch(`${address}/api/audits?search=${search}`, { headers: { authorization } })
  const { results } = (await audits.json()) as { results: unknown }
  expect(results).toMatchObject([{ auditable_name: 'mine', audited_changes: { revoked: [false, true] } }])
  expect(await run(['users', 'create-admin', 'rescue'], folder, quietly)).toMatchObject({ code: 0 })
})

test('impossible requests are refused with advice', async () => {
  const refused = async (...words: string[]) => {
    const { code, stdout, stderr } = await run(words, folder, quietly)
    expect({ code, stdout }).toEqual({ code: words.length > 1 ? 1 : 2, stdout: '' })
    return stderr
  }
  expect(await refused('reset-password', 'nobody')).toContain('Nobody has the login nobody; administrators are admin')
  expect(await refused('users', 'create-admin', 'Rescue')).toContain(
    'millwright reset-password Rescue gives it another',
  )
  expect(await refused('users', 'create-admin', 'a b')).toContain('Login must have 1 to 100 characters')
  expect(await refused('reset-password')).toContain('reset-password is written like this')
})

test('the socket serves the API without a login, in the name of the account of the machine; the port does not', async () => {
  const asked = async (method: string, path: string, body = '') => {
    const socketPath = join(folder, 'data/millwright.sock')
    const sent = request({ socketPath, path, method, headers: { 'content-type': 'application/json' } })
    sent.end(body)
    const [response] = await once(sent, 'response')
    let text = ''
    for await (const part of response) text += part
    return { status: response.statusCode, body: JSON.parse(text) }
  }
  expect(await asked('POST', '/api/architectures', '{"name": "riscv64"}')).toMatchObject({ status: 201 })
  const audits = await asked('GET', '/api/audits?search=type+%3D+architecture&order=id+desc')
  const { username } = userInfo()
  expect(audits.body.results[0]).toMatchObject({
    auditable_name: 'riscv64',
    user_name: `${username} (on this machine)`,
  })
  const resets = await asked('GET', '/api/audits?search=type+%3D+user+and+action+%3D+update')
  expect(resets.body.results[0]).toMatchObject({ auditable_name: 'admin', user_name: `${username} (on this machine)` })
  expect(JSON.stringify(resets.body)).not.toContain('argon2')
  expect(await asked('POST', '/local/unknown')).toMatchObject({ status: 404 })
  expect((await fetch(`${address}/api/architectures`)).status).toBe(401)
  expect((await fetch(`${address}/local/reset-password`, { method: 'POST' })).status).toBe(404)
})

test('stopped, it is done on the files; another configured password is ignored and the start says so', async () => {
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  const child = spawn('/bin/sh', ['-c', `echo 'chosen by a person' | "$0" "$@"`, process.execPath, ...RESET], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  expect(await once(child, 'exit')).toEqual([0, null])
  program = start(['--port', '0'], folder, { ...quietly, MILLWRIGHT_ADMIN_PASSWORD: 'another password' })
  address = await ready(program)
  expect(program.stdout()).toContain('unchanged; MILLWRIGHT_ADMIN_PASSWORD has no effect')
  expect([await statusFor('admin', 'another password'), await statusFor('admin', 'chosen by a person')]).toEqual([
    401, 200,
  ])
}, 60_000)

const RESET = [PROGRAM, 'reset-password', 'admin', '--stdin']
