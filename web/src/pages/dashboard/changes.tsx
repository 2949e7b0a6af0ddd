import { List, ListItem } from '@patternfly/react-core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { api } from '../../api/client.ts'
import { scopeOf } from '../../api/scope.ts'
import { kindOf, wordOfAction } from '../../resources/what-changed.ts'
import { Link } from '../../shell/link.tsx'
import { formatTime, t } from '../../words/words.ts'
import { Card } from './card.tsx'

const SHOWN = '8'

/** The latest changes, with their authors. */
export function LastChanges() {
  const [parameters] = useSearchParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['dashboard', 'changes', scopeOf(parameters)],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/audits', { params: { query: { per_page: SHOWN, order: 'time DESC' } }, signal })).data,
  })
  return (
    <Card
      title={t('dashboard.changes')}
      error={error}
      retry={() => void refetch()}
      isLoading={!data}
      isEmpty={data?.results.length === 0}
    >
      <List isPlain>
        {data?.results.map((audit) => (
          <ListItem key={audit.id}>
            <Link to={`/audits/${audit.id}`}>
              {kindOf(audit.auditable_type)} <bdi>{audit.auditable_name}</bdi>
            </Link>{' '}
            {t('history.by', { action: wordOfAction(audit.action), user: audit.user_name ?? '?' })}{' '}
            <span className="mw-hint">{formatTime(audit.created_at)}</span>
          </ListItem>
        ))}
      </List>
      <Link className="mw-all" to="/audits">
        {t('dashboard.changes.all')}
      </Link>
    </Card>
  )
}
