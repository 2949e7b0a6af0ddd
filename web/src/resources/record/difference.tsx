interface DifferenceProps {
  readonly before: string
  readonly after: string
}

/** Lines beside a change that show where it is. */
const AROUND = 2

/** Two texts of several lines as one: what both begin and end with is left out, but for a little. */
export function Difference({ before, after }: DifferenceProps) {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const most = Math.min(old.length, now.length)
  let first = 0
  while (first < most && old[first] === now[first]) first++
  let last = 0
  while (last < most - first && old.at(-1 - last) === now.at(-1 - last)) last++
  const parts = [
    { Tag: 'span', lines: old.slice(Math.max(0, first - AROUND), first), sign: ' ' },
    { Tag: 'del', lines: old.slice(first, old.length - last), sign: '-' },
    { Tag: 'ins', lines: now.slice(first, now.length - last), sign: '+' },
    { Tag: 'span', lines: now.slice(now.length - last, now.length - last + AROUND), sign: ' ' },
  ] as const
  return (
    <pre className="mw-code">
      {parts.map(({ Tag, lines, sign }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: there are always these four
        <Tag key={place}>{lines.map((line) => `${sign} ${line}\n`).join('')}</Tag>
      ))}
    </pre>
  )
}
