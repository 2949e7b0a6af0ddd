import { Loading } from './loading.tsx'
import { Problem } from './problem.tsx'

interface AwaitedProps {
  /** What a query has yielded so far. */
  readonly data: unknown
  readonly error: unknown
  readonly refetch: () => unknown
}

/** Shows why the data of a query could not be had, or that they are on their way; nothing once they are there. */
export function Awaited({ data, error, refetch }: AwaitedProps) {
  if (error) return <Problem error={error} retry={() => void refetch()} />
  return data ? null : <Loading />
}
