import type {
  AttachedPool,
  KeyGrants,
  Override,
  Pair,
  RecordName,
  RegistrationOwner,
  RequestedAttributes,
} from './key.ts'

/** The value of a key that another key overrules. */
export interface Conflict<Value> {
  readonly key: RecordName
  readonly value: Value
}

/** A value with its origin. */
export interface Decided<Value> {
  readonly value: Value
  /** The key that the value comes from; null for other origins. */
  readonly key: RecordName | null
  /** Null: there is no value. */
  readonly from: 'key' | 'host' | 'organization' | null
  /** Keys with other values, in order. */
  readonly conflicts: readonly Conflict<Value>[]
}

/** An override with the key that it comes from: the last one with its content and name. */
export interface DecidedOverride extends Override {
  readonly key: RecordName
  readonly conflicts: readonly Conflict<string>[]
}

/** A host collection with all keys that have it. */
export interface GivenCollection extends RecordName {
  readonly keys: readonly RecordName[]
}

/** A pool with the key that decides its quantity, the last one with it, and all keys that have it. */
export interface DecidedPool extends AttachedPool {
  readonly key: RecordName
  readonly keys: readonly RecordName[]
  readonly conflicts: readonly Conflict<number | null>[]
}

/** A key with auto-attach: the service chooses among its pools, or among all if it has none. */
export interface AutoAttach {
  readonly key: RecordName
  readonly among: readonly number[] | null
}

/** The result of a registration with several keys, with the origin of each value (content-api §5.3). */
export interface EffectiveRegistration {
  readonly keys: readonly RecordName[]
  readonly content_view_environments: Decided<readonly Pair[]>
  readonly service_level: Decided<string | null>
  readonly release_version: Decided<string | null>
  readonly purpose_usage: Decided<string | null>
  readonly purpose_role: Decided<string | null>
  readonly purpose_addons: Decided<readonly string[]>
  readonly host_collections: readonly GivenCollection[]
  readonly content_overrides: readonly DecidedOverride[]
  /** Pools of keys without auto-attach; none in organizations whose hosts need no subscriptions. */
  readonly subscriptions: readonly DecidedPool[]
  readonly auto_attach: readonly AutoAttach[]
  /** Keys whose service level is ignored, because no pool of the organization offers it. */
  readonly unavailable_service_levels: readonly Conflict<string>[]
}

/**
 * Computes what hosts get by these keys in this order: single values and the list of pairs from the last key that has
 * one, collections from all keys, overrides and pools from the last key that names them. A value of a key goes before
 * the one that the host requests (content-api §5.3).
 */
export function computeEffectiveRegistration(
  keys: readonly KeyGrants[],
  sent: RequestedAttributes,
  owner: Pick<RegistrationOwner, 'content_access_mode' | 'service_level' | 'service_levels'>,
): EffectiveRegistration {
  const counts = owner.content_access_mode === 'entitlement'
  const isOfferedLevel = (level: string) => isOffered(owner.service_levels, level)
  const unavailable = keys.flatMap((key) =>
    key.service_level && !isOfferedLevel(key.service_level) ? [{ key: nameOf(key), value: key.service_level }] : [],
  )
  const levelOf = (key: KeyGrants) =>
    key.service_level && isOfferedLevel(key.service_level) ? key.service_level : null
  return {
    keys: keys.map(nameOf),
    content_view_environments: lastOf(keys, (key) => key.environments, [], areSamePairs),
    service_level: withDefault(textOf(keys, levelOf, sent.service_level), owner.service_level),
    release_version: textOf(keys, (key) => key.release_version, sent.release_version),
    purpose_usage: textOf(keys, (key) => key.purpose_usage, sent.purpose_usage),
    purpose_role: textOf(keys, (key) => key.purpose_role, sent.purpose_role),
    purpose_addons: lastOf(keys, (key) => key.purpose_addons, sent.purpose_addons ?? [], areSameSets),
    host_collections: collectionsOf(keys),
    content_overrides: overridesOf(keys),
    subscriptions: counts ? poolsOf(keys.filter((key) => !key.auto_attach)) : [],
    auto_attach: counts ? keys.filter((key) => key.auto_attach).map(buildAutoAttach) : [],
    unavailable_service_levels: unavailable,
  }
}

/** Whether a service level may be used: any, if pools offer none. Case does not matter (content-api §2.9). */
export function isOffered(offered: readonly string[], level: string): boolean {
  return offered.length === 0 || offered.some((one) => one.toLowerCase() === level.toLowerCase())
}

type Same<Value> = (one: Value, other: Value) => boolean

/** The value of the last key that has one, or else the requested one. */
function lastOf<Value extends readonly unknown[]>(
  keys: readonly KeyGrants[],
  saidBy: (key: KeyGrants) => Value,
  own: Value,
  same: Same<Value>,
): Decided<Value> {
  const saying = keys.filter((key) => saidBy(key).length > 0)
  const last = saying.at(-1)
  if (!last) return { value: own, key: null, from: own.length > 0 ? 'host' : null, conflicts: [] }
  const value = saidBy(last)
  const others = saying.slice(0, -1).filter((key) => !same(saidBy(key), value))
  return {
    value,
    key: nameOf(last),
    from: 'key',
    conflicts: others.map((key) => ({ key: nameOf(key), value: saidBy(key) })),
  }
}

/** The text of the last key that has one, or else the requested one; blank text counts as none. */
function textOf(
  keys: readonly KeyGrants[],
  saidBy: (key: KeyGrants) => string | null,
  own: string | null | undefined,
): Decided<string | null> {
  const toList = (text: string | null | undefined) => (text ? [text] : [])
  const decided = lastOf(
    keys,
    (key) => toList(saidBy(key)),
    toList(own),
    ([one], [other]) => one === other,
  )
  const takeFirst = (texts: readonly string[]): string | null => texts[0] ?? null
  return {
    ...decided,
    value: takeFirst(decided.value),
    conflicts: decided.conflicts.map(({ key, value }) => ({ key, value: takeFirst(value) })),
  }
}

function withDefault(decided: Decided<string | null>, fallback: string | null): Decided<string | null> {
  return decided.value !== null || !fallback ? decided : { ...decided, value: fallback, from: 'organization' }
}

function collectionsOf(keys: readonly KeyGrants[]): GivenCollection[] {
  const given = keys.flatMap((key) => key.host_collections.map((collection) => ({ key: nameOf(key), ...collection })))
  return [...Map.groupBy(given, ({ id }) => id)].map(([id, same]) => ({
    id,
    name: same[0]?.name ?? '',
    keys: same.map(({ key }) => key),
  }))
}

function overridesOf(keys: readonly KeyGrants[]): DecidedOverride[] {
  const given = keys.flatMap((key) => key.overrides.map((override) => ({ key: nameOf(key), item: override })))
  return lastOfEach(given, ({ content_id, name }) => `${content_id} ${name}`).map(({ key, item, others }) => ({
    ...item,
    key,
    conflicts: others.filter((other) => other.item.value !== item.value).map((other) => buildConflict(other, 'value')),
  }))
}

function poolsOf(keys: readonly KeyGrants[]): DecidedPool[] {
  const given = keys.flatMap((key) => key.subscriptions.map((pool) => ({ key: nameOf(key), item: pool })))
  return lastOfEach(given, ({ id }) => String(id)).map(({ key, item, others }) => ({
    ...item,
    key,
    keys: [...others.map((other) => other.key), key],
    conflicts: others
      .filter((other) => other.item.quantity !== item.quantity)
      .map((other) => buildConflict(other, 'quantity')),
  }))
}

interface KeyItem<Item> {
  readonly key: RecordName
  readonly item: Item
}

function lastOfEach<Item>(
  given: readonly KeyItem<Item>[],
  by: (item: Item) => string,
): (KeyItem<Item> & { readonly others: readonly KeyItem<Item>[] })[] {
  const groups = [...Map.groupBy(given, ({ item }) => by(item)).values()]
  return groups.flatMap((same) => {
    const last = same.at(-1)
    return last ? [{ ...last, others: same.slice(0, -1) }] : []
  })
}

function buildConflict<Item, Key extends keyof Item>({ key, item }: KeyItem<Item>, name: Key): Conflict<Item[Key]> {
  return { key, value: item[name] }
}

function buildAutoAttach(key: KeyGrants): AutoAttach {
  const pools = key.subscriptions.map(({ id }) => id)
  return { key: nameOf(key), among: pools.length > 0 ? pools : null }
}

function areSamePairs(one: readonly Pair[], other: readonly Pair[]): boolean {
  const idOf = (pair: Pair | undefined) => pair && `${pair.content_view.id} ${pair.environment.id}`
  return one.length === other.length && one.every((pair, index) => idOf(pair) === idOf(other[index]))
}

function areSameSets(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((word) => other.includes(word))
}

function nameOf({ id, name }: RecordName): RecordName {
  return { id, name }
}
