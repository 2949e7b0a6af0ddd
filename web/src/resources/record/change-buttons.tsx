import { Dropdown, DropdownItem, DropdownList, MenuToggle } from '@patternfly/react-core'
import EllipsisIcon from '@patternfly/react-icons/dist/esm/icons/ellipsis-v-icon'
import { type ReactNode, useState } from 'react'
import { LinkButton } from '../../shell/link.tsx'
import { useOffer } from '../../shell/offers.ts'
import { t } from '../../words/words.ts'

/** An action in the menu of a record. */
export interface MenuAction {
  readonly title: string
  readonly act: () => void
}

interface ChangeButtonsProps {
  /** The path of the record's page. */
  readonly self: string
  readonly mayEdit: boolean
  /** The actions in the menu, before the deletion. */
  readonly more?: readonly MenuAction[]
  /** Absent: the caller may not delete it. */
  readonly onDelete?: (() => void) | undefined
  /** Buttons before the menu. */
  readonly children?: ReactNode
}

/** The buttons in the heading of a record. A deletion is the last entry of the menu, apart from what is pressed every day. */
export function ChangeButtons({ self, mayEdit, more = [], onDelete, children }: ChangeButtonsProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      {mayEdit && (
        <LinkButton to={`${self}/edit`} variant="primary">
          {t('action.edit')}
        </LinkButton>
      )}{' '}
      {children}{' '}
      {(more.length > 0 || onDelete) && (
        <Dropdown
          isOpen={isOpen}
          onOpenChange={setIsOpen}
          onSelect={() => setIsOpen(false)}
          popperProps={{ position: 'end' }}
          toggle={(toggle) => (
            <MenuToggle
              ref={toggle}
              variant="plain"
              isExpanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
              aria-label={t('record.more')}
              icon={<EllipsisIcon />}
            />
          )}
        >
          <DropdownList>
            {more.map(({ title, act }) => (
              <DropdownItem key={title} onClick={act}>
                {title}
              </DropdownItem>
            ))}
            {onDelete && (
              <DropdownItem isDanger onClick={onDelete}>
                {t('action.delete')}
              </DropdownItem>
            )}
          </DropdownList>
        </Dropdown>
      )}
      {more.map((action) => (
        <Offered key={action.title} {...action} />
      ))}
      {onDelete && <Offered title={t('action.delete')} act={onDelete} />}
    </>
  )
}

/** Offers an action of the menu in the palette, too. */
function Offered({ title, act }: MenuAction) {
  useOffer(title, act)
  return null
}
