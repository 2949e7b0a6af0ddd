import {
  Button,
  InputGroup,
  InputGroupItem,
  TextInputGroup,
  TextInputGroupMain,
  type TextInputGroupMainProps,
  TextInputGroupUtilities,
} from '@patternfly/react-core'
import CaretIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-caret-right-icon'
import CloseIcon from '@patternfly/react-icons/dist/esm/icons/rh-microns-close-icon'
import SearchIcon from '@patternfly/react-icons/dist/esm/icons/search-icon'
import { type FocusEventHandler, type KeyboardEvent, type KeyboardEventHandler, type Ref, useRef } from 'react'
import { t } from '../words/words.ts'

interface SearchInputProps {
  readonly 'aria-label': string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly onClear: () => void
  /** Starts the search by Enter or by a button; a field without it searches while somebody types. */
  readonly onSearch?: () => void
  readonly onKeyDown?: KeyboardEventHandler
  readonly onBlur?: FocusEventHandler
  readonly name?: string
  readonly placeholder?: string
  readonly inputProps?: TextInputGroupMainProps['inputProps']
  readonly ref?: Ref<HTMLInputElement>
}

/** A field for a search. PatternFly's own brings a form for advanced searches, which no page has. */
export function SearchInput({ value, onClear, onSearch, onKeyDown, onBlur, ref, ...rest }: SearchInputProps) {
  const group = useRef<HTMLDivElement>(null)
  const clear = () => {
    onClear()
    group.current?.querySelector('input')?.focus()
  }
  const searchByEnter = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    onSearch?.()
  }
  const field = (
    <TextInputGroup innerRef={group} {...(onKeyDown && { onKeyDown })} {...(onBlur && { onBlur })}>
      <Field {...rest} ref={ref} value={value} onKeyDown={searchByEnter} />
      {value !== '' && (
        <TextInputGroupUtilities>
          <Button variant="plain" aria-label={t('action.clear')} icon={<CloseIcon />} onClick={clear} />
        </TextInputGroupUtilities>
      )}
    </TextInputGroup>
  )
  if (!onSearch) return field
  return (
    <InputGroup>
      <InputGroupItem isFill>{field}</InputGroupItem>
      <InputGroupItem>
        <Button variant="control" aria-label={t('list.search')} icon={<CaretIcon />} onClick={onSearch} />
      </InputGroupItem>
    </InputGroup>
  )
}

type FieldProps = Omit<SearchInputProps, 'onClear' | 'onSearch' | 'onBlur'>

function Field({ onChange, ref, ...rest }: FieldProps) {
  return (
    <TextInputGroupMain
      {...rest}
      {...(ref && { ref })}
      icon={<SearchIcon />}
      onChange={(_event, value) => onChange(value)}
    />
  )
}
