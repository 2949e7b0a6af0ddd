import { useContext } from 'react'
import { useSearchParams } from 'react-router'
import { FormPage } from '../../resources/form/page.tsx'
import type { BesideProps } from '../../resources/form/parts.ts'
import { findStage, STAGES } from './stages.ts'
import { Steps } from './steps.tsx'
import { Trial } from './trial.tsx'
import { TrialContext, useTrial } from './trial-state.ts'

/** The form of a directory in four steps. Each is tested as it is entered, and at the end somebody's login is tried. */
export function Page() {
  return (
    <TrialContext value={useTrial('auth_source_ldaps')}>
      <FormPage plural="auth_source_ldaps" sections={STAGES} Sections={Steps} Beside={StageTrial} />
    </TrialContext>
  )
}

/** Shows the checks of the present step; at the end all of them. */
function StageTrial(props: BesideProps) {
  const trial = useContext(TrialContext)
  const stage = findStage(useSearchParams()[0])
  return trial && <Trial {...props} trial={trial} checks={stage?.checks} />
}
