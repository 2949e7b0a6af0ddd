import type { FormatName } from './rows.ts'

/** A stored template of reports. */
export interface StoredTemplate {
  readonly id: number
  readonly name: string
  readonly template: string
}

/** What a report is asked for with. */
export interface ReportWish {
  readonly format: FormatName
  readonly inputs: Readonly<Record<string, unknown>>
}
