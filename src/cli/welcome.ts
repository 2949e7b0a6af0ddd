import type { Config } from '../config.ts'
import type { Service } from '../service.ts'

/** Formats the greeting for people once the service answers: its address, who may log in, and a first request to try. */
export function formatWelcome(
  { address, vendorAddress, firstStart, ignoresPassword }: Omit<Service, typeof Symbol.asyncDispose>,
  config: Config,
): string {
  const login = firstStart?.login ?? config.adminLogin
  const password = firstStart?.password ?? null
  const credentials = quoteShellWord(password === null ? login : `${login}:${password}`)
  const facts = [
    ['Address', `${address}   (open it in a browser)`],
    ...(vendorAddress === null ? [] : [['Vendor', `${vendorAddress}   (for existing clients)`]]),
    ['Login', login],
    ...(firstStart
      ? [['Password', password === null ? 'the one you configured' : `${password}   (shown only this once)`]]
      : []),
    ...(ignoresPassword ? [['Password', IGNORED]] : []),
    ['Database', describeDatabase(config)],
  ]
  return [
    'Millwright is ready.',
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(10)}${value}`),
    '',
    password === null ? 'Try it (curl prompts for the password):' : 'Try it:',
    `  curl -u ${credentials} ${toReachable(address)}/api/architectures`,
    '',
    '',
  ].join('\n')
}

const IGNORED = `unchanged; MILLWRIGHT_ADMIN_PASSWORD has no effect (to change it: millwright reset-password)`

function describeDatabase({ databaseUrl, dataDir }: Config): string {
  if (databaseUrl !== null) return 'PostgreSQL'
  return dataDir === 'memory'
    ? 'PostgreSQL, bundled, in a temporary folder: all data is lost at the end'
    : `PostgreSQL, bundled, in ${dataDir}`
}

/** Yields an address to connect to: `0.0.0.0` and `::` can only be listened on. */
function toReachable(address: string): string {
  return address.replace('//0.0.0.0', '//127.0.0.1').replace('//[::]', '//[::1]')
}

function quoteShellWord(word: string): string {
  return /^[\w.:@%+=,/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
