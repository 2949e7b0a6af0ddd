import {
  Button,
  Dropdown,
  DropdownItem,
  DropdownList,
  Masthead as Frame,
  MastheadBrand,
  MastheadContent,
  MastheadMain,
  MastheadToggle,
  MenuToggle,
  PageToggleButton,
  Toolbar,
  ToolbarContent,
  ToolbarItem,
} from '@patternfly/react-core'
import BarsIcon from '@patternfly/react-icons/dist/esm/icons/bars-icon'
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon'
import { useState } from 'react'
import { BASE } from '../api/client.ts'
import { logOut, useCaller } from '../api/session.ts'
import { t } from '../words/words.ts'
import { dropDrafts } from './drafts.ts'
import { Link, useGo } from './link.tsx'
import { useOffer } from './offers.ts'
import { ScopeSwitch } from './scope-switch.tsx'

interface MastheadProps {
  readonly openPalette: () => void
}

/** The head of every page: name, search, organization, location, and the user. */
export function Masthead({ openPalette }: MastheadProps) {
  return (
    <Frame>
      <MastheadMain>
        <MastheadToggle>
          <PageToggleButton aria-label={t('app.navigation')} variant="plain">
            <BarsIcon />
          </PageToggleButton>
        </MastheadToggle>
        <MastheadBrand>
          <Link to="/" className="mw-brand">
            {t('app.name')}
          </Link>
        </MastheadBrand>
      </MastheadMain>
      <MastheadContent>
        <Toolbar isStatic>
          <ToolbarContent>
            <ToolbarItem>
              <ScopeSwitch kind="organization" />
            </ToolbarItem>
            <ToolbarItem>
              <ScopeSwitch kind="location" />
            </ToolbarItem>
            <ToolbarItem align={{ default: 'alignEnd' }}>
              <Button
                variant="control"
                icon={<SearchIcon />}
                onClick={openPalette}
                aria-label={`${t('palette.open')} Ctrl K`}
                aria-keyshortcuts="Control+K Meta+K"
              >
                <span className="mw-wide">{t('palette.open')}</span> <kbd className="mw-wide">Ctrl K</kbd>
              </Button>
            </ToolbarItem>
            <ToolbarItem>
              <UserMenu />
            </ToolbarItem>
          </ToolbarContent>
        </Toolbar>
      </MastheadContent>
    </Frame>
  )
}

function UserMenu() {
  const [isOpen, setIsOpen] = useState(false)
  const caller = useCaller()
  const go = useGo()
  const leave = () => {
    dropDrafts()
    void logOut(BASE)
  }
  useOffer(t('login.out'), leave)
  return (
    <Dropdown
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      onSelect={() => setIsOpen(false)}
      popperProps={{ position: 'end' }}
      toggle={(toggle) => (
        <MenuToggle
          ref={toggle}
          isExpanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
          aria-label={`${caller.login}: ${t('user.menu')}`}
        >
          <bdi>{caller.login}</bdi>
        </MenuToggle>
      )}
    >
      <DropdownList>
        <DropdownItem onClick={() => go('/account')}>{t('account.title')}</DropdownItem>
        <DropdownItem onClick={() => go('/shortcuts')}>{t('help.shortcuts')}</DropdownItem>
        <DropdownItem to={`${BASE}docs`}>{t('help.api')}</DropdownItem>
        <DropdownItem onClick={leave}>{t('login.out')}</DropdownItem>
      </DropdownList>
    </Dropdown>
  )
}
