import type { FormField, ResourceFull } from '../resources/description.ts'
import { nameOfProduct } from './products.ts'
import { chooseLanguage } from './words.ts'

/** Says what resources and their fields are in the language of the browser; what is not said in it is not said at all. */
export async function explain(): Promise<(full: ResourceFull) => ResourceFull> {
  const say = chooseLanguage() === 'en' ? sayToPeople : await loadGerman()
  const sayDoc = <T extends { readonly doc?: string }>(one: T) => ({ ...one, doc: say(one.doc ?? '') })
  const sayField = (field: FormField): FormField => ({
    ...sayDoc(field),
    ...(field.fields && { fields: field.fields.map(sayField) }),
  })
  return (full) => ({
    ...full,
    summary: say(full.summary),
    shown: full.shown.map(sayDoc),
    create: full.create.map(sayField),
    update: full.update.map(sayField),
  })
}

/** Programs send null where people leave a field empty. */
function sayToPeople(text: string): string {
  return text
    .replace(/\b(?:blank or )?null(?: or (?:0|missing))?\b/g, 'empty')
    .replace(/ who send \w+=true\b/g, '')
    .replace(/\bdirectory_[abc]\b/g, nameOfProduct)
}

async function loadGerman(): Promise<(text: string) => string> {
  const german = (await import('./explanations-de.json')).default as Readonly<Record<string, string>>
  return (text) => sayInGerman(text, german)
}

/** Names of records have the sentence of the record, with two words more. */
const BY_NAME = / By name\.$/

/** Says in German what a field is for; nothing where nobody has said it. */
function sayInGerman(text: string, german: Readonly<Record<string, string>>): string {
  const plain = german[text.replace(BY_NAME, '')] ?? ''
  return plain !== '' && BY_NAME.test(text) ? `${plain} Mit Namen.` : plain
}
