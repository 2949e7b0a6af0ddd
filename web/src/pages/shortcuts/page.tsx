import { PageSection } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { Heading } from '../../shell/heading.tsx'
import { SHORTCUTS } from '../../shell/shortcuts.ts'
import { t } from '../../words/words.ts'

/** Lists all keyboard shortcuts. */
export function Page() {
  return (
    <>
      <Heading title={t('help.shortcuts')} />
      <PageSection>
        <Table aria-label={t('help.shortcuts')} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('shortcut.keys')}</Th>
              <Th>{t('shortcut.what')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {Object.entries(SHORTCUTS).map(([name, { keys, word }]) => (
              <Tr key={name}>
                <Td dataLabel={t('shortcut.keys')}>
                  {keys.map((key) => (
                    <kbd key={key} className="mw-key">
                      {key}
                    </kbd>
                  ))}
                </Td>
                <Td dataLabel={t('shortcut.what')}>{t(word)}</Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </PageSection>
    </>
  )
}
