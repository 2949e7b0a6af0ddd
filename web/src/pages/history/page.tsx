import { FormSelect, FormSelectOption, PageSection, Toolbar, ToolbarContent, ToolbarItem } from '@patternfly/react-core'
import { useSearchParams } from 'react-router'
import { SearchField } from '../../resources/list/search-field.tsx'
import { useListView } from '../../resources/list/view.ts'
import { Changes } from '../../resources/record/history.tsx'
import { listResources } from '../../resources/resources.ts'
import { Heading } from '../../shell/heading.tsx'
import { nameOf, t } from '../../words/words.ts'

const ACTIONS = ['create', 'update', 'destroy', 'reveal'] as const
const DAYS = [1, 7, 30] as const

/** The history: changes by all users to all records, with the values before and after. */
export function Page() {
  const [view, change] = useListView()
  const [parameters, setParameters] = useSearchParams()
  const [kind, action, days] = ['kind', 'action', 'days'].map((name) => parameters.get(name) ?? '')
  const set = (name: string, value: string) =>
    setParameters((before) => {
      const after = new URLSearchParams(before)
      after.delete('page')
      if (value === '') after.delete(name)
      else after.set(name, value)
      return after
    })
  const conditions = [
    view.search && `(${view.search})`,
    kind && `type = ${kind}`,
    action && `action = ${action}`,
    /^\d{1,3}$/.test(days ?? '') && `time > "${days} days ago"`,
  ].filter((one) => typeof one === 'string' && one !== '')
  const kinds = listResources()
    .map(({ name, plural }) => ({ name, text: nameOf(plural, 'one') }))
    .sort((one, other) => one.text.localeCompare(other.text))
  return (
    <>
      <Heading title={t('timeline.title')} text={t('timeline.text')} />
      <PageSection>
        <Toolbar>
          <ToolbarContent>
            <ToolbarItem className="mw-search">
              <SearchField
                what={t('timeline.title')}
                completion="/api/audits/auto_complete_search"
                search={view.search}
                error={null}
                onSearch={(search) => change({ search })}
              />
            </ToolbarItem>
            <ToolbarItem>
              <Choice name="kind" value={kind} all={t('timeline.kind')} choices={kinds} set={set} />
            </ToolbarItem>
            <ToolbarItem>
              <Choice
                name="action"
                value={action}
                all={t('timeline.action')}
                choices={ACTIONS.map((name) => ({ name, text: t(`timeline.${name}`) }))}
                set={set}
              />
            </ToolbarItem>
            <ToolbarItem>
              <Choice
                name="days"
                value={days}
                all={t('timeline.days')}
                choices={DAYS.map((count) => ({
                  name: String(count),
                  text: count === 1 ? t('timeline.day') : t('timeline.last', { count }),
                }))}
                set={set}
              />
            </ToolbarItem>
          </ToolbarContent>
        </Toolbar>
        <Changes search={conditions.join(' and ')} paged={{ view, change }} />
      </PageSection>
    </>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly value: string | undefined
  readonly all: string
  readonly choices: readonly { readonly name: string; readonly text: string }[]
  readonly set: (name: string, value: string) => void
}

function Choice({ name, value = '', all, choices, set }: ChoiceProps) {
  return (
    <FormSelect id={`history-${name}`} aria-label={all} value={value} onChange={(_event, next) => set(name, next)}>
      <FormSelectOption value="" label={all} />
      {choices.map((choice) => (
        <FormSelectOption key={choice.name} value={choice.name} label={choice.text} />
      ))}
    </FormSelect>
  )
}
