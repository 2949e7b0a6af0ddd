import { Button, ModalBody, ModalFooter, Progress } from '@patternfly/react-core'
import { useEffect, useRef, useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { Alert, Modal, ModalHeader } from '../../shell/patternfly.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import type { Column } from '../description.ts'
import { type ApiRecord, recordsOf, type Where } from '../resources.ts'
import type { ListView } from './view.ts'

interface ExportDialogProps {
  readonly format: 'csv' | 'json'
  readonly where: Where
  readonly columns: readonly Column[]
  readonly view: ListView
  readonly total: number
  readonly close: () => void
}

const PORTION = 500

/** Loads all records that the search matches in portions, and passes them to the browser as a file. */
export function ExportDialog({ format, where, columns, view, total, close }: ExportDialogProps) {
  const [done, setDone] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const latest = useRef({ where, columns, view, close })
  useEffect(() => {
    const abort = new AbortController()
    const given = latest.current
    const work = async () => {
      const records = await loadAll(given.where, given.view, abort.signal, setDone)
      const name = `${given.where.resource.plural}.${format}`
      if (format === 'json') save(name, 'application/json', JSON.stringify(records, null, 2))
      else save(name, 'text/csv;charset=utf-8', csvOf(records, given.columns))
      given.close()
    }
    work().catch((caught: unknown) => {
      if (!abort.signal.aborted) setError(caught)
    })
    return () => abort.abort()
  }, [format])
  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="export-title">
      <ModalHeader title={t(`list.export.${format}`)} labelId="export-title" />
      <ModalBody>
        {error === null ? (
          <Progress
            title={t('list.export.running', { done, total })}
            value={total === 0 ? 100 : (done / total) * 100}
          />
        ) : (
          <Alert variant="danger" isInline title={wordsOfProblem(error).title} />
        )}
      </ModalBody>
      <ModalFooter>
        <Button variant="link" onClick={close}>
          {t('action.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}

async function loadAll(
  { list }: Where,
  { search, order }: ListView,
  signal: AbortSignal,
  progress: (done: number) => void,
): Promise<ApiRecord[]> {
  const records: ApiRecord[] = []
  const common = { search: search || undefined, order: order || undefined, per_page: PORTION }
  // By key, so that nothing that comes or goes meanwhile shifts pages; some lists have numbers only.
  let place: { after: string } | { page: number } = { after: '' }
  for (let page = 1; ; page++) {
    const { body, after } = await sendRequest(list, { query: { ...common, ...place }, signal })
    const found = recordsOf(body.results)
    records.push(...found)
    progress(records.length)
    const isWalked = after !== null || ('after' in place && place.after !== '')
    if (after === null && (isWalked || found.length < PORTION)) return records
    place = after === null ? { page: page + 1 } : { after }
  }
}

/** Formats CSV by RFC 4180; a text that a spreadsheet would take for a formula gets a leading apostrophe. */
function csvOf(records: readonly ApiRecord[], columns: readonly Column[]): string {
  const formatCell = (value: unknown) => {
    const text =
      value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value)
    const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  }
  const rows = [columns.map(({ key }) => key), ...records.map((record) => columns.map(({ key }) => record[key]))]
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('')
}

function save(name: string, type: string, content: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
