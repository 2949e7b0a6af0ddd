import {
  Button,
  Checkbox,
  Dropdown,
  DropdownItem,
  DropdownList,
  FormGroup,
  MenuToggle,
  ModalBody,
  ModalFooter,
  TextInput,
} from '@patternfly/react-core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { may, useCaller } from '../../api/session.ts'
import { useDraft, useKept } from '../../shell/drafts.ts'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { ProblemAlert } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'
import { Help } from '../form/labelled.tsx'

interface BookmarksProps {
  readonly plural: string
  readonly search: string
  readonly onSearch: (search: string) => void
}

/** Lists stored searches of this list, of the caller or public ones, and stores the present one. */
export function Bookmarks({ plural, search, onSearch }: BookmarksProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [isSaving, setIsSaving] = useState(false)
  const caller = useCaller()
  const mayView = may(caller, ['view_bookmarks'])
  const mayCreate = may(caller, ['create_bookmarks'])
  const { data, isFetched } = useQuery({
    queryKey: ['bookmarks', plural],
    enabled: mayView && isOpen,
    queryFn: async ({ signal }) => {
      const query = { search: `controller = ${plural}`, order: 'name ASC', per_page: 'all' }
      return (await api.GET('/api/bookmarks', { params: { query }, signal })).data
    },
  })
  if (!mayView) return null
  return (
    <>
      <Dropdown
        // A menu is placed once, by the width that it has then.
        isOpen={isOpen && isFetched}
        onOpenChange={setIsOpen}
        onSelect={() => setIsOpen(false)}
        isScrollable
        popperProps={{ preventOverflow: true }}
        toggle={(toggle) => (
          <MenuToggle ref={toggle} isExpanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {t('bookmarks.title')}
          </MenuToggle>
        )}
      >
        <DropdownList>
          {data?.results.map(({ id, name, query }) => (
            <DropdownItem key={id} description={query} onClick={() => onSearch(query)}>
              <bdi>{name}</bdi>
            </DropdownItem>
          ))}
          {data?.results.length === 0 && <DropdownItem isDisabled>{t('bookmarks.none')}</DropdownItem>}
          {mayCreate && (
            <DropdownItem isDisabled={search === ''} onClick={() => setIsSaving(true)}>
              {t('bookmarks.save')}
            </DropdownItem>
          )}
        </DropdownList>
      </Dropdown>
      {isSaving && <SaveDialog plural={plural} search={search} close={() => setIsSaving(false)} />}
    </>
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
