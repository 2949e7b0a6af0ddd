import {
  Button,
  Checkbox,
  DataList,
  DataListCell,
  DataListItem,
  DataListItemCells,
  DataListItemRow,
  ModalBody,
  ModalFooter,
} from '@patternfly/react-core'
import ArrowDownIcon from '@patternfly/react-icons/dist/esm/icons/arrow-down-icon'
import ArrowUpIcon from '@patternfly/react-icons/dist/esm/icons/arrow-up-icon'
import { useState } from 'react'
import { notify } from '../../shell/notices.tsx'
import { Modal, ModalHeader } from '../../shell/patternfly-parts.tsx'
import { wordsOfProblem } from '../../shell/problem.tsx'
import { labelOf, t } from '../../words/words.ts'
import type { Column, ResourceFull, ResourceShort } from '../description.ts'
import { defaultColumnsOf, listChoosable } from './choosable.ts'

interface ColumnsDialogProps {
  readonly resource: ResourceShort
  readonly full: ResourceFull
  readonly columns: readonly Column[]
  readonly choose: (keys: readonly string[]) => Promise<void>
  readonly close: () => void
}

/** Chooses the columns of a table and their order; the service stores them for the caller. */
export function ColumnsDialog({ resource, full, columns, choose, close }: ColumnsDialogProps) {
  const others = listChoosable(full)
    .map(({ key }) => key)
    .filter((key) => !columns.some((column) => column.key === key))
  const [order, setOrder] = useState([...columns.map(({ key }) => key), ...others])
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(columns.map(({ key }) => key)))

  function move(key: string, by: number) {
    const from = order.indexOf(key)
    const next = order.filter((one) => one !== key)
    next.splice(from + by, 0, key)
    setOrder(next)
  }
  async function save(keys: readonly string[]) {
    try {
      await choose(keys)
      close()
    } catch (error) {
      const { title, text } = wordsOfProblem(error)
      notify('danger', title, text)
    }
  }

  return (
    <Modal isOpen variant="small" onClose={close} aria-labelledby="columns-title">
      <ModalHeader title={t('columns.title')} labelId="columns-title" />
      <ModalBody tabIndex={0} aria-label={t('columns.title')}>
        <DataList aria-label={t('columns.title')} isCompact>
          {order.map((key, place) => {
            const name = labelOf(key)
            return (
              <DataListItem key={key} aria-labelledby={`column-${key}`}>
                <DataListItemRow>
                  <DataListItemCells
                    dataListCells={[
                      <DataListCell key="name">
                        <Checkbox
                          id={`column-${key}`}
                          label={name}
                          isChecked={chosen.has(key)}
                          onChange={(_event, is) => {
                            const next = new Set(chosen)
                            if (is) next.add(key)
                            else next.delete(key)
                            setChosen(next)
                          }}
                        />
                      </DataListCell>,
                      <DataListCell key="move" isFilled={false}>
                        <Button
                          variant="plain"
                          icon={<ArrowUpIcon />}
                          aria-label={t('columns.up', { name })}
                          isDisabled={place === 0}
                          onClick={() => move(key, -1)}
                        />
                        <Button
                          variant="plain"
                          icon={<ArrowDownIcon />}
                          aria-label={t('columns.down', { name })}
                          isDisabled={place === order.length - 1}
                          onClick={() => move(key, 1)}
                        />
                      </DataListCell>,
                    ]}
                  />
                </DataListItemRow>
              </DataListItem>
            )
          })}
        </DataList>
      </ModalBody>
      <ModalFooter>
        <Button isDisabled={chosen.size === 0} onClick={() => void save(order.filter((key) => chosen.has(key)))}>
          {t('action.save')}
        </Button>
        <Button variant="secondary" onClick={() => void save(defaultColumnsOf(resource, full).map(({ key }) => key))}>
          {t('columns.reset')}
        </Button>
        <Button variant="link" onClick={close}>
          {t('action.cancel')}
        </Button>
      </ModalFooter>
    </Modal>
  )
}
