import { loadSources } from '../areas/access/index.ts'
import { diagnose, type Step, TITLES } from '../directory/diagnosis.ts'
import type { DirectorySource } from '../directory/source.ts'
import { openEncryptionToRead } from '../encryption-keys.ts'
import type { Finding } from './finding.ts'
import type { Workplace } from './workplace.ts'

/** Examines whether people can log in through each directory. */
export async function examineDirectories({ database: { db }, config }: Workplace): Promise<Finding[]> {
  const sources = await loadSources(db, await openEncryptionToRead(db, config))
  return Promise.all(sources.map(({ directory }) => examineDirectory(directory)))
}

async function examineDirectory(directory: DirectorySource): Promise<Finding> {
  const about = `Directory ${directory.name}`
  const steps: Step[] = []
  for await (const step of diagnose(directory)) steps.push(step)
  const worst = steps.find(({ status }) => status === 'failed') ?? steps.find(({ status }) => status === 'warning')
  if (!worst) return { about, status: 'ok', message: 'People can log in, and their groups are found.' }
  const more = `millwright doctor directory ${directory.name} shows each step.`
  return {
    about,
    status: worst.status === 'failed' ? 'failed' : 'warning',
    message: `${TITLES[worst.name]}: ${worst.message}`,
    advice: worst.advice ? `${worst.advice} ${more}` : more,
  }
}
