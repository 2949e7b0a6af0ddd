export type OperationName = 'list' | 'show' | 'create' | 'update' | 'delete'

/** One operation of a resource: where it is, and which permissions it asks for, of which one is enough. */
export interface DescribedOperation {
  readonly path: string
  readonly method: string
  readonly permissions: readonly string[]
  /** Callers without a permission may do it with records of their own. */
  readonly own: boolean
  /** Batches refuse it: it is a request of its own. */
  readonly alone: boolean
}

/** What every page knows of a resource. Written by web/build from the declarations of the service. */
export interface ResourceShort {
  readonly name: string
  /** Its word in addresses of the console. */
  readonly plural: string
  /** The key that bodies hold it in. */
  readonly word: string
  readonly surface: 'core' | 'content'
  /** Its name in audits. */
  readonly type: string
  /** The key of its records that people know them by. */
  readonly label: string
  readonly operations: Partial<Readonly<Record<OperationName, DescribedOperation>>>
  /** Resources whose records it can be listed below. */
  readonly parents: readonly string[]
  /** The resource below whose records alone it is found; null for those that have a list of their own. */
  readonly within: string | null
  /** Whether the API completes its searches. */
  readonly completes: boolean
}

export interface Column {
  readonly key: string
  readonly kind: 'text' | 'time' | 'boolean' | 'integer' | 'number' | 'object' | 'records' | 'values' | 'any'
  readonly doc: string
  /** The resource that the value leads to. */
  readonly target?: string
  /** The key with the id of the record that the value names. */
  readonly idKey?: string
  /** The word of the search language that it is sorted by. */
  readonly sort?: string
}

export interface FormField {
  readonly key: string
  readonly doc: string
  readonly required: boolean
  readonly widget:
    | 'text'
    | 'long'
    | 'template'
    | 'value'
    | 'number'
    | 'switch'
    | 'choice'
    | 'secret'
    | 'reference'
    | 'references'
    | 'values'
    | 'json'
  readonly target?: string
  readonly choices?: readonly string[]
  readonly nullable?: boolean
  readonly maximum?: number
  readonly minimum?: number
  readonly maxLength?: number
  /** What a new record has that says nothing of it. */
  readonly initial?: unknown
}

/** What the pages of a resource know of it. */
export interface ResourceFull {
  readonly summary: string
  readonly order: string
  readonly columns: readonly Column[]
  readonly shown: readonly Column[]
  readonly create: readonly FormField[]
  readonly update: readonly FormField[]
  readonly children: readonly { readonly resource: string; readonly path: string }[]
}
