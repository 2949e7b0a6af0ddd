import { FormHelperText, HelperText } from '@patternfly/react-core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { HelperTextItem } from '../../shell/patternfly-parts.tsx'
import { SearchInput } from '../../shell/search-input.tsx'
import { useShortcut } from '../../shell/shortcuts.ts'
import { t } from '../../words/words.ts'

interface SearchFieldProps {
  /** The name of what is searched. */
  readonly what: string
  /** The path of the API that completes the search; null where there is none. */
  readonly completion: string | null
  readonly search: string
  readonly error: unknown
  readonly onSearch: (search: string) => void
}

interface Suggestion {
  readonly completed: string
  readonly part: string
  readonly label: string
}

/** A search field with suggestions of the service, which marks mistakes at their position. */
export function SearchField({ what, completion, search, error, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(search)
  const [isOpen, setIsOpen] = useState(false)
  const [index, setIndex] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  useShortcut('search', () => input.current?.focus())
  useEffect(() => setText(search), [search])
  const suggestions = useSuggestions(completion, useDeferredValue(text), isOpen)
  const shown = isOpen ? suggestions : []

  function start(next: string) {
    setIsOpen(false)
    setIndex(-1)
    setText(next)
    onSearch(next.trim())
  }
  function take({ label }: Suggestion) {
    setText(`${label.trim()} `)
    setIndex(-1)
    input.current?.focus()
  }
  function onKeyDown(event: KeyboardEvent) {
    const chosen = shown[index]
    if (event.key === 'ArrowDown') {
      setIsOpen(true)
      setIndex(Math.min(index + 1, shown.length - 1))
    } else if (event.key === 'ArrowUp') setIndex(Math.max(index - 1, -1))
    else if (event.key === 'Escape' && isOpen) setIsOpen(false)
    else if (event.key === 'Enter' && chosen) take(chosen)
    else return
    event.preventDefault()
    // Enter would also start the search.
    event.stopPropagation()
  }

  const position = error instanceof ApiError ? error.position : null
  return (
    <search className="mw-search">
      <div className="mw-suggestions" onKeyDownCapture={onKeyDown}>
        <SearchInput
          ref={input}
          aria-label={t('list.search.of', { what })}
          placeholder={t('list.search.hint')}
          value={text}
          onChange={(value) => {
            setText(value)
            setIsOpen(true)
            setIndex(-1)
          }}
          onClear={() => start('')}
          onSearch={() => start(text)}
          onBlur={() => setIsOpen(false)}
          inputProps={{
            role: 'combobox',
            'aria-expanded': shown.length > 0,
            'aria-controls': shown.length > 0 ? `${id}-list` : undefined,
            'aria-autocomplete': 'list',
            'aria-activedescendant': index >= 0 ? `${id}-${index}` : undefined,
            'aria-invalid': error instanceof ApiError || undefined,
            'aria-describedby': `${id}-error`,
            spellCheck: false,
            autoComplete: 'off',
          }}
        />
        {shown.length > 0 && (
          <div role="listbox" id={`${id}-list`} aria-label={t('list.suggestions')} className="mw-listbox">
            {shown.map((suggestion, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys are heard by the field, which keeps the focus
              <div
                key={suggestion.label}
                role="option"
                tabIndex={-1}
                id={`${id}-${place}`}
                aria-selected={place === index}
                className="mw-option"
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(suggestion)}
              >
                <bdi>{suggestion.label}</bdi>
              </div>
            ))}
          </div>
        )}
      </div>
      <FormHelperText>
        <HelperText id={`${id}-error`} isLiveRegion>
          {error instanceof ApiError && (
            <HelperTextItem variant="error">
              {error.message}
              {position !== null && (
                <>
                  {' '}
                  <code>
                    {t('list.search.error', { before: search.slice(0, position), after: search.slice(position) })}
                  </code>
                </>
              )}
            </HelperTextItem>
          )}
        </HelperText>
      </FormHelperText>
    </search>
  )
}

function useSuggestions(path: string | null, text: string, isOn: boolean): readonly Suggestion[] {
  const { data } = useQuery({
    queryKey: ['suggestions', path, text],
    enabled: isOn && path !== null,
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<readonly (Suggestion | { readonly error: string })[]> =>
      (await sendRequest(path ?? '', { query: { search: text }, signal })).body,
  })
  return (data ?? []).flatMap((one) => ('error' in one ? [] : [one]))
}
