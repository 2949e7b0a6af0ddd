export type OperationName = 'list' | 'show' | 'create' | 'update' | 'delete'

/** One operation of a resource: its path, and the permissions of which one is enough. */
export interface DescribedOperation {
  readonly path: string
  readonly method: string
  readonly permissions: readonly string[]
  /** Whether callers without a permission may use it on their own records. */
  readonly own: boolean
  /** Whether it cannot be part of a batch. */
  readonly alone: boolean
}

/** How the API copies a record under a new name. */
export interface DescribedClone extends DescribedOperation {
  /** The key around the values of the copy; null where there is none. */
  readonly word: string | null
  /** The key of the name of the copy. */
  readonly name: string
}

/** What every page knows of a resource; web/build writes it from the declarations of the service. */
export interface ResourceShort {
  readonly name: string
  /** Its name in addresses of the console. */
  readonly plural: string
  /** The key that wraps its records in bodies. */
  readonly word: string
  readonly surface: 'core' | 'content'
  /** Its type in audits. */
  readonly type: string
  /** The key by which people know its records. */
  readonly label: string
  readonly operations: Partial<Readonly<Record<OperationName, DescribedOperation>>>
  /** The resources below whose records it can be listed. */
  readonly parents: readonly string[]
  /** The only resource below which it is found; null where it has a list of its own. */
  readonly within: string | null
  /** Absent where the API does not copy its records. */
  readonly clone?: DescribedClone
  /** Whether the API completes its searches. */
  readonly completes: boolean
  /** Whether the API shows its records as they were at a time. */
  readonly hasPast: boolean
}

/** The resources that values in audits are ids of, by the type of the audited record and the key of the value. */
export type References = Readonly<Record<string, Readonly<Record<string, string>>>>

export interface Column {
  readonly key: string
  readonly kind: 'text' | 'time' | 'boolean' | 'integer' | 'number' | 'object' | 'records' | 'values' | 'any'
  readonly doc?: string
  /** The resource that the value links to. */
  readonly target?: string
  /** The key with the id of the linked record. */
  readonly idKey?: string
  /** The search field that it is sorted by. */
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
    | 'rows'
    | 'group'
    | 'entries'
  readonly target?: string
  /** The key that says which kind of record an id names. */
  readonly kindKey?: string
  readonly choices?: readonly string[]
  readonly nullable?: boolean
  readonly maximum?: number
  readonly minimum?: number
  readonly maxLength?: number
  /** The default value in a new record. */
  readonly initial?: unknown
  /** The fields of each row, or of the group. */
  readonly fields?: readonly FormField[]
  /** The rows are records, which their ids name: only what changes is sent. */
  readonly isParts?: boolean
  /** The key of the record that shows the rows, where it is another. */
  readonly from?: string
  /** The keys of the objects around it, in a row. */
  readonly path?: readonly string[]
  /** Who may change it, where not everybody who may change the record: those with the permission, or administrators. */
  readonly only?: 'permitted' | 'administrators'
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
