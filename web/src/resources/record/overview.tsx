import {
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { labelOf, t } from '../../words/words.ts'
import { Cell } from '../cell.tsx'
import type { Column } from '../description.ts'
import { type ApiRecord, findResource } from '../resources.ts'
import { loadNames } from './named-ids.ts'
import { Reveal } from './reveal.tsx'

interface OverviewProps {
  readonly record: ApiRecord
  readonly columns: readonly Column[]
  /** The path of the record in the API; absent for a past one, whose hidden values nobody knows. */
  readonly path?: string
}

/** Shows every value that no other part of the page shows; the names of empty ones are listed below. */
export function Overview({ record, columns, path }: OverviewProps) {
  const keys = new Set(columns.map(({ key }) => key))
  const isShown = ({ key, kind }: Column) =>
    record[key] !== undefined &&
    !/^(?:parameters|permissions|ancestry)$|^inherited_/.test(key) &&
    !keys.has(`${key}_name`) &&
    !keys.has(`${key}_label`) &&
    !(key === 'user_id' && keys.has('requested_by')) &&
    kind !== 'records' &&
    !(key.endsWith('_id') && (keys.has(key.replace(/_id$/, '_name')) || keys.has(key.replace(/_id$/, ''))))
  const { full = [], empty = [] } = Object.groupBy(columns.filter(isShown), ({ key }) =>
    isEmpty(record[key]) ? 'empty' : 'full',
  )
  return (
    <>
      <DescriptionList isHorizontal isCompact columnModifier={{ default: '1Col', '2xl': '2Col' }}>
        {full.map((column) => (
          <DescriptionListGroup key={column.key}>
            <DescriptionListTerm>
              <span title={column.doc}>{labelOf(column.key)}</span>
            </DescriptionListTerm>
            <DescriptionListDescription className="mw-value">
              {path && record['hidden_value?'] === true && HIDEABLE.test(column.key) ? (
                <Reveal name={labelOf(column.key)} path={path} readValue={(body) => body[column.key]} />
              ) : (
                <Value record={record} column={column} />
              )}
            </DescriptionListDescription>
          </DescriptionListGroup>
        ))}
      </DescriptionList>
      {empty.length > 0 && (
        <p className="mw-related">
          {t('record.without', { names: [...new Set(empty.map(({ key }) => labelOf(key)))].join(', ') })}
        </p>
      )}
    </>
  )
}

/** Values that a record may hide. */
const HIDEABLE = /^(?:value|default_value)$/

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

type ValueProps = Required<Pick<OverviewProps, 'record'>> & { readonly column: Column }

/** Shows a value; where the record has an id and no name beside it, the name is looked up. */
function Value({ record, column }: ValueProps) {
  const target = findResource(column.target ?? '')
  const id = record[column.key]
  const isBare = column.idKey === column.key && typeof id === 'number' && target?.within === null
  const { data } = useQuery({
    queryKey: ['name of a record', target?.plural, id],
    enabled: isBare,
    queryFn: ({ signal }) => loadNames(target?.plural ?? '', [Number(id)], signal),
  })
  return <Cell record={record} column={column} name={isBare ? data?.get(id) : undefined} />
}
