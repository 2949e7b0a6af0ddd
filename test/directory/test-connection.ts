import { type Diagnosis, type DiagnosisOptions, diagnose, type Step, summarize } from '../../src/directory/diagnosis.ts'
import type { DirectorySource } from '../../src/directory/source.ts'

/** Makes all steps, and adds the verdict on them. */
export async function testConnection(source: DirectorySource, options: DiagnosisOptions = {}): Promise<Diagnosis> {
  const steps: Step[] = []
  for await (const step of diagnose(source, options)) steps.push(step)
  return summarize(steps)
}
