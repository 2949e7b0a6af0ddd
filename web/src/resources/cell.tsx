import { Label } from '@patternfly/react-core'
import { Link } from '../shell/link.tsx'
import { LabelGroup } from '../shell/patternfly-parts.tsx'
import { nameOfProduct } from '../words/products.ts'
import { formatAgo, formatNumber, formatTime, labelOf, nameOf, t } from '../words/words.ts'
import type { Column, ResourceShort } from './description.ts'
import { type ApiRecord, findResource, nameOfType, pathOfRecord, textOf } from './resources.ts'
import { causeOf, describeStates, STATE_COLORS, wordOfState } from './states.ts'

interface CellProps {
  readonly record: ApiRecord
  readonly column: Column
  /** Shortens the value, for tables. */
  readonly isShort?: boolean
  /** The name of the record that the value is the id of, once it is known. */
  readonly name?: string | undefined
}

/** Shows one value of a record. */
export function Cell({ record, column, isShort = false, name }: CellProps) {
  const value = record[column.key]
  if (value === null || value === undefined || value === '') return <Nothing />
  const target = column.target === undefined ? undefined : findResource(column.target)
  const id = column.idKey === undefined ? undefined : record[column.idKey]
  if (target?.operations.show && target.within === null && (typeof id === 'number' || typeof id === 'string'))
    return (
      <Link to={`/${target.plural}/${encodeURIComponent(String(id))}`} className="mw-value">
        <bdi>
          {column.idKey === column.key ? (name ?? `${nameOf(target.plural, 'one')} ${String(value)}`) : String(value)}
        </bdi>
      </Link>
    )
  if (Array.isArray(value)) return <Several values={value} target={target} isShort={isShort} />
  if (typeof value === 'boolean') return <>{value ? t('value.yes') : t('value.no')}</>
  if (column.kind === 'time' && typeof value === 'string')
    return <Time text={value} isAgo={isShort && AGO.has(column.key)} />
  if (column.key === 'global_status_label') return <Mark host={record} />
  if (column.key === 'server_type') return <>{nameOfProduct(String(value))}</>
  if (column.key.endsWith('status_label')) return <>{wordOfState(String(value))}</>
  if (typeof value === 'number') return <>{IDENTIFYING.test(column.key) ? value : formatNumber(value)}</>
  if (typeof value === 'object') return <One value={value as ApiRecord} target={target} isShort={isShort} />
  const text = wordOf(column, String(value))
  if (!isShort && text.includes('\n')) return <pre className="mw-code">{text}</pre>
  return (
    <bdi className={classOf(text, isShort)} title={isShort ? text : undefined}>
      {text}
    </bdi>
  )
}

/** Sentences take several lines of a table, names one. */
function classOf(text: string, isShort: boolean): string {
  if (!isShort) return 'mw-value'
  return text.length > LONG && text.includes(' ') ? 'mw-sentence' : 'mw-cell'
}

const LONG = 30

/** Says a text of the API in words: types of records by the names of their resources. */
export function wordOf({ key }: Pick<Column, 'key'>, text: string): string {
  return TYPES.test(key) ? nameOfType(text) : text
}

const TYPES = /^(?:(?:resource|auditable|associated|owner)_type(?:_label)?|type)$/

/** Numbers that count nothing: ids, ports and the like. */
const IDENTIFYING = /(?:^|_)id$|^(?:port|vlanid|tag|major|minor|gid|uid)$/

/** Times of which the distance says more than the hour. */
const AGO = new Set(['last_report', 'reported_at'])

interface TimeProps {
  readonly text: string
  readonly isAgo: boolean
}

function Time({ text, isAgo }: TimeProps) {
  return (
    <time dateTime={text} className="mw-time" title={isAgo ? formatTime(text) : undefined}>
      {isAgo ? formatAgo(text, 'short') : formatTime(text)}
    </time>
  )
}

/** Causes with more letters may take two lines. */
const SHORT_CAUSE = 14

interface MarkProps {
  readonly host: ApiRecord
}

/** Shows the state of a host in one mark: what is wrong, with all its states on hover. Rows of lists are made without components. */
function Mark({ host }: MarkProps) {
  const color = STATE_COLORS[Number(host.global_status)] ?? 'grey'
  const cause = causeOf(host)
  const length = cause.length > SHORT_CAUSE ? ' mw-long' : ''
  return (
    <span className={`pf-v6-c-label pf-m-compact pf-m-${color}${length}`} title={describeStates(host)}>
      <span className="pf-v6-c-label__content">
        <span className="pf-v6-c-label__text">
          {color !== 'green' && (
            <span className="pf-v6-screen-reader">{`${wordOfState(String(host.global_status_label))}: `}</span>
          )}
          {cause}
        </span>
      </span>
    </span>
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
  const counts = Object.entries(value)
  if (counts.length > 0 && counts.every(([, count]) => typeof count === 'number')) return <Counts counts={counts} />
  const text = JSON.stringify(value, null, isShort ? 0 : 2)
  return isShort ? <code className="mw-cell">{text}</code> : <pre className="mw-code">{text}</pre>
}

interface CountsProps {
  readonly counts: readonly (readonly [key: string, count: unknown])[]
}

/** Shows numbers by their names: those that are not zero. */
function Counts({ counts }: CountsProps) {
  const shown = counts.filter(([, count]) => count !== 0)
  if (shown.length === 0) return <>{t('state.unchanged')}</>
  return <span>{shown.map(([key, count]) => `${labelOf(key)} ${formatNumber(Number(count))}`).join(', ')}</span>
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
