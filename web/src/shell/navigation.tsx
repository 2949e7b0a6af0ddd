import { Nav, NavExpandable, NavItem, NavList, PageSidebar, PageSidebarBody } from '@patternfly/react-core'
import { useLocation } from 'react-router'
import { mayUse } from '../api/allowed.ts'
import { type Caller, may, useCaller } from '../api/session.ts'
import { askRowsAhead, loadAhead } from '../app/ahead.ts'
import { type Group, LISTS, PAGES } from '../app/pages.ts'
import { findResource } from '../resources/resources.ts'
import { nameOf, t } from '../words/words.ts'
import { Link } from './link.tsx'

export interface Entry {
  readonly to: string
  readonly title: string
}

/** Lists the pages of a group that the caller may see, handmade or derived. */
export function entriesOf(group: Group, caller: Caller): Entry[] {
  return LISTS[group].flatMap((path) => {
    const page = PAGES.find((one) => one.path === path)
    const isSeen = page ? may(caller, page.permissions ?? []) : isListed(path, caller)
    return isSeen ? [{ to: `/${path}`, title: page ? t(page.title) : nameOf(path, 'many') }] : []
  })
}

export const GROUPS = Object.keys(LISTS) as Group[]

/** Yields the page that everybody begins with. */
export function entryOfDashboard(): Entry {
  return { to: '/', title: t('dashboard.title') }
}

function isListed(plural: string, caller: Caller): boolean {
  const resource = findResource(plural)
  return resource !== undefined && mayUse(caller, resource.operations.list, { resource, parent: null })
}

/** Loads a list in advance when the pointer is over its link. */
function prepare(to: string): void {
  const plural = to.slice(1)
  if (findResource(plural)) loadAhead(plural)
}

/** The navigation, with the pages that the caller may see. */
export function Navigation() {
  const caller = useCaller()
  const { pathname } = useLocation()
  const isActive = (to: string) => (to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`))
  const renderItem = ({ to, title }: Entry) => (
    <NavItem key={to} itemId={to} isActive={isActive(to)}>
      <Link
        to={to}
        aria-current={isActive(to) ? 'page' : undefined}
        onPointerEnter={() => prepare(to)}
        onFocus={() => prepare(to)}
        // A click follows some time later, when the finger is lifted.
        onPointerDown={({ button }) => button === 0 && findResource(to.slice(1)) && askRowsAhead(to.slice(1))}
      >
        {title}
      </Link>
    </NavItem>
  )
  return (
    <PageSidebar>
      <PageSidebarBody>
        <Nav aria-label={t('app.navigation')}>
          <NavList>
            {renderItem(entryOfDashboard())}
            {GROUPS.map((group) => {
              const entries = entriesOf(group, caller)
              if (entries.length === 0) return null
              const hasActive = entries.some(({ to }) => isActive(to))
              return (
                <NavExpandable
                  key={`${group} ${hasActive}`}
                  title={t(`nav.${group}`)}
                  isActive={hasActive}
                  isExpanded={hasActive || group === 'hosts'}
                >
                  {entries.map(renderItem)}
                </NavExpandable>
              )
            })}
          </NavList>
        </Nav>
      </PageSidebarBody>
    </PageSidebar>
  )
}
