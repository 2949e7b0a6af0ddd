import { Label, List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { sendRequest } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import type { components } from '../../generated/api.d.ts'
import { Link } from '../../shell/link.tsx'
import { formatNumber, formatTime, t } from '../../words/words.ts'
import { Card } from './card.tsx'

type Key = components['schemas']['ActivationKeyList']['results'][number]

const NEAR = 0.8
const SOON_MS = 14 * 86_400_000
const ORGANIZATIONS = 20

/** Lists activation keys that expire or run out of uses soon, or already have. */
export function Keys() {
  const [parameters] = useSearchParams()
  const scope = scopeOf(parameters)
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'keys', scope],
    queryFn: async ({ signal }): Promise<readonly Key[]> => {
      const organizations = scope.organization === null ? await loadOrganizations(signal) : [scope.organization]
      const lists = await Promise.all(organizations.map((id) => loadKeys(id, signal)))
      return lists.flat().filter((key) => isFull(key) || isEnding(key))
    },
  })
  return (
    <Card
      title={t('dashboard.keys')}
      error={error}
      retry={() => void refetch()}
      isLoading={false}
      isEmpty={!data?.length}
    >
      <List isPlain>
        {data?.map((key) => (
          <ListItem key={key.id}>
            <Link to={`/activation_keys/${key.id}?organization_id=${key.organization_id}`}>
              <bdi>{key.name}</bdi>
            </Link>{' '}
            {isFull(key) && (
              <Label isCompact color={key.usage_count >= (key.max_hosts ?? 0) ? 'red' : 'orange'}>
                {t('dashboard.places', { used: formatNumber(key.usage_count), all: formatNumber(key.max_hosts ?? 0) })}
              </Label>
            )}{' '}
            {isEnding(key) && key.expires_at !== null && (
              <Label isCompact color={new Date(timeOf(key.expires_at)) < new Date() ? 'red' : 'orange'}>
                {t('dashboard.ends', { time: formatTime(key.expires_at) })}
              </Label>
            )}
          </ListItem>
        ))}
      </List>
    </Card>
  )
}

async function loadOrganizations(signal: AbortSignal): Promise<string[]> {
  const { body } = await sendRequest('/api/organizations', { query: { per_page: ORGANIZATIONS }, signal })
  return (body.results as readonly { readonly id: number }[]).map(({ id }) => String(id)) // lists hold records
}

async function loadKeys(organization: string, signal: AbortSignal): Promise<readonly Key[]> {
  const query = { organization_id: organization, location_id: '', per_page: 200 }
  return (await sendRequest('/content/api/activation_keys', { query, signal })).body.results
}

function isFull({ unlimited_hosts, max_hosts, usage_count }: Key): boolean {
  return !unlimited_hosts && max_hosts !== null && usage_count >= max_hosts * NEAR
}

function isEnding({ expires_at }: Key): boolean {
  return expires_at !== null && new Date(timeOf(expires_at)).getTime() < Date.now() + SOON_MS
}

function timeOf(text: string): string {
  return text.replace(/^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/, '$1T$2Z')
}
