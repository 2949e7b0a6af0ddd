import type { ResourceFull } from '../resources/description.ts'
import { chooseLanguage } from './words.ts'

/** Says what resources and their fields are in the language of the browser; what is not said in it is not said at all. */
export async function explain(): Promise<(full: ResourceFull) => ResourceFull> {
  if (chooseLanguage() === 'en') return (full) => full
  const german = (await import('./explanations-de.json')).default as Readonly<Record<string, string>>
  const said = <T extends { readonly doc?: string }>(one: T) => ({ ...one, doc: german[one.doc ?? ''] ?? '' })
  return (full) => ({
    ...full,
    summary: german[full.summary] ?? '',
    shown: full.shown.map(said),
    create: full.create.map(said),
    update: full.update.map(said),
  })
}
