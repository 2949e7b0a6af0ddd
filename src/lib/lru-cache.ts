import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of the values that were used last, at most so many. By its own `max` the library would reserve memory for
 * all of them at once.
 */
export function createLruCache<Key extends {}, Value extends {}>(
  most: number,
  options: { readonly ttl?: number; readonly ttlResolution?: number } = {},
): LRUCache<Key, Value> {
  return new LRUCache<Key, Value>({ maxSize: most, sizeCalculation: () => 1, ...options })
}
