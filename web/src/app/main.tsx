import '@patternfly/react-core/dist/styles/base.css'
import './app.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { createBrowserRouter } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { BASE } from '../api/client.ts'
import { openSession } from '../api/session.ts'
import { followTheme } from '../shell/theme.ts'
import { loadWords } from '../words/words.ts'
import { queries } from './queries.ts'
import { routes } from './routes.tsx'

followTheme()
// The requested page and its first data load while the session is still being checked.
const router = createBrowserRouter(routes, { basename: BASE.replace(/(.)\/$/, '$1') })
await Promise.all([loadWords(), openSession()])
createRoot(document.querySelector('#root') ?? document.body).render(
  <QueryClientProvider client={queries}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
)
