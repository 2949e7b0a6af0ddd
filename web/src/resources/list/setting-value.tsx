import { Button } from '@patternfly/react-core'
import PencilIcon from '@patternfly/react-icons/dist/esm/icons/pencil-alt-icon'
import { useLayoutEffect, useRef, useState } from 'react'
import { mayUse } from '../../api/allowed.ts'
import { useCaller } from '../../api/session.ts'
import { useDraft } from '../../shell/drafts.ts'
import { t } from '../../words/words.ts'
import { Cell } from '../cell.tsx'
import type { Column } from '../description.ts'
import { type ApiRecord, textOf, type Where } from '../resources.ts'
import { draftNameOf, SettingEditor } from './setting-editor.tsx'

interface SettingValueProps {
  readonly record: ApiRecord
  readonly column: Column
  readonly where: Where
}

/** The value of a setting in its row, with a button that edits it there. */
export function SettingValue({ record, column, where }: SettingValueProps) {
  const draft = useDraft(draftNameOf(record))
  const [isOpen, setIsOpen] = useState(() => draft.find() !== null)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const { resource } = where
  const mayEdit = mayUse(useCaller(), resource.operations.update, where, String(record.id))
  useLayoutEffect(() => {
    // The editor had the focus, which would be lost with it.
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  if (isOpen) return <SettingEditor id={String(record.id)} where={where} close={() => setIsOpen(false)} />
  return (
    <span className="mw-editable">
      <Cell record={record} column={column} isShort />
      {mayEdit && (
        <Button
          ref={opener}
          variant="plain"
          size="sm"
          icon={<PencilIcon />}
          aria-label={t('setting.edit', { name: textOf(record, resource) })}
          onClick={() => setIsOpen(true)}
        />
      )}
    </span>
  )
}
