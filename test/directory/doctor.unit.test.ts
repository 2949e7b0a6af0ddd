import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Finished, ready, run, start } from '../cli/program.ts'
import { stepsOf } from '../docs/transcript.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'

const PAGE = join(import.meta.dirname, '../../docs/directories.md')
const PASSWORD = 'a password for the test'

// UPDATE_TRANSCRIPT=1 stores the present output of the doctor.
test('the doctor says what is wrong with a certificate that nobody trusts, and nothing when it is trusted', async ({
  skip,
}) => {
  await using directory = await startDirectory('slapd')
  if (!directory) return skip()
  const { without, trusted } = await examined(directory)
  const page = readFileSync(PAGE, 'utf8')
  const [step] = stepsOf(page)
  const printed = comparable(without.stdout)
  if (process.env.UPDATE_TRANSCRIPT) {
    writeFileSync(
      PAGE,
      page.replace(
        /^\$ millwright doctor directory corp\n[\s\S]*?```/m,
        () => `$ millwright doctor directory corp\n${printed}\n\`\`\``,
      ),
    )
  } else expect(printed).toBe(comparable(step?.output ?? ''))
  expect(without.code).toBe(1)
  expect(trusted).toMatchObject({ code: 0 })
  expect(trusted.stdout).toContain('Test connection to LDAP server was successful.')
  expect(`${without.stdout}${trusted.stdout}`).not.toContain(directory.serviceAccount.password)
})

/** Stores a source without and with its authority through the API, and runs the doctor on both in a terminal. */
async function examined(directory: TestDirectory): Promise<{ without: Finished; trusted: Finished }> {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-doctor-'))
  try {
    const program = start(['--port', '0'], folder, {
      MILLWRIGHT_ADMIN_PASSWORD: PASSWORD,
      MILLWRIGHT_LOG_LEVEL: 'warn',
    })
    const address = await ready(program)
    await store(address, directory, 'corp', null)
    await store(address, directory, 'trusted', directory.ca)
    program.process.kill('SIGTERM')
    await program.ended
    return {
      without: await run(['doctor', 'directory', 'corp'], folder),
      trusted: await run(['doctor', 'directory', 'trusted'], folder),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function store(address: string, directory: TestDirectory, name: string, ca: string | null): Promise<void> {
  const { dn, password } = directory.serviceAccount
  const answer = await fetch(`${address}/api/auth_source_ldaps`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
    },
    body: JSON.stringify({
      name,
      host: 'localhost',
      port: directory.tlsPort,
      tls: true,
      ca_certificate: ca,
      account: dn,
      account_password: password,
      base_dn: directory.usersBase,
      groups_base: directory.groupsBase,
    }),
  })
  expect(answer.status).toBe(201)
}

/** Removes what differs between runs: ports, durations, dates, fingerprints. */
function comparable(text: string): string {
  return text
    .trimEnd()
    .replace(/localhost:\d+/g, 'localhost:636')
    .replace(/ +\d+ ms/g, (duration) => '2 ms'.padStart(Math.max(duration.length, 10)))
    .replace(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '2027-01-01')
    .replace(/\b[0-9A-F]{2}(:[0-9A-F]{2}){10,}/g, '<fingerprint>')
}
