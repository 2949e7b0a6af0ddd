import { Page, PageSection, SkipToContent } from '@patternfly/react-core'
import { Suspense, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { Outlet, useLocation, useNavigation } from 'react-router'
import { t } from '../words/words.ts'
import { useGo } from './link.tsx'
import { Loading } from './loading.tsx'
import { loadLoginDialog } from './login-dialog-later.tsx'
import { Masthead } from './masthead.tsx'
import { Navigation } from './navigation.tsx'
import { Notices, notify } from './notices.tsx'
import { useShortcut } from './shortcuts.ts'

const MAIN = 'main'

type PaletteModule = typeof import('./palette.tsx')

let palette: PaletteModule | null = null

async function loadPalette(): Promise<void> {
  palette ??= await import('./palette.tsx')
}

/** What surrounds every page: masthead, navigation, palette and notices. */
export function Shell() {
  const [paletteIsOpen, setPaletteIsOpen] = useState(false)
  const { state } = useNavigation()
  const go = useGo()
  // With the key that asks for it, before what is rendered when there is time: keys that follow are for the palette.
  const showPalette = () => flushSync(() => setPaletteIsOpen(true))
  const openPalette = () => {
    if (palette) setPaletteIsOpen(true)
    else loadPalette().then(showPalette, () => notify('danger', t('error.network'), t('error.network.text')))
  }
  useShortcut('palette', openPalette)
  useShortcut('help', () => go('/shortcuts'))
  useFocusOnNewPage()
  useDialogsAhead()
  return (
    <>
      <Page
        masthead={<Masthead openPalette={openPalette} />}
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
      {paletteIsOpen && palette && <palette.Palette close={() => setPaletteIsOpen(false)} />}
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

/** Moves the focus to the beginning of a new page, for keyboard and screen reader users, but not away from a notice. */
function useFocusOnNewPage(): void {
  const { pathname } = useLocation()
  const [first] = useState(pathname)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what makes a page another one
  useEffect(() => {
    if (pathname === first || document.activeElement?.closest('[aria-live]')) return
    document.querySelector<HTMLElement>(`#${MAIN}`)?.focus()
  }, [pathname])
}

/** Loads the dialogs of all pages with the first key or press, so that they open at once. */
function useDialogsAhead(): void {
  useEffect(() => {
    const dialogs = new AbortController()
    const load = () => {
      dialogs.abort()
      // A failure is reported when a dialog opens.
      void Promise.allSettled([loadPalette(), loadLoginDialog()])
    }
    for (const name of ['keydown', 'pointerdown']) addEventListener(name, load, { signal: dialogs.signal })
    return () => dialogs.abort()
  }, [])
}
