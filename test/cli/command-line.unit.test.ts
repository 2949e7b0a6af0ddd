import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { KEYS } from '../../src/config/keys.ts'
import { run } from './program.ts'

const directory = mkdtempSync(join(tmpdir(), 'millwright-cli-'))
afterAll(() => rmSync(directory, { recursive: true }))

test('help explains every command and every key, also beside wrong flags', async () => {
  const { code, stdout } = await run(['--help', '--prot', '1'], directory)
  expect(code).toBe(0)
  const commands = stdout.slice(stdout.indexOf('Commands\n'), stdout.indexOf('\n\nConfiguration')).split('\n').slice(1)
  const names = commands.map((line) => line.split(/ {2,}/)[1])
  for (const command of [
    'serve',
    'doctor [directory <name>]',
    'reset-second-factor <login>',
    'sample [remove]',
    'help',
  ])
    expect(names).toContain(command)
  for (const { flag, variable } of Object.values(KEYS))
    expect(stdout).toContain(flag ? `${flag} VALUE   ${variable}` : variable)
  expect(stdout.split('\n').filter((line) => line.length > 120)).toEqual([])
})

test('help of one command is about that command', async () => {
  const { code, stdout } = await run(['backup', 'verify', '--help'], directory)
  expect(code).toBe(0)
  expect(stdout.split('\n').slice(2, 4)).toEqual([
    'Usage: millwright backup <file> [--without-keys] [flags]',
    '       millwright backup verify <file> [--without-keys] [flags]',
  ])
  expect((await run(['doctor', 'directory', '--help'], directory)).stdout).not.toContain('Configuration')
})

test('the version is that of the package', async () => {
  const { stdout } = await run(['--version'], directory)
  expect(stdout.trim()).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version)
})

test('config prints what is used and where it came from', async () => {
  writeFileSync(join(directory, 'm.yaml'), 'host: 0.0.0.0\nport: 1\n')
  const env = { MILLWRIGHT_PORT: '8080', MILLWRIGHT_ADMIN_PASSWORD: 'hunter2', MILLWRIGHT_PROT: '1' }
  const { code, stdout, stderr } = await run(['config', '--config', 'm.yaml'], directory, env)
  expect(code).toBe(0)
  expect(stdout).toContain('port: 8080 (MILLWRIGHT_PORT)\n')
  expect(stdout).toContain('host: 0.0.0.0 (m.yaml: host)\n')
  expect(stdout).toContain('admin-password: (secret) (MILLWRIGHT_ADMIN_PASSWORD)\n')
  expect(stderr).toBe(
    'millwright: warning: the environment variable MILLWRIGHT_PROT means nothing: did you mean MILLWRIGHT_PORT?\n',
  )
})

test('config --json is for programs', async () => {
  const { stdout } = await run(['config', '--json', '--port', '0'], directory)
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({ key: 'port', value: '0', from: '--port', default: '3000' }),
  )
})

test('a wrong command line or configuration is refused as a whole with exit code 2', async () => {
  const { code, stdout, stderr } = await run(['serv', '--port', '70000', '--log-levle=info'], directory)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toBe(
    [
      'millwright: the command line or the configuration is wrong:',
      '  "serv" is not a command: did you mean serve?',
      '  --port is "70000", but must be a whole number from 0 to 65535 (0 picks a free port)',
      '  --log-levle is not a flag: did you mean --log-level?',
      'See millwright help.',
      '',
    ].join('\n'),
  )
})
