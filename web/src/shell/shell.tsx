import { Page, PageSection, SkipToContent } from '@patternfly/react-core'
import { Suspense, useEffect, useState } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { t } from '../words/words.ts'
import { useGo } from './link.tsx'
import { Loading } from './loading.tsx'
import { Masthead } from './masthead.tsx'
import { Navigation } from './navigation.tsx'
import { Notices } from './notices.tsx'
import { Palette } from './palette.tsx'
import { useShortcut } from './shortcuts.ts'

const MAIN = 'main'

/** What surrounds every page: masthead, navigation, palette and notices. */
export function Shell() {
  const [paletteIsOpen, setPaletteIsOpen] = useState(false)
  const { state } = useNavigation()
  const go = useGo()
  useShortcut('palette', () => setPaletteIsOpen(true))
  useShortcut('help', () => go('/shortcuts'))
  useFocusOnNewPage()
  return (
    <>
      <Page
        masthead={<Masthead openPalette={() => setPaletteIsOpen(true)} />}
        sidebar={<Navigation />}
        skipToContent={
          <SkipToContent
            href={`#${MAIN}`}
            onClick={(event) => {
              event.preventDefault()
              document.querySelector<HTMLElement>(`#${MAIN}`)?.focus()
            }}
          >
            {t('app.skip')}
          </SkipToContent>
        }
        mainContainerId={MAIN}
        isManagedSidebar
        isContentFilled
      >
        <div className="mw-progress" role="status" aria-live="polite">
          {state === 'loading' && <span className="pf-v6-screen-reader">{t('app.loading')}</span>}
        </div>
        <Offline />
        <Suspense fallback={<Loading />}>
          <Outlet />
        </Suspense>
      </Page>
      <Notices />
      {paletteIsOpen && <Palette close={() => setPaletteIsOpen(false)} />}
    </>
  )
}

/** Tells that the network is down; everything on the page stays usable. */
function Offline() {
  const [isOnline, setIsOnline] = useState(navigator.onLine)
  useEffect(() => {
    const update = () => setIsOnline(navigator.onLine)
    for (const name of ['online', 'offline']) addEventListener(name, update)
    return () => {
      for (const name of ['online', 'offline']) removeEventListener(name, update)
    }
  }, [])
  if (isOnline) return null
  return (
    <PageSection variant="secondary" role="alert">
      {t('error.network')} {t('error.network.text')}
    </PageSection>
  )
}

/** Moves the focus to the beginning of a new page, for keyboard and screen reader users. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what makes a page another one
  useEffect(() => {
    if (pathname !== first) document.querySelector<HTMLElement>(`#${MAIN}`)?.focus()
  }, [pathname])
}
