import { collectionsOfHost, setCollections } from './collections.ts'
import { contentFacet } from './content-facet.ts'
import { hostContentOverride } from './content-override.ts'
import { hostEntitling } from './entitling.ts'
import { hostProductContent } from './product-content.ts'
import { registerByUser } from './register.ts'
import { contentSearch } from './search.ts'
import { subscriptionFacet } from './subscription-facet.ts'
import { subscriptionKind } from './subscription-status.ts'
import { hostSubscriptions } from './subscriptions.ts'
import { unregisterHost } from './unregister.ts'
import { hostContentWrites } from './writes.ts'

const STATUS_KEYS = ['subscription_status', 'subscription_status_label']

/** The contribution of content to hosts (content-api §2.9): pairs, registration and collections. */
export const hostContent = {
  fields: {
    content_facet: contentFacet(),
    subscription_facet: subscriptionFacet(),
    host_collections: collectionsOfHost(),
  },
  statusKeys: STATUS_KEYS,
  statusKinds: [subscriptionKind],
  keys: ['content_facet_attributes', 'subscription_facet_attributes', 'host_collections'],
  asked: [
    { parameter: 'include', words: ['content_facet_attributes'], keys: ['content_facet_attributes'] },
    {
      parameter: 'include',
      words: ['subscription_facet_attributes'],
      keys: ['subscription_facet_attributes', ...STATUS_KEYS],
    },
  ],
  search: contentSearch,
  permissions: ['register_hosts'],
  around: hostContentWrites,
  actions: [
    setCollections,
    hostSubscriptions,
    hostProductContent,
    hostContentOverride,
    ...hostEntitling,
    registerByUser,
    unregisterHost,
  ],
} as const
