import { Button } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { Alert } from '../../shell/patternfly.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { FormField } from '../description.ts'
import { type FormValue, type FormValues, isRows, type Row } from './values.ts'

interface ChangedProps {
  readonly fields: readonly Pick<FormField, 'key'>[]
  readonly before: FormValues
  readonly mine: FormValues
  readonly theirs: FormValues
  readonly overwrite: () => void
  readonly take: () => void
}

/** Resolves a conflict: shows what somebody else has stored meanwhile beside what was typed, and asks which to keep. */
export function Changed({ fields, before, mine, theirs, overwrite, take }: ChangedProps) {
  const differs = fields.filter(
    ({ key }) => textOf(mine[key]) !== textOf(theirs[key]) || textOf(before[key]) !== textOf(theirs[key]),
  )
  return (
    <Alert
      variant="warning"
      isInline
      title={t('error.changed')}
      role="alert"
      actionLinks={
        <>
          <Button variant="secondary" onClick={overwrite}>
            {t('form.overwrite')}
          </Button>{' '}
          <Button variant="secondary" onClick={take}>
            {t('form.take')}
          </Button>
        </>
      }
    >
      {t('error.changed.text')}
      {differs.length > 0 && (
        <Table aria-label={t('error.changed')} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('form.field')}</Th>
              <Th>{t('form.theirs')}</Th>
              <Th>{t('form.mine')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {differs.map(({ key }) => (
              <Tr key={key}>
                <Td dataLabel={t('form.field')}>{labelOf(key)}</Td>
                <Td dataLabel={t('form.theirs')} className="mw-value">
                  {textOf(theirs[key])}
                </Td>
                <Td dataLabel={t('form.mine')} className="mw-value">
                  {textOf(mine[key])}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      )}
    </Alert>
  )
}

function textOf(value: FormValue | undefined): string {
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no')
  if (isRows(value)) return value.rows.map(textOfRow).join('; ')
  return typeof value === 'object' ? value.map(({ text }) => text).join(', ') : (value ?? '')
}

function textOfRow({ values }: Row): string {
  const said = Object.entries(values).filter(([key]) => !/password|secret/.test(key))
  return said.flatMap(([key, value]) => (textOf(value) === '' ? [] : [`${labelOf(key)}: ${textOf(value)}`])).join(', ')
}
