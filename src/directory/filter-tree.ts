/** A search filter of LDAP as a value: tests, and what joins them. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Filter[] }
  | { readonly kind: 'not'; readonly part: Filter }
  | { readonly kind: 'present'; readonly attribute: string }
  | { readonly kind: 'equal' | 'atLeast' | 'atMost' | 'like'; readonly attribute: string; readonly value: Buffer }
  | { readonly kind: 'substring'; readonly attribute: string; readonly pieces: readonly Buffer[] }
  | {
      readonly kind: 'extensible'
      readonly attribute: string
      readonly rule: string
      readonly dn: boolean
      readonly value: Buffer
    }
