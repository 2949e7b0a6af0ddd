import { Button, Checkbox, FormGroup, ModalBody, ModalFooter, TextInput } from '@patternfly/react-core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { may, useCaller } from '../../api/session.ts'
import { useDraft, useKept } from '../../shell/drafts.ts'
import { Link } from '../../shell/link.tsx'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'
import { Help } from '../form/labelled.tsx'
import type { Where } from '../resources.ts'

interface SavedSearchesProps {
  readonly where: Where
  readonly search: string
  /** Whether the rows are there: the first look at a list does not wait for saved searches. */
  readonly isReady: boolean
}

/** Shows the saved searches of this list, of the caller or public ones, as tabs, and offers to save the present search. */
export function SavedSearches({ where: { home, resource }, search, isReady }: SavedSearchesProps) {
  const [isSaving, setIsSaving] = useState(false)
  const caller = useCaller()
  const mayView = may(caller, ['view_bookmarks'])
  const { data } = useQuery({
    queryKey: ['bookmarks', resource.plural],
    enabled: mayView && isReady,
    queryFn: async ({ signal }) => {
      const query = { search: `controller = ${resource.plural}`, order: 'name ASC', per_page: 'all' }
      return (await api.GET('/api/bookmarks', { params: { query }, signal })).data
    },
  })
  if (!data) return null
  const saved = data.results
  const mayCreate = search !== '' && may(caller, ['create_bookmarks']) && saved.every(({ query }) => query !== search)
  const tabs = saved.length === 0 ? [] : [{ id: 0, name: t('bookmarks.all'), query: '' }, ...saved]
  if (tabs.length === 0 && !mayCreate) return null
  return (
    <nav className="mw-saved" aria-label={t('bookmarks.title')}>
      {tabs.map(({ id, name, query }) => (
        <Link
          key={id}
          to={query === '' ? home : `${home}?${new URLSearchParams({ search: query }).toString()}`}
          title={query}
          {...(query === search && { 'aria-current': 'true' })}
        >
          <bdi>{name}</bdi>
        </Link>
      ))}
      {mayCreate && (
        <Button variant="link" isInline onClick={() => setIsSaving(true)}>
          {t('bookmarks.save')}
        </Button>
      )}
      {isSaving && <SaveDialog plural={resource.plural} search={search} close={() => setIsSaving(false)} />}
    </nav>
  )
}

interface SaveDialogProps {
  readonly plural: string
  readonly search: string
  readonly close: () => void
}

function SaveDialog({ plural, search, close }: SaveDialogProps) {
  const [name, setName] = useKept(`bookmark ${plural}`, '')
  const draft = useDraft(`bookmark ${plural}`)
  const [isPublic, setIsPublic] = useState(false)
  const queries = useQueryClient()
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      api.POST('/api/bookmarks', {
        params: { query: {} },
        body: { bookmark: { name, controller: plural, query: search, public: isPublic } },
      }),
    onSuccess: async () => {
      draft.drop()
      await queries.invalidateQueries({ queryKey: ['bookmarks', plural] })
      close()
    },
  })
  const messages = error instanceof ApiError ? (error.fields.name ?? []) : []
  const giveUp = () => {
    draft.drop()
    close()
  }
  return (
    <Modal isOpen variant="small" onClose={giveUp} aria-labelledby="bookmark-title" elementToFocus="#bookmark-name">
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault()
          mutate()
        }}
      >
        <ModalHeader title={t('bookmarks.save')} labelId="bookmark-title" />
        <ModalBody>
          <p className="mw-code">{search}</p>
          {error !== null && messages.length === 0 && <ProblemAlert error={error} retry={mutate} />}
          <FormGroup label={labelOf('name')} fieldId="bookmark-name" isRequired>
            <TextInput
              id="bookmark-name"
              value={name}
              validated={messages.length > 0 ? 'error' : 'default'}
              autoComplete="off"
              aria-describedby="bookmark-name-help"
              onChange={(_event, value) => setName(value)}
            />
            <Help id="bookmark-name" messages={messages} />
          </FormGroup>
          <Checkbox
            id="bookmark-public"
            className="mw-related"
            label={t('bookmarks.public')}
            isChecked={isPublic}
            onChange={(_event, is) => setIsPublic(is)}
          />
        </ModalBody>
        <ModalFooter>
          <Button type="submit" isDisabled={isPending}>
            {t('action.save')}
          </Button>
          <Button variant="link" onClick={giveUp}>
            {t('action.cancel')}
          </Button>
        </ModalFooter>
      </form>
    </Modal>
  )
}
