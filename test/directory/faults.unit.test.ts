import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Diagnosis } from '../../src/directory/diagnosis.ts'
import { openDirectory } from '../../src/directory/directory.ts'
import { DirectoryError } from '../../src/directory/errors.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { FAULTS, type InjectedFault, sourceWith } from './faults.ts'
import { testConnection } from './test-connection.ts'

// `npx vitest run test/directory/faults` prints the table of all faults with their sentences for administrators.

const DEADLINE_MS = 1_500
const directory = await startDirectory('slapd', { hugePhoto: true })
const rows: string[][] = []

beforeAll(() => {
  expect(FAULTS.length).toBeGreaterThanOrEqual(25)
})

afterAll(async () => {
  await directory?.stop()
  if (rows.length > 0) console.log(asTable([['fault', 'step', 'code', 'ms', 'message'], ...rows]))
})

describe.skipIf(!directory)('each fault is named by the connection test and by logins, within the deadline', () => {
  test.for(FAULTS)('$name', { concurrent: false }, async (fault, { expect }) => {
    await using faulty = await sourceWith(fault, directory as TestDirectory)
    const { source } = faulty
    const login = fault.login ?? 'alice'

    const start = performance.now()
    const diagnosis = await testConnection(source, { deadlineMs: DEADLINE_MS, login: fault.login })
    const took = performance.now() - start
    rows.push(rowOf(fault, diagnosis, took))
    expect(finding(diagnosis)).toEqual({
      step: fault.step,
      status: fault.warning ? 'warning' : 'failed',
      code: fault.code,
    })
    expect(took).toBeLessThan(DEADLINE_MS + 5_000) // otherwise it would wait for ever
    if (!fault.warning) expect(diagnosis.message).toMatch(/^Unable to connect to LDAP server \(.+\)$/)
    expect(JSON.stringify(diagnosis)).not.toContain(directory?.password)

    await using opened = openDirectory(source, { deadlineMs: DEADLINE_MS })
    const loggedIn = await outcome(opened.authenticate(login, directory?.password ?? ''))
    if (!fault.loggedIn) {
      expect(loggedIn).toEqual(fault.loginCode ?? fault.code)
      return
    }
    expect(loggedIn).toMatchObject({ login })
    const groups = await outcome(opened.find(login).then((person) => person && opened.groupsOf(person)))
    if (fault.groups) expect(groups).toEqual(fault.groups)
    else expect(groups).toBeInstanceOf(Set)
  })
})

/** Yields the step that reports the fault. */
function finding({ success, steps }: Diagnosis) {
  const told = steps.find(({ status }) => status === 'failed') ?? steps.find(({ status }) => status === 'warning')
  expect(success).toBe(told?.status !== 'failed')
  expect(steps).toHaveLength(9)
  for (const { status, advice } of steps) if (status === 'failed' || status === 'warning') expect(advice).toBeTruthy()
  return { step: told?.name, status: told?.status, code: told?.code }
}

async function outcome<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work
  } catch (error) {
    if (error instanceof DirectoryError) return error.code
    throw error
  }
}

function rowOf(fault: InjectedFault, { steps }: Diagnosis, took: number): string[] {
  const told = steps.find(({ status }) => status === 'failed') ?? steps.find(({ status }) => status === 'warning')
  return [fault.name, told?.name ?? '', told?.code ?? '', took.toFixed(0), `${told?.message} ${told?.advice}`]
}

function asTable(lines: readonly string[][]): string {
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')).join('\n')
}
