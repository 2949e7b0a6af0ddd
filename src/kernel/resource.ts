import type { SearchSchema } from '../search/schema.ts'
import type { Definition } from './definition.ts'
import type { Column, Elsewhere, Field, Operation, Place, ReadableKey, WritableKey } from './field.ts'
import type { Surface } from './surface.ts'

/** A field with its place: what the kernel folds over. */
export interface Placed {
  readonly name: string
  readonly field: Field
  readonly at: Place
  readonly column: Column | undefined
  readonly elsewhere: Elsewhere | undefined
}

/** A declared resource with its defaults filled in and its fields folded into what each part of the service asks for. */
export interface Resource extends Definition {
  readonly plural: string
  readonly surface: Surface
  readonly word: string
  /** Where its records are, e.g. `/content/api/environments`. */
  readonly path: string
  readonly table: string
  readonly type: string
  readonly permission: string
  readonly operations: readonly Operation[]
  readonly parents: Readonly<Record<string, string>>
  readonly taxable: boolean | 'when_named' | 'own' | 'organization'
  readonly audited: boolean
  readonly placed: readonly Placed[]
  readonly columns: readonly Column[]
  readonly writable: Readonly<Record<string, WritableKey>>
  readonly readable: Readonly<Record<string, ReadableKey>>
  readonly searchSchema: SearchSchema
  readonly deletedView: readonly string[]
  /** All resources, this one among them. */
  readonly registry: Registry
  /** Who points at records of this resource. */
  readonly referrers: readonly { readonly resource: Resource; readonly placed: Placed }[]
}

export type Registry = ReadonlyMap<string, Resource>
