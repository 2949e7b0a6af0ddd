import { Label } from '@patternfly/react-core'
import { Link } from '../shell/link.tsx'
import { LabelGroup } from '../shell/patternfly.tsx'
import { formatNumber, formatTime, t } from '../words/words.ts'
import type { Column, ResourceShort } from './description.ts'
import { type ApiRecord, findResource, pathOfRecord, textOf } from './resources.ts'

interface CellProps {
  readonly record: ApiRecord
  readonly column: Column
  /** Shortens the value, for tables. */
  readonly isShort?: boolean
}

/** Shows one value of a record. */
export function Cell({ record, column, isShort = false }: CellProps) {
  const value = record[column.key]
  if (value === null || value === undefined || value === '') return <Nothing />
  const target = column.target === undefined ? undefined : findResource(column.target)
  const id = column.idKey === undefined ? undefined : record[column.idKey]
  if (target?.operations.show && target.within === null && (typeof id === 'number' || typeof id === 'string'))
    return (
      <Link to={`/${target.plural}/${encodeURIComponent(String(id))}`} className="mw-value">
        <bdi>{String(value)}</bdi>
      </Link>
    )
  if (Array.isArray(value)) return <Several values={value} target={target} isShort={isShort} />
  if (typeof value === 'boolean') return <>{value ? t('value.yes') : t('value.no')}</>
  if (column.kind === 'time' && typeof value === 'string') return <time dateTime={value}>{formatTime(value)}</time>
  if (typeof value === 'number') return <>{column.key === 'id' ? value : formatNumber(value)}</>
  if (typeof value === 'object') return <One value={value as ApiRecord} target={target} isShort={isShort} />
  const text = String(value)
  if (!isShort && text.includes('\n')) return <pre className="mw-code">{text}</pre>
  return (
    <bdi className={isShort ? 'mw-cell' : 'mw-value'} title={isShort ? text : undefined}>
      {text}
    </bdi>
  )
}

function Nothing() {
  return (
    <>
      <span aria-hidden="true">–</span>
      <span className="pf-v6-screen-reader">{t('record.empty')}</span>
    </>
  )
}

interface OneProps {
  readonly value: ApiRecord
  readonly target: ResourceShort | undefined
  readonly isShort: boolean
}

function One({ value, target, isShort }: OneProps) {
  if (Object.hasOwn(value, 'id') && target) {
    const text = textOf(value, target)
    const hasPage = target.operations.show && target.within === null
    return hasPage ? (
      <Link to={pathOfRecord(target, value)}>
        <bdi>{text}</bdi>
      </Link>
    ) : (
      <bdi>{text}</bdi>
    )
  }
  const text = JSON.stringify(value, null, isShort ? 0 : 2)
  return isShort ? <code className="mw-cell">{text}</code> : <pre className="mw-code">{text}</pre>
}

interface SeveralProps {
  readonly values: readonly unknown[]
  readonly target: ResourceShort | undefined
  readonly isShort: boolean
}

function Several({ values, target, isShort }: SeveralProps) {
  if (values.length === 0) return <Nothing />
  const texts = values.map((value) => (typeof value === 'object' && value !== null ? value : String(value)))
  return (
    <LabelGroup numLabels={isShort ? 2 : 20} collapsedText={t('action.more')} expandedText={t('action.hide')}>
      {texts.map((value, place) => {
        const text = typeof value === 'string' ? value : textOf(value as ApiRecord, target ?? { label: 'name' })
        const hasPage = typeof value === 'object' && target?.operations.show && target.within === null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: values may occur twice, and have no state
          <Label key={place} isCompact>
            {hasPage && target ? (
              <Link to={pathOfRecord(target, value as ApiRecord)}>
                <bdi>{text}</bdi>
              </Link>
            ) : (
              <bdi>{text}</bdi>
            )}
          </Label>
        )
      })}
    </LabelGroup>
  )
}
