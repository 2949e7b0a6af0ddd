/** Something that was examined: its state, and what to do where it is not well. */
export interface Finding {
  readonly about: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly advice?: string
  /** Commands to run, each by its words: those of this program begin with `millwright`. */
  readonly commands?: readonly (readonly string[])[]
  /** Statements of SQL to run, each by itself. */
  readonly statements?: readonly string[]
}
