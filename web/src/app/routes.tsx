import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { Failed } from '../shell/failed.tsx'
import { Gate } from '../shell/gate.tsx'
import { Loading } from '../shell/loading.tsx'
import { PAGES, type Page } from './pages.ts'

const FOLDERS = import.meta.glob<{ readonly Page: ComponentType }>('../pages/*/page.tsx')

/** Pages made by hand come first; every resource has the others. Each is loaded when somebody goes there. */
export const routes: RouteObject[] = [
  {
    element: <Gate />,
    errorElement: <Failed />,
    hydrateFallbackElement: <Loading />,
    children: [
      {
        errorElement: <Failed />,
        children: [
          // Before pages such as `roles/:id`, which count as much: `new` is the id of nothing.
          { path: ':resource/new', lazy: formPage },
          ...PAGES.map((page): RouteObject => ({ path: page.path, lazy: () => loadPage(page) })),
          { path: ':resource', lazy: listPage },
          { path: ':resource/:id', lazy: recordPage },
          { path: ':resource/:id/edit', lazy: formPage },
          { path: ':parent/:parentId/:resource', lazy: listPage },
          { path: ':parent/:parentId/:resource/new', lazy: formPage },
          { path: ':parent/:parentId/:resource/:id', lazy: recordPage },
          { path: ':parent/:parentId/:resource/:id/edit', lazy: formPage },
          { path: '*', element: <Failed isUnknown /> },
        ],
      },
    ],
  },
]

async function loadPage({ folder }: Page) {
  const load = FOLDERS[`../pages/${folder}/page.tsx`]
  if (!load) throw new Error(`There is no folder pages/${folder}`)
  return { Component: (await load()).Page }
}

async function listPage() {
  return { Component: (await import('../resources/list/page.tsx')).ListPage }
}

async function recordPage() {
  return { Component: (await import('../resources/record/page.tsx')).RecordPage }
}

async function formPage() {
  return { Component: (await import('../resources/form/page.tsx')).FormPage }
}
