import { useEffect, useState } from 'react'

const PAUSE_MS = 400

/** Yields a text once it has not changed for a moment. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
