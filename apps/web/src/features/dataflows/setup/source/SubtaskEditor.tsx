import { toTableName, writeInto } from '@trellis/contract/dataflows/start-settings'
import type { SourceSettings, Subtask } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { Forma, FormaValues } from '@trellis/contract/formas/forma'
import { useEffect, useMemo } from 'react'
import { Loaded } from '../../../../app/loading/Loaded.tsx'
import { getInitialValues, toSubmittedValues } from '../../../../formas/forma-start.ts'
import { FormaFields } from '../../../../formas/FormaFields.tsx'
import { SurroundingsProvider } from '../../../../formas/surroundings.ts'
import { RadioGroup } from '../../../../ui/forms/Choices.tsx'
import { Select } from '../../../../ui/forms/Select.tsx'
import { TextField } from '../../../../ui/forms/TextField.tsx'
import { useDataflowsScope } from '../../dataflows.queries.ts'
import { withPartAt } from '../draft/settings-parts.ts'
import { formatMoment, formatSlot } from '../../../../running/run/cursor-text.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { useCursors, useQueryFormas } from '../setup.queries.ts'
import styles from '../setup.module.css'
import { SourceTableSetup } from '../write/TableSetup.tsx'
import { WriteFields } from '../write/WriteFields.tsx'
import { findForma, isFilledAlike, useControlledForma } from './controlled-forma.ts'
import {
  findNameProblem,
  readsChanges,
  isContinuousSubtask,
  describeSource,
  withName,
  withSuggestedName,
} from './subtasks.ts'

export function SubtaskEditor({ subtaskIndex, subtask }: { subtaskIndex: number; subtask: Subtask }) {
  const { settings, change, amend, touch, isDisabled } = useDraft<SourceSettings>()
  const formas = useQueryFormas('source', settings.integration_trellis_code)
  const path = `subtasks.${subtaskIndex}`
  const { name, write } = subtask
  useEffect(() => {
    if (write === null && !isDisabled) amend((old) => withPartAt(old, `${path}.write`, writeInto(toTableName(name))))
  }, [write, isDisabled, amend, path, name])
  return (
    <div className={styles.editor}>
      <div data-path={`${path}.name`}>
        <TextField
          label="Name of the subtask"
          value={subtask.name}
          maxLength={100}
          disabled={isDisabled}
          error={findNameProblem(settings.subtasks, subtaskIndex)}
          onBlur={() => touch(`${path}.name`)}
          onChange={(event) =>
            change(
              (old) => ({ ...old, subtasks: withName(old.subtasks, subtaskIndex, event.target.value) }),
              `${path}.name`,
            )
          }
        />
      </div>
      <Loaded query={formas} subject="What can be read" skeletonHeights={[96]}>
        {({ formas: all }) => <Query all={all} subtaskIndex={subtaskIndex} subtask={subtask} />}
      </Loaded>
      {readsChanges(subtask.query) ? (
        <FollowedChanges subtask={subtask} />
      ) : (
        <ReadingChoice subtaskIndex={subtaskIndex} subtask={subtask} />
      )}
      <WriteFields
        path={`${path}.write`}
        write={write ?? writeInto(toTableName(name))}
        onChange={(write, fieldPath) =>
          change((old) => withPartAt(old, `${path}.write`, write), `${path}.write.${fieldPath}`)
        }
        isFollowed={readsChanges(subtask.query)}
        tableSetup={<SourceTableSetup path={`${path}.write`} subtask={subtask} />}
      />
    </div>
  )
}

function Query({ all, subtaskIndex, subtask }: { all: readonly Forma[]; subtaskIndex: number; subtask: Subtask }) {
  const { set, isDisabled } = useDraft<SourceSettings>()
  const forma = findForma(all, subtask.query)
  if (!forma) return <p className={styles.soft}>Nothing can be read from this connection.</p>
  return (
    <>
      {all.length > 1 && (
        <Select
          label="What to read"
          value={forma.forma_trellis_code}
          disabled={isDisabled}
          options={all.map((item) => ({ value: item.forma_trellis_code, label: item.title }))}
          onChange={(event) => {
            const next = all.find((candidate) => candidate.forma_trellis_code === event.target.value)
            if (next) set(`subtasks.${subtaskIndex}.query`, getInitialValues(next))
          }}
        />
      )}
      <QueryFields key={forma.forma_trellis_code} forma={forma} subtaskIndex={subtaskIndex} query={subtask.query} />
    </>
  )
}

function QueryFields({ forma, subtaskIndex, query }: { forma: Forma; subtaskIndex: number; query: FormaValues }) {
  const { address } = useDataflowsScope()
  const { settings, change, amend, isDisabled } = useDraft<SourceSettings>()
  const path = `subtasks.${subtaskIndex}.query`
  const form = useControlledForma(forma, query, (values, element) =>
    change((old) => {
      const next = withPartAt(old, path, toSubmittedValues(values))
      const read = { from: describeSource(forma, query), to: describeSource(forma, values) }
      return { ...next, subtasks: withSuggestedName(next.subtasks, subtaskIndex, read) }
    }, `${path}.${element}`),
  )
  const start = toSubmittedValues(form.values)
  // Written into the query explicitly: the server does not apply form defaults.
  useEffect(() => {
    if (!isDisabled && !isFilledAlike(start, query)) amend((old) => withPartAt(old, path, start))
  }, [isDisabled, start, query, amend, path])
  const surroundings = useMemo(
    () => ({ address, integration: settings.integration_trellis_code }),
    [address, settings.integration_trellis_code],
  )
  return (
    <div data-path={path}>
      <SurroundingsProvider value={surroundings}>
        <FormaFields form={form} isDisabled={isDisabled} />
      </SurroundingsProvider>
    </div>
  )
}

/** CDC has no options: the log contains the changes. */
function FollowedChanges({ subtask }: { subtask: Subtask }) {
  const { block, settings } = useDraft<SourceSettings>()
  const cursors = useCursors(block.task_block_trellis_code, {
    isPublished: block.published_version !== null,
    isFollowed: true,
  })
  const cursor = cursors.data?.cursors.find((candidate) => candidate.subtask === subtask.name)
  const isLeftAlone = isContinuousSubtask(subtask.query) && settings.trigger.eventEvaluationType === 'NO_TRIGGER'
  return (
    <div role="group" aria-label="Sync mode">
      <p className={styles.soft}>
        The first run reads the whole table. Every later one reads what was inserted, updated and deleted since, from
        the log of the source.
      </p>
      {cursor?.slot && <p className={styles.soft}>{formatSlot(cursor.slot)}</p>}
      {isLeftAlone && (
        <p className={styles.soft}>
          The block has no trigger: a run ends after {settings.most_minutes} minutes, and nothing starts the next one.
          Add a schedule below.
        </p>
      )}
    </div>
  )
}

function ReadingChoice({ subtaskIndex, subtask }: { subtaskIndex: number; subtask: Subtask }) {
  const { block, set, isDisabled } = useDraft()
  const cursors = useCursors(block.task_block_trellis_code, { isPublished: block.published_version !== null })
  const cursor = cursors.data?.cursors.find((candidate) => candidate.subtask === subtask.name)
  const stands = cursor?.value ? ` The last run read up to ${formatMoment(cursor.value)}.` : ''
  return (
    <div data-path={`subtasks.${subtaskIndex}.is_incremental`}>
      <RadioGroup
        label="Sync mode"
        value={subtask.is_incremental ? 'new' : 'all'}
        onChange={(choice) => set(`subtasks.${subtaskIndex}.is_incremental`, choice === 'new')}
        options={[
          { value: 'all', label: 'Full refresh', hint: 'Every run reads all rows.', isDisabled },
          {
            value: 'new',
            label: 'Incremental',
            hint: `Each run reads the rows that are new or changed since the last one, by the cursor of the source.${stands}`,
            isDisabled,
          },
        ]}
      />
    </div>
  )
}
