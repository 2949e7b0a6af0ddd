import { useLocation } from 'react-router'

/** The kinds of templates. */
export type Templates = 'provisioning_templates' | 'ptables' | 'report_templates'

/** Yields the kind of templates that the address names. */
export function useTemplates(): Templates {
  const { pathname } = useLocation()
  return TEMPLATES.find((plural) => pathname.split('/')[1] === plural) ?? 'provisioning_templates'
}

const TEMPLATES: readonly Templates[] = ['ptables', 'report_templates']
