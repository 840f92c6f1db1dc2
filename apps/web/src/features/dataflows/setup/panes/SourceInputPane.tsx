import type { SourceSettings } from '@trellis/contract/dataflows/task-blocks.schemas'
import type { SourcePreview } from '@trellis/contract/integrations/integrations.schemas'
import { useState } from 'react'
import { isSameData } from '../draft/settings-parts.ts'
import { readsChanges } from '../source/subtasks.ts'
import { useDraft } from '../draft/use-block-draft.ts'
import { useSourcePreview } from '../setup.queries.ts'
import { useSetupView } from '../setup-view.ts'
import { NoRows, PaneFrame, ReadAgain, SampleRows } from './PaneFrame.tsx'
import styles from './panes.module.css'

export function SourceInputPane() {
  const { settings, faults, save, isDisabled } = useDraft<SourceSettings>()
  const { subtask: subtaskIndex } = useSetupView()
  const subtask = settings.subtasks[subtaskIndex]
  const lacks = findMissingInput(settings, subtaskIndex, faults)
  return (
    <PaneOf
      key={`${settings.integration_trellis_code} ${subtaskIndex}`}
      about={subtask ? `What “${subtask.name}” finds at the source` : 'What the source gives'}
      previewRequest={{ integration: settings.integration_trellis_code ?? '', query: subtask?.query ?? {} }}
      lacks={lacks}
      isSaved={save === 'saved'}
      isDisabled={isDisabled}
    />
  )
}

interface PaneProps {
  about: string
  previewRequest: Parameters<typeof useSourcePreview>[0]
  lacks: string | null
  /** Only a saved query is known to be complete. */
  isSaved: boolean
  isDisabled: boolean
}

function PaneOf({ about, previewRequest, lacks, isSaved, isDisabled }: PaneProps) {
  const [requestedPreview, setRequestedPreview] = useState<typeof previewRequest | null>(null)
  if (requestedPreview === null && lacks === null && isSaved && !isDisabled) setRequestedPreview(previewRequest)
  const isAsked = requestedPreview !== null && lacks === null
  const preview = useSourcePreview(requestedPreview ?? previewRequest, isAsked)
  const isOld = isAsked && !isSameData(requestedPreview, previewRequest) && !preview.isFetching
  const again = () => (isOld ? setRequestedPreview(previewRequest) : void preview.refetch())
  return (
    <PaneFrame
      title="Input"
      about={about}
      actions={isAsked && <ReadAgain isOld={isOld} isBusy={preview.isFetching} onPress={again} />}
    >
      {isDisabled || lacks !== null ? (
        <NoRows isDisabled={isDisabled} lacks={lacks} />
      ) : (
        <>
          <SampleRows
            sample={preview.data && { ...preview.data, notes: [] }}
            error={preview.error}
            isOld={isOld || preview.isPlaceholderData}
            title="Input"
          />
          {preview.data && (
            <p className={styles.soft}>
              {describeFindings(preview.data, readsChanges((requestedPreview ?? previewRequest).query))}
            </p>
          )}
        </>
      )}
    </PaneFrame>
  )
}

export function findMissingInput(
  settings: SourceSettings,
  subtaskIndex: number,
  faults: readonly { path: string }[],
): string | null {
  if (settings.integration_trellis_code === null) return 'Choose a connection to see its rows.'
  if (!settings.subtasks[subtaskIndex]) return 'Add a subtask to see what it reads.'
  const isOpen = faults.some(({ path }) => path.startsWith(`subtasks.${subtaskIndex}.query`))
  return isOpen ? 'Say what to read, and its first rows appear here.' : null
}

function describeFindings(
  { declared_keys, candidate_keys, candidate_cursors }: SourcePreview,
  isFollowed: boolean,
): string {
  const [best] = declared_keys.length > 0 ? [declared_keys] : candidate_keys
  const key = best ? `Rows are identified by ${best.join(' + ')}.` : 'No column identifies these rows.'
  if (isFollowed) return `${key} What changes is read from the log.`
  const [cursor] = candidate_cursors
  return `${key} ${cursor ? `What is new can be followed by ${cursor}.` : 'No column shows what is new.'}`
}
