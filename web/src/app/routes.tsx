import type { ComponentType } from 'react'
import { Outlet, type RouteObject } from 'react-router'
import { may, useCaller } from '../api/session.ts'
import { Failed } from '../shell/failed.tsx'
import { Gate } from '../shell/gate.tsx'
import { Heading } from '../shell/heading.tsx'
import { Loading } from '../shell/loading.tsx'
import { Refused } from '../shell/problem.tsx'
import { t, type Word } from '../words/words.ts'
import { askAhead } from './ahead.ts'
import { DERIVED, DERIVED_FIRST, PAGES, type Page } from './pages.ts'

const FOLDERS = import.meta.glob<{ readonly Page: ComponentType }>('../pages/*/page.tsx')

const LOADERS = { list: listPage, record: recordPage, form: loadFormPage }

/** Handmade pages come first; every resource has the derived ones. Each is loaded when it is opened. */
export const routes: RouteObject[] = [
  {
    element: <Gate />,
    errorElement: <Failed />,
    hydrateFallbackElement: <Loading />,
    children: [
      {
        errorElement: <Failed />,
        children: [
          { path: DERIVED_FIRST.path, lazy: loadFormPage },
          ...PAGES.map(routeOf),
          ...DERIVED.map(
            ({ path, kind }): RouteObject => ({
              path,
              lazy: LOADERS[kind],
              ...(kind === 'list' && { loader: askAhead }),
            }),
          ),
          { path: '*', element: <Failed isUnknown /> },
        ],
      },
    ],
  },
]

/** Builds the route of a handmade page; a missing permission is reported before the page is loaded. */
function routeOf(page: Page): RouteObject {
  const route = { path: page.path, lazy: () => loadPage(page) }
  if (!page.permissions) return route
  return { element: <Needs key={page.folder} title={page.title} permissions={page.permissions} />, children: [route] }
}

interface NeedsProps {
  readonly title: Word
  readonly permissions: readonly string[]
}

function Needs({ title, permissions }: NeedsProps) {
  if (may(useCaller(), permissions)) return <Outlet />
  return (
    <>
      <Heading title={t(title)} />
      <Refused permissions={permissions} />
    </>
  )
}

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

async function loadFormPage() {
  return { Component: (await import('../resources/form/page.tsx')).FormPage }
}
