import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { programOf, ready } from '../cli/program.ts'
import { spawn } from '../support/processes.ts'

// A tree of sources of its own, in which nothing is built.
const tree = mkdtempSync(join(tmpdir(), 'millwright-unbuilt-'))
afterAll(() => rmSync(tree, { recursive: true, force: true }))
for (const name of ['src', 'web', 'migrations', 'package.json', 'package-lock.json']) {
  cpSync(name, join(tree, name), {
    recursive: true,
    filter: (path) => !/^(?:node_modules|dist.*)$/.test(basename(path)),
  })
}
for (const name of ['node_modules', 'web/node_modules']) {
  if (existsSync(name)) symlinkSync(resolve(name), join(tree, name))
}

async function serving(...args: string[]) {
  const { PATH, HOME } = process.env
  const command = [join(tree, 'src/main.ts'), '--port', '0', '--data-dir', 'memory', ...args]
  const program = programOf(spawn(resolve('node_modules/.bin/node'), command, { cwd: tree, env: { PATH, HOME } }))
  onTestFinished(() => void program.process.kill('SIGKILL'))
  const address = await ready(program)
  return async () => {
    const answer = await fetch(`${address}/`)
    expect({ status: answer.status, type: answer.headers.get('content-type') }).toEqual({
      status: 200,
      type: 'text/html; charset=utf-8',
    })
    return { page: await answer.text(), policy: answer.headers.get('content-security-policy') }
  }
}

test('a checkout whose console is not built shows at / how to build it, and where the docs are', async () => {
  const look = await serving()
  const { page } = await look()
  expect(page).toContain('npm run build:web')
  expect(page).toContain('href="docs"')
  expect(page).not.toContain('http-equiv="refresh"')
})

test('while the console is being built / says how far that is and comes again by itself, without a script, until it is there', async () => {
  const look = await serving('--console-build', 'on')
  let { page, policy } = await look()
  const seen = new Set<string>()
  while (page.includes('http-equiv="refresh"')) {
    const [, percent] = /<progress max="100" value="(\d+)"/.exec(page) ?? []
    seen.add(percent ?? 'nothing')
    expect(page).not.toMatch(/<script|<style|style=|\son\w+=/)
    expect(policy).toContain("script-src 'self'")
    await sleep(200)
    ;({ page, policy } = await look())
  }
  expect(seen.size).toBeGreaterThan(1)
  expect(seen).not.toContain('nothing')
  expect(page).toContain('<base href="/"')
  expect(page).toMatch(/<script[^>]+src="\.?\/?assets\//)
}, 300_000)
