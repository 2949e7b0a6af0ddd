import { Tbody, Td, Tr } from '@patternfly/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react'

interface SeenRowsProps {
  readonly count: number
  /** The number of cells in a row. */
  readonly width: number
  readonly row: (index: number, measured: Ref<HTMLTableRowElement> | undefined) => ReactNode
}

/** The number of rows up to which all are in the document, so that the browser can search and print them. */
const MOST_AT_ONCE = 200
const ROW_HEIGHT = 54
const AROUND = 10

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
    scrollMargin: above,
    useFlushSync: false,
  })
  const items = virtualizer.getVirtualItems()
  const before = (items[0]?.start ?? above) - above
  const behind = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? above) - above)
  return (
    <Tbody ref={body}>
      <Space height={before} width={width} />
      {items.map(({ index }) => row(index, virtualizer.measureElement))}
      <Space height={behind} width={width} />
    </Tbody>
  )
}

interface SpaceProps {
  readonly height: number
  readonly width: number
}

/** Fills the space of rows that are not in the document. */
function Space({ height, width }: SpaceProps) {
  if (height <= 0) return null
  return (
    <Tr aria-hidden="true" className="mw-space">
      <Td colSpan={width} style={{ blockSize: height }} />
    </Tr>
  )
}

/** Finds the element that scrolls: the nearest one around that is lower than its content, otherwise the page. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let one = element.parentElement; one !== null; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight) return one
  return document.documentElement
}
