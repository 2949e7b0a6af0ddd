import { useEffect, useRef, useSyncExternalStore } from 'react'

/** An action of the present page, which the palette offers. */
export interface Offer {
  readonly title: string
  readonly act: () => void
}

let offers: readonly Offer[] = []
const listeners = new Set<() => void>()

/** Offers an action in the palette while the component is mounted and `isOn` holds. */
export function useOffer(title: string, act: () => void, isOn = true): void {
  const latest = useRef(act)
  useEffect(() => {
    latest.current = act
  })
  useEffect(() => {
    if (!isOn) return
    const offer = { title, act: () => latest.current() }
    change([...offers, offer])
    return () => change(offers.filter((one) => one !== offer))
  }, [title, isOn])
}

/** Yields the actions that are offered now. */
export function useOffers(): readonly Offer[] {
  return useSyncExternalStore(subscribe, () => offers)
}

/** What has a button on the page: choosing it is as good as pressing that. */
export function listButtons(): readonly Offer[] {
  const buttons = document.querySelectorAll<HTMLElement>('main :is(button, a).pf-v6-c-button')
  return [...buttons].flatMap((button) => {
    const title = (button.getAttribute('aria-label') ?? button.textContent ?? '').trim()
    const isAction = title !== '' && button.closest(PARTS_OF_OTHERS) === null && !button.matches(NOT_NOW)
    return isAction ? [{ title, act: () => button.click() }] : []
  })
}

/** Buttons that belong to something that keys reach anyway. */
const PARTS_OF_OTHERS = '.pf-v6-c-pagination, .pf-v6-c-text-input-group, .pf-v6-c-tabs, .pf-v6-c-table__sort, [hidden]'
const NOT_NOW = ':disabled, [aria-disabled=true], [aria-expanded]'

function change(next: readonly Offer[]): void {
  offers = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
