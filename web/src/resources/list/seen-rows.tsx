import { Tbody } from '@patternfly/react-table'
import { type Range, useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react'

interface SeenRowsProps {
  readonly count: number
  /** The number of cells in a row. */
  readonly width: number
  readonly row: (index: number, measured: Ref<HTMLTableRowElement> | undefined) => ReactNode
}

/** The number of rows up to which all are in the document, so that the browser can search and print them. */
const MOST_AT_ONCE = 200
const ROW_HEIGHT = 40
const AROUND = 8
/** The number of rows that come and go together: most frames of a scroll then change nothing of the document. */
const TOGETHER = 8

/** The body of a table; of a long one only the visible rows and some around them. */
export function SeenRows(props: SeenRowsProps) {
  if (props.count > MOST_AT_ONCE) return <LongBody {...props} />
  return <Tbody>{Array.from({ length: props.count }, (_, index) => props.row(index, undefined))}</Tbody>
}

function LongBody({ count, width, row }: SeenRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [above, setAbove] = useState(0)
  // The height above the table is known only after the layout.
  useLayoutEffect(() => {
    if (!body.current) return
    const found = scrollerOf(body.current)
    setScroller(found)
    setAbove(body.current.getBoundingClientRect().top - found.getBoundingClientRect().top + found.scrollTop)
  }, [])
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => ROW_HEIGHT,
    overscan: AROUND,
    rangeExtractor: listTogether,
    scrollMargin: above,
    useFlushSync: false,
  })
  const { measureElement } = virtualizer
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? above) - above
  const behind = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? above) - above)
  return (
    <Tbody ref={body}>
      <Space height={before} width={width} />
      {items
        .filter(({ index }) => index % TOGETHER === 0)
        .map(({ index }) => (
          <Some key={index} first={index} end={Math.min(index + TOGETHER, count)} row={row} measured={measureElement} />
        ))}
      <Space height={behind} width={width} />
    </Tbody>
  )
}

/**
 * Lists the rows in sight and those around them, in whole groups. What is added and what is removed while the page scrolls
 * changes in one step, because the number of groups depends on the height of the window alone.
 */
function listTogether({ startIndex, endIndex, overscan, count }: Range): number[] {
  const groups = Math.ceil((endIndex - startIndex + 2 * overscan) / TOGETHER) + 1
  const first = Math.max(0, Math.floor((startIndex - overscan) / TOGETHER) * TOGETHER)
  const end = Math.min(count, first + groups * TOGETHER)
  return Array.from({ length: Math.max(0, end - first) }, (_, place) => first + place)
}

interface SomeProps extends Pick<SeenRowsProps, 'row'> {
  readonly first: number
  readonly end: number
  readonly measured: Ref<HTMLTableRowElement>
}

/** Rendered only when its rows change, not for each step of a scroll. */
const Some = memo(function Some({ first, end, row, measured }: SomeProps) {
  return <>{Array.from({ length: end - first }, (_, place) => row(first + place, measured))}</>
})

interface SpaceProps {
  readonly height: number
  readonly width: number
}

/** Fills the space of rows that are not in the document. */
function Space({ height, width }: SpaceProps) {
  if (height <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nobody can move to a row, and this one is empty
    <tr aria-hidden="true" className="pf-v6-c-table__tr mw-space">
      <td className="pf-v6-c-table__td" colSpan={width} style={{ blockSize: height }} />
    </tr>
  )
}

/** Finds the element that scrolls: the nearest one around that is lower than its content, otherwise the page. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let one = element.parentElement; one !== null; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight) return one
  return document.documentElement
}
