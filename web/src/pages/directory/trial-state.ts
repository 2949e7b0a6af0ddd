import { useMutation } from '@tanstack/react-query'
import { createContext, useState } from 'react'
import { sendRequest } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import type { BesideProps } from '../../resources/form/parts.ts'

/** What a test of a source found out. */
export interface TrialOutcome {
  readonly success: boolean
  readonly message: string
  readonly steps: readonly Check[]
  /** The person that was asked for: who they would be here. Null where the directory does not find them. */
  readonly person?: ExpectedLogin | null
}

/** One check of a test, with its result. */
export interface Check {
  readonly name: CheckName
  readonly status: 'ok' | 'failed' | 'warning' | 'skipped'
  readonly milliseconds: number
  readonly message: string
  readonly advice: string | null
  readonly details?: Readonly<Record<string, unknown>>
}

export type CheckName =
  | 'resolve'
  | 'connect'
  | 'tls'
  | 'bind'
  | 'base_dn'
  | 'login_attribute'
  | 'sample'
  | 'groups_base'
  | 'membership'
  | 'discovery'
  | 'keys'
  | 'algorithms'
  | 'pkce'
  | 'client'
  | 'logout'

/** A person in a directory, and the user that their login would make of them. */
export interface ExpectedLogin {
  readonly login: string
  readonly dn: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly mail: string | null
  readonly groups: readonly string[]
  readonly rights: Rights | null
}

interface Rights {
  readonly result: 'known' | 'created' | 'refused'
  readonly reason: string | null
  readonly admin: boolean
  readonly usergroups: readonly Named[]
  readonly roles: readonly Named[]
  readonly permissions: readonly string[]
}

interface Named {
  readonly id: number
  readonly name: string
}

/** The resources whose values can be tested. */
type Tested = 'auth_source_ldaps' | 'auth_source_oidcs'

/** The last test of the values in a form. */
export interface TrialState {
  readonly data: TrialOutcome | undefined
  readonly error: unknown
  readonly isPending: boolean
  /** The body that was tested, as JSON; blank before the first test. */
  readonly tested: string
  readonly start: (form: BesideProps, options?: StartOptions) => void
}

interface StartOptions {
  /** The person to look for. */
  readonly login?: string
  readonly onDone?: (outcome: TrialOutcome) => void
}

interface Asked extends Pick<BesideProps, 'id' | 'body'> {
  readonly login: string | undefined
}

const LONGEST_NAME = 60

/** Tests the values of a form, only on demand: testing half-typed passwords would lock the account. */
export function useTrial(plural: Tested): TrialState {
  const [tested, setTested] = useState('')
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async ({ id, body, login }: Asked): Promise<TrialOutcome> => {
      const name = String(body.host ?? '').slice(0, LONGEST_NAME)
      const values = id === null && !body.name ? { ...body, name } : body
      const options = { body: { [plural.replace(/s$/, '')]: values }, query: { login } }
      const path = id === null ? `/api/${plural}/test` : `/api/${plural}/${encodeURIComponent(id)}/test`
      return (await sendRequest(path, { method: id === null ? 'POST' : 'PUT', ...options })).body
    },
  })
  function start({ id, body, mistakes, refuse }: BesideProps, { login, onDone }: StartOptions = {}) {
    if (Object.keys(mistakes).length > 0) return refuse(new ApiError({ status: 422, message: '', fields: mistakes }))
    setTested(JSON.stringify(body))
    mutate({ id, body, login }, { onError: refuse, ...(onDone && { onSuccess: onDone }) })
  }
  return { data, error, isPending, tested, start }
}

/** The test that the steps of a directory and the panel beside them share. */
export const TrialContext = createContext<TrialState | null>(null)
