import { Tbody, Td, Tr } from '@patternfly/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type Ref, useLayoutEffect, useRef, useState } from 'react'

interface SeenRowsProps {
  readonly count: number
  /** How many cells a row has. */
  readonly width: number
  readonly row: (index: number, measured: Ref<HTMLTableRowElement> | undefined) => ReactNode
}

/** Up to so many rows are simply there, for the search of the browser and for those who print. */
const MOST_AT_ONCE = 200
const ROW_HEIGHT = 54
const AROUND = 10

/** The body of a table; of a long one only the rows that can be seen, and some around them. */
export function SeenRows(props: SeenRowsProps) {
  if (props.count > MOST_AT_ONCE) return <LongBody {...props} />
  return <Tbody>{Array.from({ length: props.count }, (_, index) => props.row(index, undefined))}</Tbody>
}

function LongBody({ count, width, row }: SeenRowsProps) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const [above, setAbove] = useState(0)
  // What stands above the table has its height only when it is laid out.
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

/** The place of rows that are not there. */
function Space({ height, width }: SpaceProps) {
  if (height <= 0) return null
  return (
    <Tr aria-hidden="true" className="mw-space">
      <Td colSpan={width} style={{ blockSize: height }} />
    </Tr>
  )
}

/** What moves when somebody scrolls: the first box around it that is lower than what it holds, else the page. */
function scrollerOf(element: HTMLElement): HTMLElement {
  for (let one = element.parentElement; one !== null; one = one.parentElement)
    if (/auto|scroll/.test(getComputedStyle(one).overflowY) && one.scrollHeight > one.clientHeight) return one
  return document.documentElement
}
