import { type AboveProps, RecordPage } from '../../resources/record/page.tsx'
import { Matchers } from './matchers.tsx'
import type { Parameter } from './parameter.ts'
import { Rules } from './rules.tsx'
import { useRules } from './rules-state.ts'
import { Why } from './why.tsx'

/** The page of a class parameter: its matchers, their order, and which of them wins for a host. */
export function Page() {
  return <RecordPage plural="smart_class_parameters" Above={Parts} />
}

function Parts({ record, etag }: AboveProps) {
  const parameter = record as unknown as Parameter // the path of a parameter answers with one
  const rules = useRules(parameter, etag)
  return (
    <>
      <Matchers parameter={parameter} rules={rules} />
      <Rules rules={rules} />
      <Why parameter={parameter} />
    </>
  )
}
