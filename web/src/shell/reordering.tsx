import { Button } from '@patternfly/react-core'
import GripVerticalIcon from '@patternfly/react-icons/dist/esm/icons/grip-vertical-icon'
import { type DragEvent, type HTMLAttributes, type KeyboardEvent, useRef, useState } from 'react'
import { t } from '../words/words.ts'

type Move = (from: number, to: number) => void
type Dragged = Pick<HTMLAttributes<HTMLElement>, 'draggable' | 'onDragStart' | 'onDragEnd'>

/** Reorders rows by dragging them by their grips. */
export function useReordering(move: Move) {
  const from = useRef<number | null>(null)
  const [over, setOver] = useState<number | null>(null)
  const end = () => {
    from.current = null
    setOver(null)
  }
  return {
    /** Yields the properties of a row on which others can be dropped. */
    row: (place: number) => ({
      'data-dropped-on': over === place || undefined,
      onDragOver: (event: DragEvent) => {
        if (from.current === null) return
        event.preventDefault()
        setOver(place)
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault()
        if (from.current !== null && from.current !== place) move(from.current, place)
        end()
      },
    }),
    /** Yields the properties of the grip by which a row is dragged. */
    grip: (place: number): Dragged => ({
      draggable: true,
      onDragStart: (event: DragEvent) => {
        from.current = place
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', String(place))
        const row = event.currentTarget.closest('li, tr')
        if (row) event.dataTransfer.setDragImage(row, 0, 0)
      },
      onDragEnd: end,
    }),
  }
}

interface GripProps {
  /** The name of what is moved. */
  readonly name: string
  readonly place: number
  readonly count: number
  readonly move: Move
  readonly grip: Dragged
}

/** The grip of a row, which is dragged or moved with the arrow keys; the new position is announced to screen readers. */
export function Grip({ name, place, count, move, grip }: GripProps) {
  const [isMoved, setIsMoved] = useState(false)
  const hear = (event: KeyboardEvent) => {
    const to = event.key === 'ArrowUp' ? place - 1 : event.key === 'ArrowDown' ? place + 1 : null
    if (to === null) return
    event.preventDefault()
    if (to < 0 || to >= count) return
    setIsMoved(true)
    move(place, to)
  }
  return (
    <>
      <Button
        onBlur={() => setIsMoved(false)}
        variant="plain"
        size="sm"
        className="mw-grip"
        icon={<GripVerticalIcon />}
        aria-label={t('order.grip', { name, place: place + 1, count })}
        aria-keyshortcuts="ArrowUp ArrowDown"
        onKeyDown={hear}
        {...grip}
      />
      <span role="status" className="pf-v6-screen-reader">
        {isMoved && t('order.moved', { name, place: place + 1, count })}
      </span>
    </>
  )
}
