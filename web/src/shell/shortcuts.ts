import { useEffect, useRef } from 'react'
import type { Word } from '../words/words.ts'

/** The keyboard shortcuts, as their page lists them. */
export const SHORTCUTS = {
  palette: { keys: ['Ctrl', 'K'], word: 'shortcut.palette' },
  help: { keys: ['?'], word: 'shortcut.help' },
  search: { keys: ['/'], word: 'shortcut.search' },
  create: { keys: ['c'], word: 'shortcut.create' },
  edit: { keys: ['e'], word: 'shortcut.edit' },
  save: { keys: ['Ctrl', 'Enter'], word: 'shortcut.save' },
  up: { keys: ['u'], word: 'shortcut.up' },
  next: { keys: ['n'], word: 'shortcut.next' },
  previous: { keys: ['p'], word: 'shortcut.previous' },
} as const satisfies Record<string, { readonly keys: readonly string[]; readonly word: Word }>

export type Shortcut = keyof typeof SHORTCUTS

/** Calls `act` on a key while the component is mounted; single keys only where no text is being typed. */
export function useShortcut(name: Shortcut, act: () => void, isOn = true): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!isOn) return
    const { keys } = SHORTCUTS[name]
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isMeant(event, keys)) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [name, isOn])
}

function isMeant(event: KeyboardEvent, keys: readonly string[]): boolean {
  const control = keys[0] === 'Ctrl'
  const key = keys.at(-1) ?? ''
  if (event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false
  if (control) return event.ctrlKey || event.metaKey
  return (
    !event.ctrlKey && !event.metaKey && !isTyping(event.target) && document.querySelector('[aria-modal=true]') === null
  )
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
