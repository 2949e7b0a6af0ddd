import { ExpandableSection } from '@patternfly/react-core'
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table'
import { t } from '../../words/words.ts'

interface CertificatesProps {
  readonly presented: {
    readonly server: string
    readonly protocol: string | null
    readonly chain: readonly Certificate[]
  }
}

interface Certificate {
  readonly subject: string
  readonly issuer: string
  readonly valid_to: string
  readonly fingerprint256: string
}

/** Shows the certificates that a server presented, so that the user can decide whether to trust them. */
export function Certificates({ presented: { server, protocol, chain } }: CertificatesProps) {
  return (
    <ExpandableSection toggleText={t('directory.certificates', { server, protocol: protocol ?? '' })}>
      <div className="mw-scroll">
        <Table aria-label={t('directory.certificates', { server, protocol: protocol ?? '' })} variant="compact">
          <Thead>
            <Tr>
              <Th>{t('directory.subject')}</Th>
              <Th>{t('directory.issuer')}</Th>
              <Th>{t('directory.until')}</Th>
              <Th>{t('directory.fingerprint')}</Th>
            </Tr>
          </Thead>
          <Tbody>
            {chain.map((one) => (
              <Tr key={one.fingerprint256}>
                <Td dataLabel={t('directory.subject')}>{one.subject}</Td>
                <Td dataLabel={t('directory.issuer')}>{one.issuer}</Td>
                <Td dataLabel={t('directory.until')}>{one.valid_to}</Td>
                <Td dataLabel={t('directory.fingerprint')} className="mw-value">
                  {one.fingerprint256}
                </Td>
              </Tr>
            ))}
          </Tbody>
        </Table>
      </div>
    </ExpandableSection>
  )
}
