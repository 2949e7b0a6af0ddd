import {
  Button,
  HelperTextItem as PlainHelperTextItem,
  LabelGroup as PlainLabelGroup,
  Modal as PlainModal,
  ModalHeader as PlainModalHeader,
  Pagination as PlainPagination,
  Tabs as PlainTabs,
} from '@patternfly/react-core'
import CloseIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-close-icon'
import type { ComponentProps } from 'react'
import { formatNumber, t } from '../words/words.ts'

// More parts of PatternFly with the words of the catalogue. The frame of all pages does without them.

const HELP = {
  default: 'help.info',
  indeterminate: 'help.info',
  warning: 'help.warning',
  success: 'help.success',
  error: 'help.error',
} as const

export function HelperTextItem({ variant = 'default', ...rest }: ComponentProps<typeof PlainHelperTextItem>) {
  return <PlainHelperTextItem screenReaderText={t(HELP[variant])} {...rest} variant={variant} />
}

export function LabelGroup(props: Omit<ComponentProps<typeof PlainLabelGroup>, 'ref'>) {
  return (
    <PlainLabelGroup
      // Said of the group as a whole, where it is not said of what.
      aria-label={t('value.several')}
      collapsedText={t('action.more')}
      expandedText={t('action.hide')}
      {...props}
    />
  )
}

/** A dialog; its button to close it stands before what it holds, and looks as PatternFly has it. */
export function Modal({ onClose, children, ...rest }: Omit<ComponentProps<typeof PlainModal>, 'ref'>) {
  return (
    <PlainModal {...rest} {...(onClose && { onEscapePress: onClose })}>
      {onClose && (
        <div className="pf-v6-c-modal-box__close">
          <Button variant="plain" aria-label={t('action.close')} icon={<CloseIcon />} onClick={onClose} />
        </div>
      )}
      {children}
    </PlainModal>
  )
}

export function ModalHeader(props: ComponentProps<typeof PlainModalHeader>) {
  return <PlainModalHeader {...(props.titleIconVariant && { titleScreenReaderText: t('alert.warning') })} {...props} />
}

/** Where the number of all is an estimate, `isAbout` is true. */
export function Pagination({
  isAbout = false,
  ...props
}: ComponentProps<typeof PlainPagination> & { isAbout?: boolean }) {
  return (
    <PlainPagination
      titles={{
        itemsPerPage: t('page.items'),
        perPageSuffix: t('page.each'),
        toFirstPageAriaLabel: t('page.first'),
        toPreviousPageAriaLabel: t('page.previous'),
        toNextPageAriaLabel: t('page.next'),
        toLastPageAriaLabel: t('page.last'),
        currPageAriaLabel: t('page.current'),
        paginationAriaLabel: t('page.all'),
        ofWord: t('page.of'),
      }}
      toggleTemplate={({ firstIndex = 0, lastIndex = 0, itemCount = 0 }) => (
        <>
          <b>
            {formatNumber(firstIndex)} - {formatNumber(lastIndex)}
          </b>{' '}
          {t(isAbout ? 'page.of_about' : 'page.of')} <b>{formatNumber(itemCount)}</b>
        </>
      )}
      {...props}
    />
  )
}

export function Tabs(props: Omit<ComponentProps<typeof PlainTabs>, 'ref'>) {
  return (
    <PlainTabs
      backScrollAriaLabel={t('tabs.back')}
      forwardScrollAriaLabel={t('tabs.forward')}
      leftScrollAriaLabel={t('tabs.back')}
      rightScrollAriaLabel={t('tabs.forward')}
      {...props}
    />
  )
}
