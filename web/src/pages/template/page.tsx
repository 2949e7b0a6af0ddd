import { type AboveProps, RecordPage } from '../../resources/record/page.tsx'
import { Combinations } from './combinations.tsx'
import { useTemplates } from './templates.ts'
import { Usage } from './usage.tsx'
import { Versions } from './versions.tsx'

const PARTS = { provisioning_templates: Provisioning, ptables: Layout, report_templates: Versions }

/** The page of a template: where it is used, and how it differs from its earlier versions. */
export function Page() {
  const plural = useTemplates()
  return <RecordPage plural={plural} Above={PARTS[plural]} />
}

function Provisioning(props: AboveProps) {
  return (
    <>
      <Combinations {...props} />
      <Usage {...props} />
      <Versions {...props} />
    </>
  )
}

function Layout(props: AboveProps) {
  return (
    <>
      <Usage {...props} />
      <Versions {...props} />
    </>
  )
}
