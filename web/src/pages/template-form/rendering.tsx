import { Button } from '@patternfly/react-core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useContext, useEffect, useMemo, useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { may, useCaller } from '../../api/session.ts'
import { mistakesOf } from '../../editor/mistakes-of.ts'
import { HostChoice } from '../../resources/form/host-choice.tsx'
import type { BesideProps } from '../../resources/form/parts.ts'
import type { Chosen } from '../../resources/form/values.ts'
import { Panel } from '../../shell/panel.tsx'
import { Alert } from '../../shell/patternfly.tsx'
import { usePaused } from '../../shell/paused.ts'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { t } from '../../words/words.ts'
import { Together } from './together.ts'

/** Renders the text of the form for a host when typing pauses. */
export function Rendering({ values }: BesideProps) {
  const caller = useCaller()
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const { setMistakes, goToLine, setHost } = useContext(Together)
  const template = usePaused(String(values.template ?? values.layout ?? ''))
  const name = usePaused(String(values.name ?? ''))
  const host = chosen[0]?.id
  const { data, error, isFetching } = useQuery({
    queryKey: ['rendering', host, template, name],
    enabled: host !== undefined && template !== '',
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }): Promise<string> =>
      (
        await sendRequest(`/api/hosts/${host}/render`, {
          method: 'POST',
          body: { template, ...(name !== '' && { name }) },
          signal,
        })
      ).body.template,
  })
  const messages = useMemo(() => messagesOf(error), [error])
  const mistakes = useMemo(() => mistakesOf(messages), [messages])
  const line = mistakes[0]?.line ?? null
  useEffect(() => setMistakes(mistakes), [mistakes, setMistakes])
  const title = t('template.rendering')
  return (
    <Panel title={title} isBusy={isFetching}>
      {!may(caller, ['view_hosts']) ? (
        <p>{t('error.forbidden.text', { permissions: 'view_hosts' })}</p>
      ) : (
        <HostChoice
          id="rendering"
          value={chosen}
          onChange={(next) => {
            setChosen(next)
            setHost(next[0]?.id ?? null)
          }}
        />
      )}
      <p id="rendering-text" className="mw-hint">
        {t('template.rendering.text')}
      </p>
      <div role="status">
        {messages.map((message) => (
          <Alert
            key={message}
            variant="danger"
            isInline
            title={message}
            actionLinks={
              line !== null && (
                <Button variant="link" isInline onClick={() => goToLine(line)}>
                  {t('template.line', { line })}
                </Button>
              )
            }
          />
        ))}
      </div>
      {messages.length === 0 && host !== undefined && data !== undefined && (
        <section
          className="mw-output"
          aria-label={t('template.rendered')}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled with keys, too
          tabIndex={0}
        >
          <pre className="mw-code">{data}</pre>
        </section>
      )}
    </Panel>
  )
}

function messagesOf(error: unknown): readonly string[] {
  if (error === null) return []
  return error instanceof ApiError ? (error.fields.template ?? [wordsOfProblem(error).title]) : []
}
