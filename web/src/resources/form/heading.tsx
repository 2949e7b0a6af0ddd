import { Heading } from '../../shell/heading.tsx'
import { nameOf, t } from '../../words/words.ts'
import type { Where } from '../resources.ts'

interface FormHeadingProps {
  readonly where: Where
  /** The id of the record in the address; null for a new one. */
  readonly id: string | null
  /** The name of the record, once it is known. */
  readonly name?: string
}

/** The heading of a form, also while its record is being loaded, or cannot be. */
export function FormHeading({
  where: { resource, home },
  id,
  name = nameOf(resource.plural, 'one'),
}: FormHeadingProps) {
  const list = { to: home, title: nameOf(resource.plural, 'many') }
  if (id === null) return <Heading title={t('form.create', { what: nameOf(resource.plural, 'one') })} above={[list]} />
  const record = { to: `${home}/${encodeURIComponent(id)}`, title: name }
  return <Heading title={t('form.edit', { name })} above={[list, record]} />
}
