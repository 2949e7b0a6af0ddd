import '@patternfly/react-core/dist/styles/base.css'
import './app.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { BASE } from '../api/client.ts'
import { ApiError } from '../api/error.ts'
import { openSession } from '../api/session.ts'
import { followTheme } from '../shell/theme.ts'
import { loadWords } from '../words/words.ts'
import { routes } from './routes.tsx'

followTheme()
const queries = new QueryClient({
  defaultOptions: {
    queries: { networkMode: 'always', retry: isWorthAnotherTry, staleTime: 5000 },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Only what may be different the next moment is asked again by itself. */
function isWorthAnotherTry(count: number, error: Error): boolean {
  return count < 2 && error instanceof ApiError && error.problem === 'unavailable'
}

await Promise.all([loadWords(), openSession()])
const router = createBrowserRouter(routes, { basename: BASE.replace(/(.)\/$/, '$1') })
createRoot(document.querySelector('#root') ?? document.body).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
