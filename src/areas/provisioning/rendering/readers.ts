import { createReader, type HostValue, type TemplateFunction } from '../../../templates/index.ts'
import type { HostPart } from './host-data.ts'

/** The readable properties of an object in templates, by name. */
export type Methods = Readonly<Record<string, HostValue | TemplateFunction>>

/** Creates a reader with only these methods, built when one is first read; it does not reveal its kind. */
export function createClosedReader(kind: string, build: () => Methods, text: string): HostValue {
  const refuseClass: TemplateFunction = ({ fail }) => fail(`undefined method 'class' for ${kind}`)
  return createReader(kind, () => ({ class: refuseClass, ...build() }), text)
}

/** Creates a reader for a record: its columns, and as text its title or name. */
export function createPartReader(kind: string, part: HostPart, buildMore: () => Methods = () => ({})): HostValue {
  if (part === null) return null
  const text = part.title ?? part.name ?? part.identifier ?? ''
  return createClosedReader(kind, () => ({ ...part, to_s: String(text), ...buildMore() }), String(text))
}
