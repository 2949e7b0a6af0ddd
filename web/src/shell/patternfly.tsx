import { Alert as PlainAlert, Spinner as PlainSpinner } from '@patternfly/react-core'
import type { ComponentProps } from 'react'
import { t } from '../words/words.ts'

// What PatternFly says of itself is English: here are the parts that do, with the words of the catalogue. Pages import them from here,
// and from patternfly-parts.tsx those that the first page does not show.

const ALERTS = {
  success: 'alert.success',
  danger: 'alert.danger',
  warning: 'alert.warning',
  info: 'alert.info',
  custom: 'alert.info',
} as const

export function Alert({ variant = 'custom', ...rest }: ComponentProps<typeof PlainAlert>) {
  return <PlainAlert variantLabel={t(ALERTS[variant])} {...rest} variant={variant} />
}

export function Spinner(props: ComponentProps<typeof PlainSpinner>) {
  return <PlainSpinner aria-valuetext={t('app.loading')} aria-label={t('app.loading')} {...props} />
}
