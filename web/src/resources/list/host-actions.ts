import { useQueryClient } from '@tanstack/react-query'
import { api, sendRequest } from '../../api/client.ts'
import { may, useCaller } from '../../api/session.ts'
import { useGo } from '../../shell/link.tsx'
import { notify } from '../../shell/notices.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import type { ApiRecord } from '../resources.ts'

/** What is done with a host from its row and its page: its configuration is run, or it waits for its installation. */
export function useHostActions({ id, build }: ApiRecord) {
  const caller = useCaller()
  const queries = useQueryClient()
  const go = useGo()
  const path = `/api/hosts/${String(id)}`
  const attempt = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => notify('danger', wordsOfProblem(error).title, wordsOfProblem(error).text))
  const setBuild = async (is: unknown): Promise<void> => {
    await sendRequest(path, { method: 'PUT', body: { host: { build: is } } })
    await queries.invalidateQueries()
  }
  return {
    run: attempt(async () => {
      const { response } = await api.PUT('/api/hosts/{id}/configrun', { params: { path: { id: String(id) } } })
      notify('success', t('host.run.started'))
      const run = /config_runs\/(\d+)/.exec(response.headers.get('link') ?? '')?.[1]
      if (run !== undefined && may(caller, ['view_config_runs'])) go(`/config_runs/${run}`)
      void queries.invalidateQueries({ queryKey: ['host', 'config_runs', id] })
    }),
    build: attempt(async () => {
      await setBuild(true)
      notify('success', t('host.rebuild.done'), '', {
        title: t('action.undo'),
        act: attempt(() => setBuild(build ?? false)),
      })
    }),
  }
}
