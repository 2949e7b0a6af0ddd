import { Button } from '@patternfly/react-core'
import DownIcon from '@patternfly/react-icons/dist/esm/icons/angle-down-icon'
import RightIcon from '@patternfly/react-icons/dist/esm/icons/angle-right-icon'
import { Td, Th, Tr } from '@patternfly/react-table'
import type { Ref } from 'react'
import { Link } from '../../shell/link.tsx'
import type { useReordering } from '../../shell/reordering.tsx'
import { nameOf, t } from '../../words/words.ts'
import type { Group } from './tree.ts'

interface GroupRowProps {
  readonly group: Group
  readonly place: number
  readonly measured: Ref<HTMLTableRowElement> | undefined
  readonly isClosed: boolean
  readonly toggle: () => void
  /** Null where the caller may not move groups. */
  readonly reordering: ReturnType<typeof useReordering> | null
  readonly move: () => void
}

/** A group of the tree: its name below that of its parent, and what it sets itself. */
export function GroupRow({ group, place, measured, isClosed, toggle, reordering, move }: GroupRowProps) {
  const { id, name, title, depth, hasChildren, fields, parameters } = group
  const dragged = reordering && { ...reordering.row(place), ...reordering.grip(place) }
  return (
    <Tr innerRef={measured} data-index={place} {...dragged}>
      <Th scope="row" dataLabel={nameOf('hostgroups', 'one')}>
        <span className="mw-level" style={{ paddingInlineStart: `${Math.min(depth, 10) * 1.5}rem` }}>
          {hasChildren ? (
            <Button
              variant="plain"
              size="sm"
              icon={isClosed ? <RightIcon /> : <DownIcon />}
              aria-expanded={!isClosed}
              aria-label={t('tree.below', { name: title })}
              onClick={toggle}
            />
          ) : (
            <span className="mw-leaf" />
          )}
          <Link to={`/hostgroups/${id}`} title={title} draggable={false}>
            <bdi>{name}</bdi>
          </Link>
        </span>
      </Th>
      <Td dataLabel={t('tree.adds')} className="mw-value">
        {fields.length + parameters.length === 0 && <span className="mw-hint">{t('tree.nothing')}</span>}
        {fields.map(({ label, value }) => (
          <div key={label}>
            {label}: <bdi>{value}</bdi>
          </div>
        ))}
        {parameters.map(({ label, value }) => (
          <div key={label}>
            {nameOf('parameters', 'one')}{' '}
            <code>
              <bdi>{label}</bdi> = <bdi>{value}</bdi>
            </code>
          </div>
        ))}
      </Td>
      {reordering && (
        <Td>
          <Button variant="link" isInline aria-label={t('tree.move', { name: title })} onClick={move}>
            {t('tree.save')}
          </Button>
        </Td>
      )}
    </Tr>
  )
}
