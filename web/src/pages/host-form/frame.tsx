import { Button } from '@patternfly/react-core'
import type { FrameProps } from '../../resources/form/parts.ts'
import { isRows, type Rows, withRow } from '../../resources/form/values.ts'
import { type ApiRecord, recordsOf, textOf } from '../../resources/resources.ts'
import { INHERITABLE } from '../../resources/taken.ts'
import { t } from '../../words/words.ts'
import { useChain } from '../host/origins.tsx'
import { textOfValue } from '../host/parameters.tsx'
import { From } from './from.tsx'
import { Inheriting } from './inheriting.tsx'
import { toChosenId } from './to-chosen-id.ts'

const LISTS: Readonly<Record<string, string>> = { configclass_ids: 'configclasses', config_group_ids: 'config_groups' }

/** Shows a field of a host with what the host group gives for it. */
export function HostFrame(props: FrameProps) {
  const { field, value, children } = props
  if (INHERITABLE.includes(field.key)) return <Inheriting {...props} />
  if (field.key === 'host_parameters_attributes' && isRows(value)) return <WithParameters {...props} rows={value} />
  const list = LISTS[field.key]
  return list === undefined ? children : <WithRecords {...props} list={list} />
}

interface WithRecordsProps extends FrameProps {
  /** The key of the records in a group. */
  readonly list: string
}

/** Lists the classes that a host has from its group and the groups above it, in addition to its own. */
function WithRecords({ values, list, children }: WithRecordsProps) {
  const groups = useChain('hostgroups', toChosenId(values.hostgroup_id)) ?? []
  const givers = groups.filter((group) => recordsOf(group[list] ?? []).length > 0)
  return (
    <div>
      {children}
      {givers.map((group) => (
        <div key={String(group.id)} className="mw-inherited">
          <bdi>
            {recordsOf(group[list])
              .map((one) => textOf(one, { label: 'name' }))
              .join(', ')}
          </bdi>
          <From group={group} />
        </div>
      ))}
    </div>
  )
}

interface WithParametersProps extends FrameProps {
  readonly rows: Rows
}

/** Lists the parameters that a host has from its group, unless it has one of the same name. */
function WithParameters({ field, values, rows, onChange, children }: WithParametersProps) {
  const groups = useChain('hostgroups', toChosenId(values.hostgroup_id)) ?? []
  const seen = new Set(rows.rows.map((row) => row.values.name))
  const given = groups.flatMap((group) =>
    recordsOf(group.parameters ?? []).flatMap((parameter) => {
      if (seen.has(String(parameter.name))) return []
      seen.add(String(parameter.name))
      return [{ group, parameter }]
    }),
  )
  const setHere = (parameter: ApiRecord) => {
    const next = withRow(rows, field.fields ?? [])
    const isHidden = parameter['hidden_value?'] === true
    const own = {
      name: String(parameter.name),
      parameter_type: String(parameter.parameter_type ?? 'string'),
      value: isHidden ? '' : textOfValue(parameter.value),
      hidden_value: isHidden,
    }
    const last = next.rows.length - 1
    onChange({ rows: next.rows.map((row, at) => (at === last ? { ...row, values: { ...row.values, ...own } } : row)) })
  }
  return (
    <div>
      {children}
      {given.map(({ group, parameter }) => (
        <div key={String(parameter.name)} className="mw-inherited">
          <bdi>{`${String(parameter.name)}: ${textOfValue(parameter.value)}`}</bdi>
          <From group={group} />
          <Button
            variant="link"
            isInline
            aria-label={`${t('inherit.set')}: ${String(parameter.name)}`}
            onClick={() => setHere(parameter)}
          >
            {t('inherit.set')}
          </Button>
        </div>
      ))}
    </div>
  )
}
