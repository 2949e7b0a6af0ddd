import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/error.ts'

/** What has been asked of the service, once for all pages. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: isWorthAnotherTry, staleTime: 5000 },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Only what may be different the next moment is asked again by itself. */
function isWorthAnotherTry(count: number, error: Error): boolean {
  return count < 2 && error instanceof ApiError && error.problem === 'unavailable'
}
