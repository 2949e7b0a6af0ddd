import { Button, ModalBody, ModalFooter, Progress } from '@patternfly/react-core'
import { useEffect, useRef, useState } from 'react'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { beginExport, type Course, continueExport, type Exported, endExport } from './export.ts'

interface ExportDialogProps extends Exported {
  readonly total: number
  readonly close: () => void
}

/** Exports all records that the search matches, portion by portion, until the user cancels; after an error it goes on. */
export function ExportDialog({ total, close, ...exported }: ExportDialogProps) {
  const [done, setDone] = useState(0)
  const [turn, setTurn] = useState(0)
  const [error, setError] = useState<unknown>(null)
  const given = useRef({ exported, close })
  const course = useRef<Course | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another turn goes on where an error was
  useEffect(() => {
    const abort = new AbortController()
    const work = async () => {
      let now = course.current ?? (await beginExport(given.current.exported))
      course.current = now
      if (abort.signal.aborted) return now.file.drop()
      while (now.next !== null && !abort.signal.aborted) {
        now = await continueExport(given.current.exported, now, abort.signal)
        course.current = now
        setDone(now.done)
      }
      if (abort.signal.aborted) return
      await endExport(given.current.exported, now)
      course.current = null
      given.current.close()
    }
    work().catch((caught: unknown) => {
      if (!abort.signal.aborted) setError(caught)
    })
    return () => abort.abort()
  }, [turn])
  function cancel() {
    void course.current?.file.drop()
    close()
  }
  return (
    <Modal isOpen variant="small" onClose={cancel} aria-labelledby="export-title">
      <ModalHeader title={t(`list.export.${exported.format}`)} labelId="export-title" />
      <ModalBody>
        <Progress
          title={t('list.export.running', { done: formatNumber(done), total: formatNumber(total) })}
          value={total === 0 ? 100 : Math.min(100, (done / total) * 100)}
        />
        {error !== null && (
          <ProblemAlert
            error={error}
            retry={() => {
              setError(null)
              setTurn(turn + 1)
            }}
          />
        )}
      </ModalBody>
      <ModalFooter>
        <Button variant="link" onClick={cancel}>
          {t('action.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}
