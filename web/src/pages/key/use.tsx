import { Button, Card, CardBody, CardTitle, Gallery, Progress } from '@patternfly/react-core'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import type { AboveProps } from '../../resources/record/page.tsx'
import { Copyable } from '../../shell/copyable.tsx'
import { Link } from '../../shell/link.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { formatNumber, t } from '../../words/words.ts'
import { Drift } from './drift.tsx'

/** Shows how many uses a key has left, how to register hosts with it, and which hosts differ from it. */
export function Use({ record }: AboveProps) {
  return (
    <Gallery hasGutter minWidths={{ default: '100%', lg: '360px' }}>
      <Places record={record} />
      <Command record={record} />
      <Drift id={Number(record.id)} organization={Number(record.organization_id)} />
    </Gallery>
  )
}

function Places({ record }: Pick<AboveProps, 'record'>) {
  const used = Number(record.usage_count)
  const all = record.unlimited_hosts === true ? null : Number(record.max_hosts)
  const hosts = `/hosts?search=${encodeURIComponent(`activation_key_id = ${Number(record.id)}`)}`
  const title = t('key.places')
  return (
    <Card component="section" aria-label={title}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        {all === null ? (
          <Link to={hosts}>{t('key.unlimited', { used: formatNumber(used) })}</Link>
        ) : (
          <>
            <Link to={hosts}>{t('dashboard.places', { used: formatNumber(used), all: formatNumber(all) })}</Link>
            <Progress
              aria-label={title}
              value={all === 0 ? 100 : Math.min(100, Math.round((used / all) * 100))}
              variant={used >= all ? 'danger' : used >= all * 0.8 ? 'warning' : undefined}
            />
          </>
        )}
        {record.enabled === false && <Alert variant="warning" isInline isPlain title={t('key.disabled')} />}
      </CardBody>
    </Card>
  )
}

/** Creates the registration command only on demand, because it contains a token that registers hosts. */
function Command({ record }: Pick<AboveProps, 'record'>) {
  const mayRegister = may(useCaller(), ['register_hosts'])
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () =>
      api.POST('/api/registration_commands', {
        body: {
          registration_command: {
            organization_id: Number(record.organization_id),
            activation_keys: [String(record.name)],
          },
        },
      }),
  })
  if (!mayRegister) return null
  const title = t('key.register')
  const command = data?.data?.registration_command
  return (
    <Card component="section" aria-label={title}>
      <CardTitle component="h2">{title}</CardTitle>
      <CardBody>
        <p>{t('key.register.text')}</p>
        <Button variant="secondary" isDisabled={isPending} onClick={() => mutate()}>
          {t('key.command')}
        </Button>
        {error !== null && <ProblemAlert error={error} retry={mutate} />}
        {command !== undefined && <Copyable text={command} label={t('key.command.value')} />}
      </CardBody>
    </Card>
  )
}
