import {
  ActionList,
  ActionListGroup,
  Button,
  DescriptionList,
  DescriptionListDescription,
  DescriptionListGroup,
  DescriptionListTerm,
} from '@patternfly/react-core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useCaller } from '../../api/session.ts'
import { Loading } from '../../shell/loading.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { isProofMissing, Proof } from '../../shell/proof.tsx'
import { formatTime, labelOf, t } from '../../words/words.ts'

export type Decision = 'ask' | 'allow' | 'deny'

/** What a program asks for, as the service shows it. */
interface Asked {
  readonly client_name: string
  readonly address: string
  readonly permissions: readonly string[] | null
  readonly expires_at?: string
}

interface ConsentProps {
  /** The code that was typed; null where none is needed. */
  readonly code: string | null
  readonly decide: (decision: Decision) => Promise<Asked | undefined>
  /** Leads back to the form of the code. */
  readonly giveUp?: () => void
}

/** Shows who asks for a login, from where and for what, and lets the caller decide. */
export function Consent({ code, decide, giveUp }: ConsentProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['consent', code],
    queryFn: async () => (await decide('ask')) ?? null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  const deciding = useMutation({ mutationFn: decide })
  const askAgain = () => void refetch()
  if (isProofMissing(error)) return <Proof proven={askAgain} />
  if (error)
    return (
      <>
        <ProblemAlert error={error} retry={askAgain} />
        {giveUp && (
          <Button variant="link" onClick={giveUp}>
            {t('consent.code.other')}
          </Button>
        )}
      </>
    )
  if (!data) return <Loading />
  if (deciding.isSuccess) {
    const isAllowed = deciding.variables === 'allow'
    return (
      <Alert
        variant={isAllowed ? 'success' : 'info'}
        isInline
        title={t(isAllowed ? 'consent.allowed' : 'consent.denied')}
      >
        {t('consent.back')}
      </Alert>
    )
  }
  return (
    <>
      <Facts asked={data} code={code} />
      <Alert variant="warning" isInline title={t('consent.warning')}>
        {t('consent.warning.text')}
      </Alert>
      {isProofMissing(deciding.error) && <Proof proven={() => deciding.reset()} />}
      {deciding.error && !isProofMissing(deciding.error) && (
        <ProblemAlert error={deciding.error} retry={() => deciding.reset()} />
      )}
      <ActionList className="mw-related">
        <ActionListGroup>
          <Button isDisabled={deciding.isPending} onClick={() => deciding.mutate('allow')}>
            {t('consent.allow')}
          </Button>
          <Button variant="secondary" isDisabled={deciding.isPending} onClick={() => deciding.mutate('deny')}>
            {t('consent.deny')}
          </Button>
        </ActionListGroup>
      </ActionList>
    </>
  )
}

interface FactsProps {
  readonly asked: Asked
  readonly code: string | null
}

function Facts({ asked, code }: FactsProps) {
  const { name, login } = useCaller()
  const facts = [
    [t('consent.program'), asked.client_name],
    [labelOf('address'), asked.address],
    [t('consent.as'), `${name} (${login})`],
    [t('consent.permissions'), asked.permissions?.join(', ') ?? t('consent.permissions.all')],
    ...(code === null ? [] : [[t('consent.code'), code.toUpperCase()] as const]),
    ...(asked.expires_at === undefined ? [] : [[t('consent.until'), formatTime(asked.expires_at)] as const]),
  ] as const
  return (
    <DescriptionList isHorizontal aria-label={t('consent.title')}>
      {facts.map(([term, text]) => (
        <DescriptionListGroup key={term}>
          <DescriptionListTerm>{term}</DescriptionListTerm>
          <DescriptionListDescription>
            <bdi>{text}</bdi>
          </DescriptionListDescription>
        </DescriptionListGroup>
      ))}
    </DescriptionList>
  )
}
