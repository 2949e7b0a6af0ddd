import { json } from '@codemirror/lang-json'
import { yaml } from '@codemirror/lang-yaml'
import type { Extension } from '@codemirror/state'
import { createTemplateLanguage } from './template.ts'

export type Language = 'template' | 'json' | 'yaml'

/** The parsers of the languages. */
export const LANGUAGES: Readonly<Record<Language, () => Extension>> = { template: createTemplateLanguage, json, yaml }
