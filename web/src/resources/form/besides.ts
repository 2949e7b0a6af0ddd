import { type ComponentType, lazy } from 'react'
import type { BesideProps } from './parts.ts'

/** What stands beside the forms of some resources, wherever they are opened. It is loaded with the first of them. */
export const BESIDES: Readonly<Record<string, ComponentType<BesideProps>>> = {
  filters: lazy(async () => ({ default: (await import('./effect.tsx')).Filters })),
  roles: lazy(async () => ({ default: (await import('./effect.tsx')).Roles })),
  usergroups: lazy(async () => ({ default: (await import('./effect.tsx')).Usergroups })),
}
