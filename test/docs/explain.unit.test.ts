import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { execFile } from '../support/processes.ts'

// Each execution starts a database.
const limits = { timeout: 90_000 }
const root = join(import.meta.dirname, '../..')

async function explain(...words: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ['scripts/explain.ts', ...words], {
      cwd: root,
    })
    return { code: 0, stdout, stderr }
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string } // what execFile rejects with
  }
}

test('npm run explain architecture prints all that follows from the declaration', limits, async () => {
  const { code, stdout } = await explain('architecture')
  expect(code).toBe(0)
  for (const part of [
    /^architecture: A processor architecture/,
    /^ {2}name +text +name text +required +For example x86_64\.$/m,
    /^ {2}PUT +\/api\/architectures\/:id +architectures\.update +edit_architectures$/m,
    /^ {2}destroy_architectures +delete$/m,
    /^ {2}create is sent\n {4}\{ architecture: \{ name: string\(1\.\.255\), /m,
    /^ {2}name +text +free text$/m,
    /^-- delete, as an administrator\n-- DELETE \/api\/architectures\/:id: \d+ statements$/m,
    /^-- list with search=name ~ ex and order=id DESC, as a limited user$/m,
    /^delete from architectures$/m,
  ]) {
    expect(stdout).toMatch(part)
  }
})

test('a route is a name as well; others are refused with the list of names', limits, async () => {
  const [route, unknown] = await Promise.all([explain('roles.clone'), explain('archtecture')])
  expect(route.code).toBe(0)
  expect(route.stdout).toMatch(/POST {2}\/api\/roles\/:id\/clone {2}roles\.clone {2}create_roles/)
  expect(route.stdout).not.toContain('DELETE')
  expect(unknown.code).toBe(2)
  expect(unknown.stderr).toContain('There is no resource and no route called archtecture.')
  expect(unknown.stderr).toMatch(/^ {2}architecture +\d+ routes /m)
})
