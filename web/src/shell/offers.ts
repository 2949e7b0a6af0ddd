import { useEffect, useRef, useSyncExternalStore } from 'react'

/** Something that can be done on the page that is shown: the palette offers it. */
export interface Offer {
  readonly title: string
  readonly act: () => void
}

let offers: readonly Offer[] = []
const listeners = new Set<() => void>()

/** Offers something in the palette while the component is there, and while it can be done. */
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

/** What can be done now. */
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
