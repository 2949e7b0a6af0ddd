import type { FactorReset, Recovered } from '../areas/access/index.ts'
import type { Settings } from '../config/config.ts'
import type { OperationName } from '../operator/operations.ts'
import { operate } from './operate.ts'

/** Gives an account a new password: a generated one that is printed once, or the line from standard input. */
export async function recoverAccount(
  settings: Settings,
  operation: Extract<OperationName, 'reset-password' | 'create-admin'>,
  login: string,
  fromInput: boolean,
): Promise<number> {
  const password = fromInput ? await readFirstLine() : null
  return operate(settings, operation, { login, password }, (result) => {
    const { generatedPassword, disabled, ...account } = result as Recovered // what both operations yield
    const facts = [
      ['Login', account.login],
      [
        'Password',
        generatedPassword === null ? 'the one on standard input' : `${generatedPassword}   (shown only this once)`,
      ],
    ]
    process.stdout.write(`${facts.map(([name = '', value]) => `${name.padEnd(10)}${value}`).join('\n')}\n`)
    if (operation === 'reset-password') process.stdout.write('Sessions and tokens of this account have ended.\n')
    if (disabled) process.stdout.write(DISABLED)
  })
}

/** Removes the second factors of an account, by the owner of the data. */
export function resetFactor(settings: Settings, login: string): Promise<number> {
  return operate(settings, 'reset-second-factor', { login, password: null }, (result) => {
    const reset = result as FactorReset // what the operation yields
    process.stdout.write(
      `Removed ${reset.removed} second factors of ${reset.login}. The sessions of this account have ended.\n`,
    )
  })
}

const DISABLED = `The account is disabled and stays so: another administrator enables it, and
\`millwright users create-admin LOGIN\` makes one.
`

async function readFirstLine(): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer) // without an encoding it yields bytes
  return Buffer.concat(parts).toString('utf8').split(/\r?\n/, 1)[0] ?? ''
}
