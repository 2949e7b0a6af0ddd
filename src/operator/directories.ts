import { loadSources } from '../areas/access/index.ts'
import { diagnose, type Step, TITLES } from '../directory/diagnosis.ts'
import type { DirectorySource } from '../directory/source.ts'
import { openEncryptionToRead } from '../encryption/keys.ts'
import type { Finding } from './finding.ts'
import type { Workplace } from './workplace.ts'

/** Examines whether people can log in through each directory. */
export async function examineDirectories(at: Workplace): Promise<Finding[]> {
  const directories = await listDirectories(at)
  return Promise.all(directories.map((directory) => examineDirectory(directory, directories)))
}

/** The first line of the diagnosis of a directory: which one it is, or which there are where none is called that. */
export type Diagnosed = { readonly name: string; readonly host: string } | { readonly known: readonly string[] }

/** Diagnoses the directory of this name or id, as lines of JSON: which one it is, then each step as soon as it is done. */
export async function* writeDiagnosis(at: Workplace, wanted: string): AsyncGenerator<Uint8Array> {
  const directories = await listDirectories(at)
  const found = findDirectory(directories, wanted)
  yield writeLine(found ?? { known: directories.map(({ name }) => name) })
  if (found) for await (const step of diagnose(found)) yield writeLine(step)
}

function writeLine(value: Diagnosed | Step): Uint8Array {
  const shown = 'host' in value ? { name: value.name, host: value.host } : value
  return Buffer.from(`${JSON.stringify(shown)}\n`)
}

async function listDirectories({ database: { db }, config }: Workplace): Promise<DirectorySource[]> {
  const sources = await loadSources(db, await openEncryptionToRead(db, config))
  return sources.map(({ directory }) => directory)
}

/** Finds a directory by its name, or else by its id. */
function findDirectory(directories: readonly DirectorySource[], wanted: string): DirectorySource | undefined {
  return directories.find(({ name }) => name === wanted) ?? directories.find(({ id }) => String(id) === wanted)
}

async function examineDirectory(directory: DirectorySource, all: readonly DirectorySource[]): Promise<Finding> {
  const about = `Directory ${directory.name}`
  const steps: Step[] = []
  for await (const step of diagnose(directory)) steps.push(step)
  const worst = steps.find(({ status }) => status === 'failed') ?? steps.find(({ status }) => status === 'warning')
  if (!worst) return { about, status: 'ok', message: 'People can log in, and their groups are found.' }
  const { name, id } = directory
  // A name that cannot be typed gives way to the id, unless another directory is called that.
  const called = /\p{Cc}/u.test(name) && findDirectory(all, String(id)) === directory ? String(id) : name
  return {
    about,
    status: worst.status === 'failed' ? 'failed' : 'warning',
    message: `${TITLES[worst.name]}: ${worst.message}`,
    advice: [worst.advice, 'The command shows each step.'].filter((one) => one !== null).join(' '),
    commands: [['millwright', 'doctor', 'directory', called]],
  }
}
