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

function change(next: readonly Offer[]): void {
  offers = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
