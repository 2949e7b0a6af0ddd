/** Something that was examined: its state, and what to do where it is not well. */
export interface Finding {
  readonly about: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly advice?: string
}
