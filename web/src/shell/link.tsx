import { Button, type ButtonProps } from '@patternfly/react-core'
import { type ReactNode, useCallback } from 'react'
import { Link as RouterLink, type LinkProps as RouterLinkProps, type To, useLocation, useNavigate } from 'react-router'
import { SCOPE_PARAMETERS } from '../api/scope.ts'

/** Yields the address of another page with the present organization and location. */
function withScope(to: string, search: string): To {
  const [path = '', rest = ''] = to.split('?', 2)
  const [query = '', hash] = rest.split('#', 2)
  const parameters = new URLSearchParams(query)
  const current = new URLSearchParams(search)
  for (const name of SCOPE_PARAMETERS) {
    const value = current.get(name)
    if (value !== null && !parameters.has(name)) parameters.set(name, value)
  }
  return { pathname: path, search: parameters.toString(), ...(hash !== undefined && { hash }) }
}

type LinkProps = Omit<RouterLinkProps, 'to'> & { readonly to: string }

/** A link to a page of the console that keeps the scope; all links are made with it. */
export function Link({ to, ...rest }: LinkProps) {
  const { search } = useLocation()
  return <RouterLink {...rest} to={withScope(to, search)} />
}

/** Yields a function that goes to a page of the console and keeps the scope, which the address has before pages show it. */
export function useGo(): (to: string, options?: { readonly replace?: boolean; readonly state?: unknown }) => void {
  const navigate = useNavigate()
  return (to, options = {}) => void navigate(withScope(to, location.search), options)
}

interface LinkButtonProps extends Pick<ButtonProps, 'variant' | 'icon'> {
  readonly to: string
  readonly children: ReactNode
}

/** A link that looks like a button. A component made anew each time would replace the link, and lose the focus in it. */
export function LinkButton({ to, ...rest }: LinkButtonProps) {
  const component = useCallback((props: object) => <Link {...props} to={to} />, [to])
  return <Button {...rest} component={component} />
}
