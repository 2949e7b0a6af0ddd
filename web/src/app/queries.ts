import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/error.ts'

/** The cache of queries for all pages. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: isWorthAnotherTry, staleTime: 5000 },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Tells whether to repeat a query: only after errors that may pass quickly. */
function isWorthAnotherTry(count: number, error: Error): boolean {
  return count < 2 && error instanceof ApiError && error.problem === 'unavailable'
}
