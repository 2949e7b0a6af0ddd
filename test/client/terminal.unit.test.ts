import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ready, run, start } from '../cli/program.ts'
import { execFile, spawn } from '../support/processes.ts'
import { millwright } from './program.ts'

const execute = promisify(execFile)

// A real service with a data directory, and real terminals, by script(1).
const directory = mkdtempSync(join(tmpdir(), 'millwright-terminal-'))
const PASSWORD = 'a password of some length'
let service: ReturnType<typeof start>
let url: string
const env = { HOME: directory }
const bin = resolve('bin/millwright.js')

beforeAll(async () => {
  service = start(['--port', '0', '--data-dir', join(directory, 'data')], directory, {
    MILLWRIGHT_ADMIN_PASSWORD: PASSWORD,
  })
  url = await ready(service)
})
afterAll(async () => {
  service?.process.kill('SIGTERM')
  await service?.ended
  rmSync(directory, { recursive: true, force: true })
})

/** Runs a command in a pseudo-terminal so wide, and types this. */
async function inTerminal(command: string, columns: number, typed = ''): Promise<string> {
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${process.execPath} ${bin} ${command}`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let seen = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk
    if (typed && /Password: $/.test(seen)) child.stdin?.write(typed)
  })
  await once(child, 'close')
  return seen.replaceAll('\r', '')
}

test('passwords are asked for without an echo, and tables fit the terminal', async () => {
  const login = await inTerminal(`login ${url} --user admin --name here`, 80, `${PASSWORD}\n`)
  expect(login).toContain('Password: ')
  expect(login).toContain(`Logged in at ${url} as admin`)
  expect(login).not.toContain(PASSWORD)
  const narrow = await inTerminal('permission list --per-page 40', 40)
  const plain = narrow
    .replaceAll('\u001b[1m', '')
    .replaceAll('\u001b[22m', '')
    .trim()
    .split('\n')
    .filter((line) => !line.includes('--all prints all'))
  expect(plain.length).toBe(41)
  expect(plain.filter((line) => line.length > 40)).toEqual([])
  expect(narrow).toContain('\u001b[1m')
  expect(narrow).toContain('--all prints all')
  expect(await inTerminal('permission list --per-page 40 --no-color', 40)).not.toContain('\u001b[1m')
})

test('how far a task is shows in a terminal, and nowhere else', async () => {
  await millwright(['organization', 'create', '--name', 'Acme'], env)
  await millwright(['content-view', 'create', '--organization', 'Acme', '--name', 'base'], env)
  const publish = 'content-view publish --organization Acme --name base'
  expect(await inTerminal(publish, 80)).toContain(`[${'#'.repeat(30)}] 100 %\n`)
  expect(await inTerminal(`${publish} --quiet`, 80)).not.toContain('%')
  const { code, stderr } = await millwright(publish.split(' '), env)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('the owner of the data needs no login, and audits name their account', async () => {
  const own = { HOME: join(directory, 'nobody'), MILLWRIGHT_DATA_DIR: join(directory, 'data') }
  expect(await millwright(['architecture', 'create', '--name', 'mine', '--output', 'name'], own)).toEqual({
    code: 0,
    stdout: 'mine\n',
    stderr: '',
  })
  const audits = await millwright(
    ['audit', 'list', '--search', 'type = architecture and action = create', '--output', 'json'],
    own,
  )
  expect(audits.stdout).toContain('(on this machine)')
})

test('completion knows commands, options and the names that the server has', async () => {
  const complete = async (...words: string[]) =>
    (await millwright(['__complete', '--', ...words], env)).stdout.trim().split('\n')
  expect(await complete('hos')).toEqual(['host', 'host-collection', 'hostgroup'])
  expect(await complete('host', 'interface', 'li')).toEqual(['list'])
  expect(await complete('host', 'create', '--hostgroup-')).toEqual(['--hostgroup-id'])
  expect(await complete('architecture', 'info', 'x')).toEqual(['x86_64'])
  expect(await complete('os', 'create', '--architectures', 'i')).toEqual(['i386'])
  expect(await complete('os', 'create', '--family', 'Deb')).toEqual(['Debian'])
  const search = ['architecture', 'list', '--search']
  expect(await complete(...search, 'nam')).toEqual(['name'])
  expect(await complete(...search, '"name ')).toContain('name !=')
  expect(await complete(...search, 'name\\ =\\ x')).toEqual(['name = x86_64'])
  const { stdout } = await millwright(['completion', 'bash'], env)
  const typed = `millwright() { ${process.execPath} ${bin} "$@"; }; COMP_WORDS=(millwright architecture inf); COMP_CWORD=2; _millwright; echo "\${COMPREPLY[@]}"`
  const shell = await execute('bash', ['-c', `${stdout}\n${typed}`], { env: { PATH: process.env.PATH, ...env } })
  expect(shell.stdout).toBe('info\n')
})

const SHELLS: Readonly<Record<string, (script: string, line: string) => string[]>> = {
  zsh: (script, line) => [
    '-f',
    '-c',
    `compdef() { : }; compadd() { while [[ $1 != -- ]] shift; shift; print -rl -- "$@" }
    millwright() { ${process.execPath} ${bin} "$@" }
    ${script}
    words=(\${(s: :)1}) CURRENT=\${#words}; _millwright`,
    'zsh',
    line,
  ],
  fish: (script, line) => [
    '--no-config',
    '-c',
    `function millwright; ${process.execPath} ${bin} $argv; end\n${script}\ncomplete -C '${line}'`,
  ],
}

test.for(Object.keys(SHELLS))('%s completes the same', async (shell, { skip }) => {
  if (!(await hasProgram(shell))) return skip()
  const { stdout: script } = await millwright(['completion', shell], env)
  const complete = async (line: string) => {
    const ran = await execute(shell, SHELLS[shell]?.(script, line) ?? [], { env: { PATH: process.env.PATH, ...env } })
    return ran.stdout.trim()
  }
  expect(await complete('millwright architecture inf')).toBe('info')
  expect(await complete('millwright architecture info x')).toBe('x86_64')
  expect(await complete('millwright os create --family Deb')).toBe('Debian')
})

test('pages of the manual are read without a warning', async ({ skip }) => {
  if (!(await hasProgram('man'))) return skip()
  for (const [words, known] of [
    [[], 'millwright RESOURCE ACTION'],
    [['host', 'list'], '--per-page'],
    [['login'], 'keeps a token'],
  ] as const) {
    const { stdout } = await millwright(['man', ...words], env)
    const child = execute('man', ['--warnings=w', '-l', '-'], { env: { PATH: process.env.PATH, LANG: 'C.UTF-8' } })
    child.child.stdin?.end(stdout)
    const { stdout: page, stderr } = await child
    expect({ words, isThere: page.includes(known), stderr }).toEqual({ words, isThere: true, stderr: '' })
  }
})

async function hasProgram(name: string): Promise<boolean> {
  const isThere = await execute('which', [name]).then(
    () => true,
    () => false,
  )
  const missing = `${name} is not installed (.ci/run installs it)`
  if (!isThere && process.env.CI === 'true') throw new Error(missing)
  if (!isThere) console.log(`skipped: ${missing}`)
  return isThere
}

test('a reader that stops reading ends the program quietly', async () => {
  const { stdout, stderr } = await execute(
    'bash',
    ['-c', `${process.execPath} ${bin} permission list --all --output jsonl | head -n 1`],
    {
      env: { PATH: process.env.PATH, ...env },
    },
  )
  expect({ lines: stdout.trim().split('\n').length, stderr }).toEqual({ lines: 1, stderr: '' })
})

test('a run can be left, and followed again', async () => {
  const held = createServer((request, response) => {
    if (request.method === 'PUT')
      response
        .writeHead(200, {
          'content-type': 'application/json',
          'x-request-id': '1',
          link: '</api/config_runs/7>; rel="monitor"',
        })
        .end('{}')
    else
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write('id: 1\nevent: output\ndata: {"text":"working\\n"}\n\n')
  })
  await new Promise<void>((done) => held.listen(0, '127.0.0.1', done))
  const address = `http://127.0.0.1:${(held.address() as AddressInfo).port}`
  const child = spawn(process.execPath, [bin, 'run', 'start', 'web1', '--follow', '--server', address], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [seen, said] = ['', '']
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    seen += chunk
    if (seen.includes('working')) child.kill('SIGINT')
  })
  const [code] = await once(child, 'close')
  held.closeAllConnections()
  held.close()
  expect({ code, said }).toEqual({ code: 130, said: '\nThe run goes on; follow it again: millwright run follow 7\n' })
})

test('commands of the server are where they were', async () => {
  for (const args of [
    ['server', 'config', '--json'],
    ['config', '--json'],
  ]) {
    const { code, stdout } = await millwright(args, env)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ key: 'port' }))
  }
  expect((await run(['--version'], directory)).code).toBe(0)
  expect(await millwright(['serv'], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('did you mean serve?'),
  })
})
