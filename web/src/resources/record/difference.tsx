import { diffLines } from 'diff'

interface DifferenceProps {
  readonly before: string
  readonly after: string
}

/** The number of unchanged lines that are shown beside a change. */
const AROUND = 2

/** Shows the difference of two texts; unchanged lines only beside changes. */
export function Difference({ before, after }: DifferenceProps) {
  const parts = diffLines(`${before}\n`, `${after}\n`)
  return (
    <pre className="mw-code mw-difference">
      {parts.map(({ added, removed, value }, place) => {
        const lines = value.slice(0, -1).split('\n')
        const [Tag, sign] = added
          ? (['ins', '+'] as const)
          : removed
            ? (['del', '-'] as const)
            : (['span', ' '] as const)
        const shown = added || removed ? lines : listLinesBeside(lines, place > 0, place < parts.length - 1)
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of two texts stay in their places
        return <Tag key={place}>{shown.map((line) => (line === null ? '⋯\n' : `${sign} ${line}\n`)).join('')}</Tag>
      })}
    </pre>
  )
}

/** Yields the unchanged lines to show between two changes; null marks omitted ones. */
function listLinesBeside(lines: readonly string[], isBehind: boolean, isBefore: boolean): readonly (string | null)[] {
  const [first, last] = [isBehind ? AROUND : 0, isBefore ? AROUND : 0]
  if (lines.length <= first + last + 1) return lines
  return [...lines.slice(0, first), null, ...lines.slice(lines.length - last)]
}
